// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cl_khr_unified_svm.
#include "weft/khr/unified_svm.h"

#include <CL/cl.h>

#include <algorithm>
#include <vector>

#include "support/extensions.h"
#include "support/info_query.h"
#include "support/objects.h"
#include "support/programs.h"
#include "support/svm.h"

namespace weft::test {
namespace {

using Properties = std::vector<khr::cl_svm_alloc_properties>;
using Capabilities = khr::cl_svm_capabilities;

constexpr Capabilities kCoarseGrain =
    khr::kSvmSingleAddressSpace | khr::kSvmDeviceUnassociated | khr::kSvmContextAccess |
    khr::kSvmHostMap | khr::kSvmDeviceRead | khr::kSvmDeviceWrite | khr::kSvmDeviceAtomicAccess;
constexpr Capabilities kFineGrainTypes =
    kCoarseGrain | khr::kSvmHostRead | khr::kSvmHostWrite | khr::kSvmConcurrentAccess;
constexpr Capabilities kDevice = khr::kSvmSingleAddressSpace | khr::kSvmDeviceOwned |
                                 khr::kSvmDeviceRead | khr::kSvmDeviceWrite |
                                 khr::kSvmDeviceAtomicAccess | khr::kSvmIndirectAccess;
constexpr Capabilities kHost = khr::kSvmSingleAddressSpace | khr::kSvmDeviceUnassociated |
                               khr::kSvmContextAccess | khr::kSvmHostOwned | khr::kSvmHostRead |
                               khr::kSvmHostWrite | khr::kSvmDeviceRead | khr::kSvmDeviceWrite |
                               khr::kSvmIndirectAccess;
constexpr Capabilities kSystem = kFineGrainTypes | khr::kSvmSystemAllocated |
                                 khr::kSvmConcurrentAtomicAccess | khr::kSvmIndirectAccess;

class UnifiedSvm : public testing::Test {
 protected:
  void* allocate(cl_uint type, size_t size, const Properties& properties = {},
                 cl_int expected = CL_SUCCESS) {
    cl_int error = CL_INVALID_OPERATION;
    void* const pointer =
        alloc(context, properties.empty() ? nullptr : properties.data(), type, size, &error);
    EXPECT_EQ(error, expected) << "type " << type << " size " << size;
    EXPECT_EQ(pointer != nullptr, error == CL_SUCCESS);
    return pointer;
  }
  template <class T>
  T info(const void* pointer, khr::cl_svm_pointer_info name, cl_device_id about = nullptr) {
    return infoValue<T>([&](size_t size, void* value, size_t* sizeRet) {
      return pointerInfo(context, about, pointer, name, size, value, sizeRet);
    });
  }
  Properties listOf(const void* pointer) {
    size_t size = 1;
    EXPECT_EQ(pointerInfo(context, nullptr, pointer, khr::kSvmInfoProperties, 0, nullptr, &size),
              CL_SUCCESS);
    Properties list(size / sizeof(Properties::value_type));
    EXPECT_EQ(
        pointerInfo(context, nullptr, pointer, khr::kSvmInfoProperties, size, list.data(), nullptr),
        CL_SUCCESS);
    return list;
  }
  void expectUnknown(const void* pointer) {
    EXPECT_EQ(info<cl_uint>(pointer, khr::kSvmInfoTypeIndex), CL_UINT_MAX);
    EXPECT_EQ(info<Capabilities>(pointer, khr::kSvmInfoCapabilities), 0u);
    EXPECT_EQ(listOf(pointer), Properties{});
    EXPECT_EQ(info<cl_bitfield>(pointer, khr::kSvmInfoAccessFlags), 0u);
    EXPECT_EQ(info<void*>(pointer, khr::kSvmInfoBasePointer), nullptr);
    EXPECT_EQ(info<size_t>(pointer, khr::kSvmInfoSize), 0u);
    EXPECT_EQ(info<cl_device_id>(pointer, khr::kSvmInfoAssociatedDevice), nullptr);
  }
  cl_uint suggested(Capabilities required, Capabilities desired = 0,
                    const Properties& properties = {}, cl_int expected = CL_SUCCESS) {
    cl_uint index = 77;
    EXPECT_EQ(suggest(context, required, desired, properties.empty() ? nullptr : properties.data(),
                      4096, &index),
              expected);
    return index;
  }
  static khr::cl_svm_alloc_properties deviceProperty() {
    return reinterpret_cast<khr::cl_svm_alloc_properties>(device());
  }

#define WEFT_FUNCTION(name) extensionFunction<decltype(&khr::name)>(#name)
  decltype(&khr::clSVMAllocWithPropertiesKHR) alloc = WEFT_FUNCTION(clSVMAllocWithPropertiesKHR);
  decltype(&khr::clSVMFreeWithPropertiesKHR) free = WEFT_FUNCTION(clSVMFreeWithPropertiesKHR);
  decltype(&khr::clGetSVMPointerInfoKHR) pointerInfo = WEFT_FUNCTION(clGetSVMPointerInfoKHR);
  decltype(&khr::clGetSVMSuggestedTypeIndexKHR) suggest =
      WEFT_FUNCTION(clGetSVMSuggestedTypeIndexKHR);
#undef WEFT_FUNCTION
  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
  const std::vector<Capabilities> types = [] {
    size_t size = 0;
    EXPECT_EQ(clGetDeviceInfo(device(), khr::kDeviceSvmTypeCapabilities, 0, nullptr, &size),
              CL_SUCCESS);
    std::vector<Capabilities> all(size / sizeof(Capabilities));
    EXPECT_EQ(clGetDeviceInfo(device(), khr::kDeviceSvmTypeCapabilities, size, all.data(), nullptr),
              CL_SUCCESS);
    return all;
  }();
};

TEST_F(UnifiedSvm, IsReported) {
  EXPECT_EQ(extensionVersion("cl_khr_unified_svm"), CL_MAKE_VERSION(0, 9, 0));
  std::vector<Capabilities> ofPlatform(types.size());
  size_t size = 0;
  EXPECT_EQ(clGetPlatformInfo(platform(), khr::kPlatformSvmTypeCapabilities,
                              types.size() * sizeof(Capabilities), ofPlatform.data(), &size),
            CL_SUCCESS);
  EXPECT_EQ(size, types.size() * sizeof(Capabilities));
  EXPECT_EQ(ofPlatform, types);
}

// The combinations that the headers have names for, and each capability alone.
TEST_F(UnifiedSvm, EveryUsualTypeIsFound) {
  for (const Capabilities wanted : {kCoarseGrain, kFineGrainTypes, kDevice, kHost, kSystem}) {
    const cl_uint index = suggested(wanted);
    ASSERT_LT(index, types.size()) << std::hex << wanted;
    EXPECT_EQ(types[index] & wanted, wanted);
    EXPECT_EQ(suggested(wanted, 0, {khr::kSvmAllocAssociatedDevice, deviceProperty(), 0}), index);
  }
  for (unsigned bit = 0; bit < 15; ++bit) EXPECT_LT(suggested(1 << bit), types.size()) << bit;
}

TEST_F(UnifiedSvm, WishesAreMetWhereTheyCanBe) {
  const cl_uint host = suggested(kCoarseGrain, khr::kSvmHostOwned);
  ASSERT_LT(host, types.size());
  EXPECT_NE(types[host] & khr::kSvmHostOwned, 0u);
  EXPECT_LT(suggested(kCoarseGrain, Capabilities{1} << 40), types.size());
  EXPECT_EQ(suggested(Capabilities{1} << 40), CL_UINT_MAX);
  EXPECT_EQ(suggested(khr::kSvmHostOwned | khr::kSvmDeviceOwned), CL_UINT_MAX);
  EXPECT_EQ(suggested(0, 0, {0x7777, 1, 0}, CL_INVALID_PROPERTY), 77u);
  EXPECT_EQ(suggest(context, 0, 0, nullptr, 0, nullptr), CL_INVALID_VALUE);
  cl_uint index = 0;
  EXPECT_EQ(suggest(nullptr, 0, 0, nullptr, 0, &index), CL_INVALID_CONTEXT);
}

TEST_F(UnifiedSvm, AllocationsAreKnownByEveryAddress) {
  const Properties all{khr::kSvmAllocAssociatedDevice,
                       deviceProperty(),
                       khr::kSvmAllocAccessFlags,
                       khr::kSvmHostNoRead | khr::kSvmDeviceNoWrite,
                       khr::kSvmAllocAlignment,
                       64,
                       0};
  for (cl_uint type = 0; type < types.size(); ++type)
    for (const Properties& properties : {Properties{}, Properties{0}, all}) {
      constexpr size_t kSize = 1000;
      auto* const memory = static_cast<char*>(allocate(type, kSize, properties));
      for (const char* pointer : {memory, memory + kSize - 1}) {
        EXPECT_EQ(info<cl_uint>(pointer, khr::kSvmInfoTypeIndex), type);
        EXPECT_EQ(info<Capabilities>(pointer, khr::kSvmInfoCapabilities), types[type]);
        EXPECT_EQ(info<Capabilities>(pointer, khr::kSvmInfoCapabilities, device()), types[type]);
        EXPECT_EQ(listOf(pointer), properties);
        EXPECT_EQ(info<cl_bitfield>(pointer, khr::kSvmInfoAccessFlags),
                  properties.size() > 1 ? all[3] : 0);
        EXPECT_EQ(info<void*>(pointer, khr::kSvmInfoBasePointer), memory);
        EXPECT_EQ(info<size_t>(pointer, khr::kSvmInfoSize), kSize);
        EXPECT_EQ(info<cl_device_id>(pointer, khr::kSvmInfoAssociatedDevice),
                  properties.size() > 1 ? device() : nullptr);
      }
      expectUnknown(memory + kSize);
      EXPECT_EQ(free(context, nullptr, 0, memory), CL_SUCCESS);
      expectUnknown(memory);
    }
}

TEST_F(UnifiedSvm, OtherPointersAreUnknown) {
  int plain = 0;
  expectUnknown(nullptr);
  expectUnknown(&plain);
  const SvmArray<int> svm(context, 4);
  EXPECT_EQ(info<cl_uint>(svm.data(), khr::kSvmInfoTypeIndex), 0u);
  const ContextHolder other = makeContext();
  cl_uint type = 0;
  EXPECT_EQ(
      pointerInfo(other, nullptr, svm.data(), khr::kSvmInfoTypeIndex, sizeof type, &type, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(type, CL_UINT_MAX);
  EXPECT_EQ(pointerInfo(context, nullptr, svm.data(), 0x7777, sizeof type, &type, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(pointerInfo(nullptr, nullptr, svm.data(), khr::kSvmInfoTypeIndex, sizeof type, &type,
                        nullptr),
            CL_INVALID_CONTEXT);
}

TEST_F(UnifiedSvm, BadAllocationsAreRefused) {
  const cl_uint beyond = static_cast<cl_uint>(types.size());
  allocate(beyond, 64, {}, CL_INVALID_VALUE);
  allocate(0, 0, {}, CL_INVALID_BUFFER_SIZE);
  allocate(0, ~size_t{0}, {}, CL_INVALID_BUFFER_SIZE);
  allocate(0, 64, {0x7777, 1, 0}, CL_INVALID_PROPERTY);
  allocate(0, 64, {khr::kSvmAllocAlignment, 3, 0}, CL_INVALID_PROPERTY);
  allocate(0, 64, {khr::kSvmAllocAlignment, 256, 0}, CL_INVALID_PROPERTY);
  allocate(0, 64, {khr::kSvmAllocAlignment, (cl_ulong{1} << 32) + 8, 0}, CL_INVALID_PROPERTY);
  allocate(0, 64, {khr::kSvmAllocAccessFlags, 1 << 2, 0}, CL_INVALID_PROPERTY);
  allocate(0, 64, {khr::kSvmAllocAlignment, 8, khr::kSvmAllocAlignment, 8, 0}, CL_INVALID_PROPERTY);
  cl_ulong noDevice[16] = {};
  allocate(0, 64,
           {khr::kSvmAllocAssociatedDevice,
            reinterpret_cast<khr::cl_svm_alloc_properties>(&noDevice), 0},
           CL_INVALID_DEVICE);
  cl_int error = 0;
  EXPECT_EQ(alloc(nullptr, nullptr, 0, 64, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
}

TEST_F(UnifiedSvm, EveryFunctionForSvmFreesIt) {
  for (cl_uint type = 0; type < types.size(); ++type) {
    clSVMFree(context, allocate(type, 64));
    void* pointers[] = {allocate(type, 64)};
    EXPECT_EQ(clEnqueueSVMFree(queue, 1, pointers, nullptr, nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    expectUnknown(pointers[0]);
  }
  void* const memory = allocate(0, 64);
  const khr::cl_svm_free_properties none[] = {0}, some[] = {1, 1, 0};
  EXPECT_EQ(free(context, some, 0, memory), CL_INVALID_PROPERTY);
  EXPECT_EQ(free(context, nullptr, 1, memory), CL_INVALID_VALUE);
  EXPECT_EQ(free(context, nullptr, 0, static_cast<char*>(memory) + 1), CL_INVALID_VALUE);
  EXPECT_EQ(free(nullptr, nullptr, 0, memory), CL_INVALID_CONTEXT);
  EXPECT_EQ(free(context, nullptr, 0, nullptr), CL_SUCCESS);
  EXPECT_EQ(free(context, none, 0, memory), CL_SUCCESS);
}

// The device writes through a pointer that it finds in memory; the host reads without a map.
TEST_F(UnifiedSvm, KernelsReachIt) {
  const ProgramHolder program =
      buildProgram(context,
                   "kernel void k(global ulong* p) { ((global int*)*p)[get_global_id(0)] = "
                   "get_global_id(0) + 3; }");
  const KernelHolder kernel = makeKernel(program, "k");
  const cl_bool yes = CL_TRUE;
  EXPECT_EQ(clSetKernelExecInfo(kernel, khr::kKernelExecInfoSvmIndirectAccess, sizeof yes, &yes),
            CL_SUCCESS);
  EXPECT_EQ(clSetKernelExecInfo(kernel, khr::kKernelExecInfoSvmIndirectAccess, 1, &yes),
            CL_INVALID_VALUE);
  for (cl_uint type = 0; type < types.size(); ++type) {
    constexpr size_t kCount = 64;
    auto* const numbers = static_cast<int*>(allocate(type, kCount * sizeof(int)));
    auto** const pointer = static_cast<int**>(allocate(type, sizeof(int*)));
    *pointer = numbers;
    EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 0, pointer), CL_SUCCESS);
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    for (size_t i = 0; i < kCount; ++i) EXPECT_EQ(numbers[i], int(i) + 3);
    EXPECT_EQ(free(context, nullptr, 0, numbers), CL_SUCCESS);
    EXPECT_EQ(free(context, nullptr, 0, pointer), CL_SUCCESS);
  }
}

}  // namespace
}  // namespace weft::test
