// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cl_intel_unified_shared_memory.
#include <CL/cl_ext.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "support/extensions.h"
#include "support/info_query.h"
#include "support/objects.h"
#include "support/programs.h"
#include "support/svm.h"
#include "support/wait_list.h"

namespace weft::test {
namespace {

struct UsmFunctions {
#define WEFT_FUNCTION(name) extensionFunction<cl##name##INTEL_fn>("cl" #name "INTEL")
  clHostMemAllocINTEL_fn hostAlloc = WEFT_FUNCTION(HostMemAlloc);
  clDeviceMemAllocINTEL_fn deviceAlloc = WEFT_FUNCTION(DeviceMemAlloc);
  clSharedMemAllocINTEL_fn sharedAlloc = WEFT_FUNCTION(SharedMemAlloc);
  clMemFreeINTEL_fn free = WEFT_FUNCTION(MemFree);
  clMemBlockingFreeINTEL_fn blockingFree =
      extensionFunction<clMemBlockingFreeINTEL_fn>("clMemBlockingFreeINTEL");
  clGetMemAllocInfoINTEL_fn info = WEFT_FUNCTION(GetMemAllocInfo);
  clSetKernelArgMemPointerINTEL_fn setArgument = WEFT_FUNCTION(SetKernelArgMemPointer);
  clEnqueueMemFillINTEL_fn fill = WEFT_FUNCTION(EnqueueMemFill);
  clEnqueueMemcpyINTEL_fn copy = WEFT_FUNCTION(EnqueueMemcpy);
  clEnqueueMigrateMemINTEL_fn migrate = WEFT_FUNCTION(EnqueueMigrateMem);
  clEnqueueMemAdviseINTEL_fn advise = WEFT_FUNCTION(EnqueueMemAdvise);
#undef WEFT_FUNCTION
};

class Usm : public testing::Test {
 protected:
  /// The three kinds of allocation; shared memory without a device is the fourth.
  static constexpr int kKinds = 4;
  void* allocate(int kind, size_t size, const cl_mem_properties_intel* properties = nullptr,
                 cl_uint alignment = 0, cl_int expected = CL_SUCCESS) {
    cl_int error = CL_INVALID_OPERATION;
    void* pointer = nullptr;
    if (kind == 0) pointer = usm.hostAlloc(context, properties, size, alignment, &error);
    if (kind == 1)
      pointer = usm.deviceAlloc(context, device(), properties, size, alignment, &error);
    if (kind == 2)
      pointer = usm.sharedAlloc(context, device(), properties, size, alignment, &error);
    if (kind == 3) pointer = usm.sharedAlloc(context, nullptr, properties, size, alignment, &error);
    EXPECT_EQ(error, expected) << "kind " << kind << " size " << size;
    EXPECT_EQ(pointer != nullptr, error == CL_SUCCESS);
    return pointer;
  }
  template <class T>
  T info(const void* pointer, cl_mem_info_intel name) {
    return infoValue<T>([&](size_t size, void* value, size_t* sizeRet) {
      return usm.info(context, pointer, name, size, value, sizeRet);
    });
  }
  void expectUnknown(const void* pointer) {
    EXPECT_EQ(info<cl_uint>(pointer, CL_MEM_ALLOC_TYPE_INTEL), cl_uint{CL_MEM_TYPE_UNKNOWN_INTEL});
    EXPECT_EQ(info<void*>(pointer, CL_MEM_ALLOC_BASE_PTR_INTEL), nullptr);
    EXPECT_EQ(info<size_t>(pointer, CL_MEM_ALLOC_SIZE_INTEL), 0u);
    EXPECT_EQ(info<cl_device_id>(pointer, CL_MEM_ALLOC_DEVICE_INTEL), nullptr);
    EXPECT_EQ(info<cl_mem_alloc_flags_intel>(pointer, CL_MEM_ALLOC_FLAGS_INTEL), 0u);
  }

