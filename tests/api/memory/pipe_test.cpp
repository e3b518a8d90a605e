// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <numeric>
#include <vector>

#include "support/objects.h"
#include "support/programs.h"
#include "weft/khr/immutable_memory.h"

namespace weft::test {
namespace {

class PipeTest : public testing::Test {
 protected:
  MemoryHolder make(cl_uint packet, cl_uint packets, cl_mem_flags flags = 0,
                    cl_int expected = CL_SUCCESS) {
    cl_int error = CL_INVALID_VALUE;
    MemoryHolder pipe(clCreatePipe(context, flags, packet, packets, nullptr, &error));
    EXPECT_EQ(error, expected);
    EXPECT_EQ(pipe.get() != nullptr, expected == CL_SUCCESS);
    return pipe;
  }
  template <class T>
  T memoryInfo(cl_mem object, cl_mem_info name) {
    T value{};
    EXPECT_EQ(clGetMemObjectInfo(object, name, sizeof value, &value, nullptr), CL_SUCCESS);
    return value;
  }

  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
};

TEST_F(PipeTest, TellsWhatItIs) {
  MemoryHolder pipe = make(12, 100, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS);
  cl_uint number = 0;
  size_t size = 0;
  EXPECT_EQ(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof number, &number, &size), CL_SUCCESS);
  EXPECT_EQ(number, 12u);
  EXPECT_EQ(size, sizeof number);
  EXPECT_EQ(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof number, &number, nullptr), CL_SUCCESS);
  EXPECT_EQ(number, 100u);
  EXPECT_EQ(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, nullptr, &size), CL_SUCCESS);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, 1, &number, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPipeInfo(pipe, CL_MEM_SIZE, sizeof number, &number, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(memoryInfo<cl_mem_object_type>(pipe, CL_MEM_TYPE), cl_uint{CL_MEM_OBJECT_PIPE});
  EXPECT_EQ(memoryInfo<cl_mem_flags>(pipe, CL_MEM_FLAGS),
            cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS});
  EXPECT_GE(memoryInfo<size_t>(pipe, CL_MEM_SIZE), 1200u);
  EXPECT_EQ(memoryInfo<cl_mem>(pipe, CL_MEM_ASSOCIATED_MEMOBJECT), nullptr);
  EXPECT_EQ(memoryInfo<cl_context>(pipe, CL_MEM_CONTEXT), context.get());
}

TEST_F(PipeTest, SizesThatCannotBe) {
  cl_uint most = 0;
  ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof most, &most, nullptr),
            CL_SUCCESS);
  make(most, 3);
  make(most + 1, 3, 0, CL_INVALID_PIPE_SIZE);
  make(0, 3, 0, CL_INVALID_PIPE_SIZE);
  make(4, 0, 0, CL_INVALID_PIPE_SIZE);
  make(1, 0x80000000, 0, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  make(most, 0x7fffffff, 0, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  for (const cl_mem_flags flags :
       {cl_mem_flags{CL_MEM_READ_ONLY}, cl_mem_flags{CL_MEM_HOST_READ_ONLY}, khr::kMemImmutable})
    make(4, 4, flags, CL_INVALID_VALUE);
  const cl_pipe_properties none[] = {0};
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreatePipe(context, 0, 4, 16, none, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreatePipe(nullptr, 0, 4, 16, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
}

TEST_F(PipeTest, IsNoBuffer) {
  MemoryHolder pipe = make(4, 16);
  cl_int error = CL_SUCCESS;
  MemoryHolder buffer(clCreateBuffer(context, 0, 64, nullptr, &error));
  EXPECT_EQ(clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  int number = 0;
  EXPECT_EQ(clEnqueueReadBuffer(queue, pipe, CL_TRUE, 0, 4, &number, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueWriteBuffer(queue, pipe, CL_TRUE, 0, 4, &number, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, pipe, buffer, 0, 0, 4, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueFillBuffer(queue, pipe, &number, 4, 0, 4, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(
      clEnqueueMapBuffer(queue, pipe, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &error),
      nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
  const cl_buffer_region region{0, 16};
  EXPECT_EQ(clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
}

constexpr const char* kSource = R"(
  kernel void put(write_only pipe int out, global const int* in, global int* failures) {
    if (write_pipe(out, &in[get_global_id(0)]) != 0) atomic_inc(failures);
  }
  kernel void get(read_only pipe int in, global int* out, global int* failures) {
    if (read_pipe(in, &out[get_global_id(0)]) != 0) atomic_inc(failures);
  })";

TEST_F(PipeTest, IsAnArgumentOfItsOwnKind) {
  const ProgramHolder program = buildProgram(context, kSource, "-cl-std=CL3.0 -cl-kernel-arg-info");
  const KernelHolder kernel(clCreateKernel(program, "put", nullptr));
  MemoryHolder pipe = make(4, 16);
  cl_int error = CL_SUCCESS;
  MemoryHolder buffer(clCreateBuffer(context, 0, 64, nullptr, &error));
  const cl_mem none = nullptr;
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &pipe), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 0, 4, &pipe), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &none), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof(cl_mem), &pipe), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 0, &error), CL_INVALID_ARG_VALUE);
  const ContextHolder other = makeContext();
  MemoryHolder foreign(clCreatePipe(other, 0, 4, 16, nullptr, &error));
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &foreign), CL_INVALID_CONTEXT);
  cl_kernel_arg_type_qualifier qualifier = 0;
  EXPECT_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier,
                               &qualifier, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(qualifier, cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_PIPE});
  cl_kernel_arg_access_qualifier access = 0;
  EXPECT_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access,
                               nullptr),
            CL_SUCCESS);
  EXPECT_EQ(access, cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_WRITE_ONLY});
}

TEST_F(PipeTest, CarriesPacketsFromKernelToKernel) {
  const ProgramHolder program = buildProgram(context, kSource, "-cl-std=CL3.0");
  const KernelHolder put(clCreateKernel(program, "put", nullptr));
  const KernelHolder get(clCreateKernel(program, "get", nullptr));
  constexpr size_t kCount = 100000;
  MemoryHolder pipe = make(4, kCount + 7);
  std::vector<int> in(kCount), out(kCount);
  std::iota(in.begin(), in.end(), 5);
  int failures = 0;
  cl_int error = CL_SUCCESS;
  MemoryHolder from(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4 * kCount, in.data(), &error));
  MemoryHolder to(clCreateBuffer(context, 0, 4 * kCount, nullptr, &error));
  MemoryHolder count(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, &failures, &error));
  EXPECT_EQ(clSetKernelArg(put, 0, sizeof(cl_mem), &pipe), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(put, 1, sizeof(cl_mem), &from), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(put, 2, sizeof(cl_mem), &count), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(get, 0, sizeof(cl_mem), &pipe), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(get, 1, sizeof(cl_mem), &to), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(get, 2, sizeof(cl_mem), &count), CL_SUCCESS);
  for (int turn = 0; turn < 5; ++turn) {
    for (const cl_kernel kernel : {put.get(), get.get()})
      EXPECT_EQ(
          clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr),
          CL_SUCCESS);
    if (turn == 4) pipe.reset();  // commands hold it
    EXPECT_EQ(
        clEnqueueReadBuffer(queue, to, CL_TRUE, 0, 4 * kCount, out.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    std::ranges::sort(out);
    EXPECT_EQ(out, in);
  }
  EXPECT_EQ(clEnqueueReadBuffer(queue, count, CL_TRUE, 0, 4, &failures, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(failures, 0);
}

}  // namespace
}  // namespace weft::test
