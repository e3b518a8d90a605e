// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cl_ext_buffer_device_address.
#include "weft/khr/buffer_device_address.h"

#include <cstdint>
#include <vector>

#include "support/extensions.h"
#include "support/info_query.h"
#include "support/objects.h"
#include "support/programs.h"
#include "support/svm.h"

namespace weft::test {
namespace {

using Address = khr::cl_mem_device_address;
using SetArgument = decltype(&khr::clSetKernelArgDevicePointerEXT);

class DeviceAddress : public testing::Test {
 protected:
  MemoryHolder make(std::vector<cl_mem_properties> properties, cl_mem_flags flags = 0,
                    void* pointer = nullptr, cl_int expected = CL_SUCCESS) {
    cl_int error = CL_INVALID_OPERATION;
    MemoryHolder buffer(clCreateBufferWithProperties(
        context, properties.empty() ? nullptr : properties.data(), flags, 1024, pointer, &error));
    EXPECT_EQ(error, expected);
    return buffer;
  }
  std::vector<Address> addresses(cl_mem buffer) {
    return infoList<Address>([&](size_t size, void* value, size_t* sizeRet) {
      return clGetMemObjectInfo(buffer, khr::kMemDeviceAddress, size, value, sizeRet);
    });
  }
  void expectNoAddress(cl_mem buffer) {
    Address address = 0;
    EXPECT_EQ(clGetMemObjectInfo(buffer, khr::kMemDeviceAddress, sizeof address, &address, nullptr),
              CL_INVALID_OPERATION);
  }

  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
  const SetArgument setPointer = extensionFunction<SetArgument>("clSetKernelArgDevicePointerEXT");
};

TEST_F(DeviceAddress, IsReported) {
  EXPECT_EQ(extensionVersion("cl_ext_buffer_device_address"), CL_MAKE_VERSION(1, 0, 2));
}

TEST_F(DeviceAddress, IsThatOfTheBytes) {
  const std::vector<cl_mem_properties> list = {khr::kMemDevicePrivateAddress, CL_TRUE, 0};
  const MemoryHolder buffer = make(list);
  const std::vector<Address> all = addresses(buffer);
  ASSERT_EQ(all.size(), 1u);  // one device
  EXPECT_EQ(infoList<cl_mem_properties>([&](size_t size, void* value, size_t* sizeRet) {
              return clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, size, value, sizeRet);
            }),
            list);
  void* const mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 1024, 0, nullptr,
                                          nullptr, nullptr);
  EXPECT_EQ(all[0], reinterpret_cast<uintptr_t>(mapped));
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr), CL_SUCCESS);

  const SvmArray<char> svm(context, 1024);
  const MemoryHolder over = make(list, CL_MEM_USE_HOST_PTR, svm.data());
  EXPECT_EQ(addresses(over), std::vector<Address>{reinterpret_cast<uintptr_t>(svm.data())});
}

TEST_F(DeviceAddress, IsOnlyForBuffersMadeWithIt) {
  expectNoAddress(make({}));
  expectNoAddress(make({0}));
  expectNoAddress(make({khr::kMemDevicePrivateAddress, CL_FALSE, 0}));
  make({khr::kMemDevicePrivateAddress, 2, 0}, 0, nullptr, CL_INVALID_PROPERTY);
  make({khr::kMemDevicePrivateAddress, CL_TRUE, khr::kMemDevicePrivateAddress, CL_TRUE, 0}, 0,
       nullptr, CL_INVALID_PROPERTY);
  make({khr::kMemDevicePrivateAddress, CL_TRUE, 0x1234, 1, 0}, 0, nullptr, CL_INVALID_PROPERTY);
}

TEST_F(DeviceAddress, KernelsTakeItAsAnArgument) {
  const ProgramHolder program =
      buildProgram(context,
                   "kernel void k(global int* p, local int* l, constant int* c, int v) {"
                   "  if (p) p[get_global_id(0)] = v; }");
  const KernelHolder kernel = makeKernel(program, "k");
  const MemoryHolder buffer = make({khr::kMemDevicePrivateAddress, CL_TRUE, 0});
  const Address base = addresses(buffer).front();
  EXPECT_EQ(setPointer(nullptr, 0, base), CL_INVALID_KERNEL);
  for (const cl_uint index : {1u, 2u, 3u, 4u})
    EXPECT_EQ(setPointer(kernel, index, base), CL_INVALID_ARG_INDEX) << index;
  EXPECT_EQ(clSetKernelArg(kernel, 1, 4, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 2, sizeof(cl_mem), nullptr), CL_SUCCESS);
  const size_t items = 4;
  const auto run = [&](Address address, cl_int value) {
    EXPECT_EQ(setPointer(kernel, 0, address), CL_SUCCESS);
    setArgument(kernel, 3, value);
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
        CL_SUCCESS);
  };
  run(base, 1);
  run(base + 16, 2);
  run(0, 3);
  EXPECT_EQ(readBuffer<cl_int>(queue, buffer, 8), (std::vector<cl_int>{1, 1, 1, 1, 2, 2, 2, 2}));
}

TEST_F(DeviceAddress, KernelsFollowIt) {
  const ProgramHolder program = buildProgram(context,
                                             "kernel void k(global ulong* a, global int* out) {"
                                             "  *out = *(global int*)*a; }");
  const KernelHolder kernel = makeKernel(program, "k");
  const MemoryHolder data = make({khr::kMemDevicePrivateAddress, CL_TRUE, 0});
  const cl_int seven = 7;
  EXPECT_EQ(clEnqueueFillBuffer(queue, data, &seven, 4, 0, 1024, 0, nullptr, nullptr), CL_SUCCESS);
  const Address inside = addresses(data).front() + 64;
  const MemoryHolder out = makeBuffer(context, std::vector<cl_int>(1));
  const MemoryHolder pointer = makeBuffer(context, std::vector<Address>{inside});
  setBuffer(kernel, 0, pointer);
  setBuffer(kernel, 1, out);
  const auto info = [&](size_t size, const void* value) {
    return clSetKernelExecInfo(kernel, khr::kKernelExecInfoDevicePointers, size, value);
  };
  EXPECT_EQ(info(sizeof inside, &inside), CL_SUCCESS);
  EXPECT_EQ(info(0, nullptr), CL_SUCCESS);
  EXPECT_EQ(info(7, &inside), CL_INVALID_VALUE);
  EXPECT_EQ(info(8, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueTask(queue, kernel, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(readBuffer<cl_int>(queue, out, 1)[0], 7);
}

}  // namespace
}  // namespace weft::test