  const UsmFunctions usm;
  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
};

TEST_F(Usm, IsReported) {
  EXPECT_EQ(extensionVersion("cl_intel_unified_shared_memory"), CL_MAKE_VERSION(1, 2, 0));
  constexpr cl_bitfield kAll = CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL |
                               CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
                               CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
                               CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
  for (const cl_device_info name :
       {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL}) {
    cl_bitfield bits = 0;
    EXPECT_EQ(clGetDeviceInfo(device(), name, sizeof bits, &bits, nullptr), CL_SUCCESS);
    EXPECT_EQ(bits, kAll) << name;
  }
}

TEST_F(Usm, AllocationsAreKnownByEveryAddress) {
  const cl_uint types[kKinds] = {CL_MEM_TYPE_HOST_INTEL, CL_MEM_TYPE_DEVICE_INTEL,
                                 CL_MEM_TYPE_SHARED_INTEL, CL_MEM_TYPE_SHARED_INTEL};
  const cl_device_id devices[kKinds] = {nullptr, device(), device(), nullptr};
  for (int kind = 0; kind < kKinds; ++kind) {
    for (const size_t size : {size_t{1}, size_t{1000}, size_t{3} << 20}) {
      auto* const memory = static_cast<char*>(allocate(kind, size));
      EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 128, 0u);
      for (const char* pointer : {memory, memory + size / 2, memory + size - 1}) {
        EXPECT_EQ(info<cl_uint>(pointer, CL_MEM_ALLOC_TYPE_INTEL), types[kind]);
        EXPECT_EQ(info<void*>(pointer, CL_MEM_ALLOC_BASE_PTR_INTEL), memory);
        EXPECT_EQ(info<size_t>(pointer, CL_MEM_ALLOC_SIZE_INTEL), size);
        EXPECT_EQ(info<cl_device_id>(pointer, CL_MEM_ALLOC_DEVICE_INTEL), devices[kind]);
        EXPECT_EQ(info<cl_mem_alloc_flags_intel>(pointer, CL_MEM_ALLOC_FLAGS_INTEL), 0u);
      }
      expectUnknown(memory + size);
      expectUnknown(memory - 1);
      EXPECT_EQ(usm.free(context, memory), CL_SUCCESS);
      expectUnknown(memory);
    }
  }
}

TEST_F(Usm, OtherPointersAreUnknown) {
  const SvmArray<int> svm(context, 4);
  const ContextHolder other = makeContext();
  int plain = 0;
  void* const memory = allocate(0, 64);
  expectUnknown(nullptr);
  expectUnknown(&plain);
  expectUnknown(svm.data());
  cl_uint type = 0;
  EXPECT_EQ(usm.info(other, memory, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(type, cl_uint{CL_MEM_TYPE_UNKNOWN_INTEL});
  EXPECT_EQ(usm.info(nullptr, memory, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, nullptr),
            CL_INVALID_CONTEXT);
  EXPECT_EQ(usm.info(context, memory, 0x7777, sizeof type, &type, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(
      usm.info(context, memory, CL_MEM_ALLOC_BUFFER_LOCATION_INTEL, sizeof type, &type, nullptr),
      CL_INVALID_VALUE);

  // Each function frees its own kind from the start of an allocation.
  EXPECT_EQ(usm.free(context, svm.data()), CL_INVALID_VALUE);
  EXPECT_EQ(usm.free(context, &plain), CL_INVALID_VALUE);
  EXPECT_EQ(usm.free(context, static_cast<char*>(memory) + 1), CL_INVALID_VALUE);
  EXPECT_EQ(usm.free(other, memory), CL_INVALID_VALUE);
  EXPECT_EQ(usm.free(nullptr, memory), CL_INVALID_CONTEXT);
  EXPECT_EQ(usm.blockingFree(nullptr, memory), CL_INVALID_CONTEXT);
  EXPECT_EQ(usm.blockingFree(context, static_cast<char*>(memory) + 1), CL_INVALID_VALUE);
  EXPECT_EQ(usm.blockingFree(context, svm.data()), CL_INVALID_VALUE);
  EXPECT_EQ(usm.free(context, nullptr), CL_SUCCESS);
  EXPECT_EQ(usm.blockingFree(context, nullptr), CL_SUCCESS);
  clSVMFree(context, memory);
  EXPECT_EQ(info<void*>(memory, CL_MEM_ALLOC_BASE_PTR_INTEL), memory);
  EXPECT_EQ(usm.free(context, memory), CL_SUCCESS);
  EXPECT_EQ(usm.free(context, memory), CL_INVALID_VALUE);
}

TEST_F(Usm, Properties) {
  constexpr cl_mem_properties_intel kCombined = CL_MEM_ALLOC_WRITE_COMBINED_INTEL;
  constexpr cl_mem_properties_intel kOnDevice = CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL;
  constexpr cl_mem_properties_intel kOnHost = CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
  const auto check = [&](int kind, cl_mem_properties_intel flags, cl_int expected) {
    const cl_mem_properties_intel list[] = {CL_MEM_ALLOC_FLAGS_INTEL, flags, 0};
    void* const memory = allocate(kind, 64, list, 0, expected);
    if (memory == nullptr) return;
    EXPECT_EQ(info<cl_mem_alloc_flags_intel>(memory, CL_MEM_ALLOC_FLAGS_INTEL), flags);
    EXPECT_EQ(usm.free(context, memory), CL_SUCCESS);
  };
  for (int kind = 0; kind < kKinds; ++kind) {
    const cl_int placement = kind >= 2 ? CL_SUCCESS : CL_INVALID_PROPERTY;
    check(kind, 0, CL_SUCCESS);
    check(kind, kCombined, CL_SUCCESS);
    check(kind, kOnDevice, placement);
    check(kind, kOnHost | kCombined, placement);
    check(kind, kOnHost | kOnDevice, CL_INVALID_PROPERTY);
    check(kind, 8, CL_INVALID_PROPERTY);
    const cl_mem_properties_intel empty[] = {0};
    EXPECT_EQ(usm.free(context, allocate(kind, 64, empty)), CL_SUCCESS);
    const cl_mem_properties_intel twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL,
                                             0, 0};
    allocate(kind, 64, twice, 0, CL_INVALID_PROPERTY);
    const cl_mem_properties_intel unknown[] = {CL_MEM_ALLOC_BUFFER_LOCATION_INTEL, 0, 0};
    allocate(kind, 64, unknown, 0, CL_INVALID_PROPERTY);
  }
}

TEST_F(Usm, AllocationErrors) {
  cl_ulong most = 0;
  ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr),
            CL_SUCCESS);
  for (int kind = 0; kind < kKinds; ++kind) {
    allocate(kind, 0, nullptr, 0, CL_INVALID_BUFFER_SIZE);
    allocate(kind, static_cast<size_t>(most) + 1, nullptr, 0, CL_INVALID_BUFFER_SIZE);
    allocate(kind, SIZE_MAX, nullptr, 0, CL_INVALID_BUFFER_SIZE);
    for (const cl_uint alignment : {3u, 96u, 256u, 1u << 31})
      allocate(kind, 64, nullptr, alignment, CL_INVALID_VALUE);
    for (cl_uint alignment = 1; alignment <= 128; alignment *= 2)
      EXPECT_EQ(usm.free(context, allocate(kind, 64, nullptr, alignment)), CL_SUCCESS);
  }
  const auto notADevice = reinterpret_cast<cl_device_id>(context.get());
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(usm.hostAlloc(nullptr, nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(usm.deviceAlloc(nullptr, device(), nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(usm.sharedAlloc(nullptr, device(), nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(usm.deviceAlloc(context, nullptr, nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
  EXPECT_EQ(usm.deviceAlloc(context, notADevice, nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
  EXPECT_EQ(usm.sharedAlloc(context, notADevice, nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
  EXPECT_EQ(usm.hostAlloc(context, nullptr, 0, 0, nullptr), nullptr);
}

TEST_F(Usm, KernelsUseIt) {
  const ProgramHolder program = buildProgram(
      context,
      "kernel void k(global int* out, constant int* in, global int* global* more, int v) {"
      "  size_t i = get_global_id(0); out[i] = in[i] + (*more)[i] + v; }",
      "-cl-std=CL3.0");
  const KernelHolder kernel = makeKernel(program, "k");
  constexpr size_t kCount = 256;
  constexpr size_t kBytes = kCount * sizeof(cl_int);
  auto* const in = static_cast<cl_int*>(allocate(0, kBytes));
  auto* const out = static_cast<cl_int*>(allocate(1, kBytes));
  auto* const more = static_cast<cl_int*>(allocate(2, kBytes));
  auto** const indirect = static_cast<cl_int**>(allocate(3, sizeof(void*)));
  std::iota(in, in + kCount, 0);
  const cl_int hundred = 100;
  EXPECT_EQ(usm.fill(queue, more, &hundred, 4, kBytes, 0, nullptr, nullptr), CL_SUCCESS);
  *indirect = more;
  EXPECT_EQ(usm.setArgument(kernel, 0, out), CL_SUCCESS);
  EXPECT_EQ(usm.setArgument(kernel, 1, in), CL_SUCCESS);
  EXPECT_EQ(usm.setArgument(kernel, 2, indirect), CL_SUCCESS);
  EXPECT_EQ(usm.setArgument(kernel, 3, in), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(usm.setArgument(kernel, 4, in), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(usm.setArgument(nullptr, 0, in), CL_INVALID_KERNEL);
  setArgument<cl_int>(kernel, 3, 1000);
  const cl_bool yes = CL_TRUE;
  for (const cl_kernel_exec_info name : {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                                         CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
                                         CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL}) {
    EXPECT_EQ(clSetKernelExecInfo(kernel, name, sizeof yes, &yes), CL_SUCCESS);
    EXPECT_EQ(clSetKernelExecInfo(kernel, name, 0, nullptr), CL_INVALID_VALUE);
  }
  EXPECT_EQ(
      clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof *indirect, indirect),
      CL_SUCCESS);
  EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 7, indirect),
            CL_INVALID_VALUE);
  EXPECT_EQ(
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr),
      CL_SUCCESS);
  std::vector<cl_int> result(kCount);
  EXPECT_EQ(usm.copy(queue, CL_TRUE, result.data(), out, kBytes, 0, nullptr, nullptr), CL_SUCCESS);
  for (size_t i = 0; i < kCount; ++i) EXPECT_EQ(result[i], static_cast<int>(i) + 1100);
  for (void* memory : {static_cast<void*>(in), static_cast<void*>(out), static_cast<void*>(more),
                       static_cast<void*>(indirect)})
    EXPECT_EQ(usm.free(context, memory), CL_SUCCESS);
}

TEST_F(Usm, CommandErrors) {
  std::array<int, 16> a{}, b{};
  EXPECT_EQ(usm.copy(queue, CL_TRUE, nullptr, b.data(), 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm.copy(queue, CL_TRUE, a.data(), nullptr, 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm.copy(queue, CL_TRUE, a.data(), a.data() + 1, 8, 0, nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(usm.fill(queue, nullptr, b.data(), 4, 8, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm.fill(queue, a.data(), nullptr, 4, 8, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm.fill(queue, a.data(), b.data(), 3, 9, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm.fill(queue, a.data(), b.data(), 4, 9, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm.migrate(queue, a.data(), 4, 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm.migrate(queue, a.data(), 4, 0, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(usm.advise(queue, a.data(), 4, 0x4208, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm.advise(queue, a.data(), 4, 0, 0, nullptr, nullptr), CL_SUCCESS);
}

TEST_F(Usm, WaitLists) {
  int* const memory = static_cast<int*>(allocate(2, 256));
  const EnqueueCall calls[] = {
      {"clEnqueueMemFillINTEL", CL_COMMAND_MEMFILL_INTEL,
       [&](cl_command_queue on, cl_uint count, const cl_event* list, cl_event* event) {
         const int zero = 0;
         return usm.fill(on, memory, &zero, 4, 64, count, list, event);
       }},
      {"clEnqueueMemcpyINTEL", CL_COMMAND_MEMCPY_INTEL,
       [&](cl_command_queue on, cl_uint count, const cl_event* list, cl_event* event) {
         return usm.copy(on, CL_FALSE, memory, memory + 32, 64, count, list, event);
       }},
      {"clEnqueueMigrateMemINTEL", CL_COMMAND_MIGRATEMEM_INTEL,
       [&](cl_command_queue on, cl_uint count, const cl_event* list, cl_event* event) {
         return usm.migrate(on, memory, 64, CL_MIGRATE_MEM_OBJECT_HOST, count, list, event);
       }},
      {"clEnqueueMemAdviseINTEL", CL_COMMAND_MEMADVISE_INTEL,
       [&](cl_command_queue on, cl_uint count, const cl_event* list, cl_event* event) {
         return usm.advise(on, memory, 64, 0, count, list, event);
       }},
  };
  const QueueHolder outOfOrder = makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (const EnqueueCall& call : calls) {
    checkWaitListErrors(call, context, queue);
    checkWaitListOrder(call, context, queue);
    checkWaitListOrder(call, context, outOfOrder);
  }
  EXPECT_EQ(usm.free(context, memory), CL_SUCCESS);
}

TEST_F(Usm, BlockingFreeWaitsForAllQueues) {
  const QueueHolder outOfOrder = makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  constexpr size_t kBytes = size_t{1} << 20;
  auto* const memory = static_cast<cl_uint*>(allocate(1, kBytes));
  std::vector<cl_uint> first(kBytes / 4), second(kBytes / 4);
  const cl_uint pattern = 77;
  cl_event filled = nullptr;
  EXPECT_EQ(usm.fill(queue, memory, &pattern, 4, kBytes, 0, nullptr, &filled), CL_SUCCESS);
  const EventHolder holder(filled);
  for (auto* target : {&first, &second})
    EXPECT_EQ(usm.copy(outOfOrder, CL_FALSE, target->data(), memory, kBytes, 1, &filled, nullptr),
              CL_SUCCESS);
  EXPECT_EQ(usm.blockingFree(context, memory), CL_SUCCESS);
  EXPECT_EQ(std::count(first.begin(), first.end(), pattern), static_cast<long>(first.size()));
  EXPECT_EQ(std::count(second.begin(), second.end(), pattern), static_cast<long>(second.size()));
  expectUnknown(memory);
}

}  // namespace
}  // namespace weft::test
