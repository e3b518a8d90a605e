// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of OpenCL 3.0 with one right handle and null or zero for everything else: an error
// of its table and a process that lives. Null handles are in wrong_handles_test.cpp.
#include <vector>

#include "support/programs.h"
#include "support/wait_list.h"

namespace weft::test {
namespace {

struct Row {
  const char* call;
  cl_int code;
  cl_int expected;
};

#define WEFT_ROW(expected, call) \
  Row { #call, call, expected }
/// For calls that give an object or a pointer through `error`.
#define WEFT_MAKE(expected, call)      \
  Row {                                \
    #call,                             \
        [&] {                          \
          cl_int code = CL_SUCCESS;    \
          cl_int* const error = &code; \
          EXPECT_FALSE(call) << #call; \
          return code;                 \
        }(),                           \
        expected                       \
  }

class EmptyArgumentsTest : public testing::Test {
 protected:
  static void check(const std::vector<Row>& rows) {
    for (const Row& row : rows) EXPECT_EQ(row.code, row.expected) << row.call;
  }

  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
  MemoryHolder memory{clCreateBuffer(context, 0, 1024, nullptr, nullptr)};
  ProgramHolder program = buildProgram(context, "kernel void k(global int* p, int i) {}");
  KernelHolder kernel = makeKernel(program, "k");
  EventHolder event = makeUserEvent(context);
};

TEST_F(EmptyArgumentsTest, PlatformDeviceContext) {
  check({
      WEFT_ROW(CL_INVALID_VALUE, clGetPlatformIDs(0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clGetPlatformInfo(platform(), 0, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform(), 0, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE,
               clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clGetDeviceInfo(device(), 0, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clCreateSubDevices(device(), nullptr, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device(), nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clGetHostTimer(device(), nullptr)),
      WEFT_MAKE(CL_INVALID_VALUE, clCreateContext(nullptr, 0, nullptr, nullptr, nullptr, error)),
      WEFT_MAKE(CL_INVALID_DEVICE_TYPE,
                clCreateContextFromType(nullptr, 0, nullptr, nullptr, error)),
      WEFT_ROW(CL_INVALID_VALUE, clGetContextInfo(context, 0, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clSetContextDestructorCallback(context, nullptr, nullptr)),
      WEFT_MAKE(CL_INVALID_DEVICE, clCreateCommandQueue(context, nullptr, 0, error)),
      WEFT_MAKE(CL_INVALID_DEVICE,
                clCreateCommandQueueWithProperties(context, nullptr, nullptr, error)),
      WEFT_ROW(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, 0, 0, nullptr, nullptr)),
  });
  EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(platform(), nullptr), nullptr);
  EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(platform(), ""), nullptr);
  EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(nullptr, "clEnqueueTask"), nullptr);
  EXPECT_EQ(clGetExtensionFunctionAddress(nullptr), nullptr);
  EXPECT_EQ(clUnloadCompiler(), CL_SUCCESS);
}

TEST_F(EmptyArgumentsTest, MemoryObjects) {
  check({
      WEFT_MAKE(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, 0, nullptr, error)),
      WEFT_MAKE(CL_INVALID_BUFFER_SIZE,
                clCreateBufferWithProperties(context, nullptr, 0, 0, nullptr, error)),
      WEFT_MAKE(CL_INVALID_VALUE, clCreateSubBuffer(memory, 0, 0, nullptr, error)),
      WEFT_MAKE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                clCreateImage(context, 0, nullptr, nullptr, nullptr, error)),
      WEFT_MAKE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                clCreateImageWithProperties(context, nullptr, 0, nullptr, nullptr, nullptr, error)),
      WEFT_MAKE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                clCreateImage2D(context, 0, nullptr, 0, 0, 0, nullptr, error)),
      WEFT_MAKE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                clCreateImage3D(context, 0, nullptr, 0, 0, 0, 0, 0, nullptr, error)),
      WEFT_ROW(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 0, 0, 0, nullptr, nullptr)),
      WEFT_MAKE(CL_INVALID_PIPE_SIZE, clCreatePipe(context, 0, 0, 0, nullptr, error)),
      WEFT_MAKE(CL_INVALID_VALUE, clCreateSampler(context, 0, 0, 0, error)),
      WEFT_ROW(CL_INVALID_VALUE, clGetMemObjectInfo(memory, 0, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(memory, nullptr, nullptr)),
  });
  EXPECT_EQ(clSVMAlloc(context, 0, 0, 0), nullptr);
  clSVMFree(context, nullptr);
  clSVMFree(nullptr, nullptr);
}

TEST_F(EmptyArgumentsTest, BufferCommands) {
  check({
      WEFT_ROW(CL_INVALID_VALUE,
               clEnqueueReadBuffer(queue, memory, 0, 0, 0, nullptr, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE,
               clEnqueueWriteBuffer(queue, memory, 0, 0, 0, nullptr, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE,
               clEnqueueReadBufferRect(queue, memory, 0, nullptr, nullptr, nullptr, 0, 0, 0, 0,
                                       nullptr, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE,
               clEnqueueWriteBufferRect(queue, memory, 0, nullptr, nullptr, nullptr, 0, 0, 0, 0,
                                        nullptr, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_MEM_OBJECT,
               clEnqueueCopyBuffer(queue, memory, nullptr, 0, 0, 0, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clEnqueueCopyBufferRect(queue, memory, memory, nullptr, nullptr,
                                                         nullptr, 0, 0, 0, 0, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE,
               clEnqueueFillBuffer(queue, memory, nullptr, 0, 0, 0, 0, nullptr, nullptr)),
      WEFT_MAKE(CL_INVALID_VALUE,
                clEnqueueMapBuffer(queue, memory, 0, 0, 0, 0, 0, nullptr, nullptr, error)),
      WEFT_ROW(CL_INVALID_VALUE,
               clEnqueueUnmapMemObject(queue, memory, nullptr, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE,
               clEnqueueMigrateMemObjects(queue, 0, nullptr, 0, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_MEM_OBJECT, clEnqueueReadImage(queue, nullptr, 0, nullptr, nullptr, 0, 0,
                                                         nullptr, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_MEM_OBJECT,
               clEnqueueFillImage(queue, nullptr, nullptr, nullptr, nullptr, 0, nullptr, nullptr)),
  });
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(EmptyArgumentsTest, Programs) {
  check({
      WEFT_MAKE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 0, nullptr, nullptr, error)),
      WEFT_MAKE(CL_INVALID_VALUE,
                clCreateProgramWithBinary(context, 0, nullptr, nullptr, nullptr, nullptr, error)),
      WEFT_MAKE(CL_INVALID_VALUE,
                clCreateProgramWithBuiltInKernels(context, 0, nullptr, nullptr, error)),
      WEFT_ROW(CL_INVALID_VALUE, clGetProgramInfo(program, 0, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_DEVICE, clGetProgramBuildInfo(program, nullptr, 0, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clGetProgramBuildInfo(program, device(), 0, 0, nullptr, nullptr)),
      WEFT_MAKE(CL_INVALID_VALUE, clCreateKernel(program, nullptr, error)),
      WEFT_MAKE(CL_INVALID_VALUE,
                clLinkProgram(context, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, error)),
  });
}

TEST_F(EmptyArgumentsTest, Kernels) {
  check({
      WEFT_ROW(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 0, nullptr)),
      WEFT_ROW(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 1, 0, nullptr)),
      WEFT_ROW(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 1, sizeof(cl_int), nullptr)),
      WEFT_ROW(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 2, sizeof(cl_int), nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, 0, 0, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clGetKernelInfo(kernel, 0, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, 0, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_ARG_INDEX,
               clGetKernelArgInfo(kernel, 9, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, nullptr, 0, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_WORK_DIMENSION, clEnqueueNDRangeKernel(queue, kernel, 0, nullptr, nullptr,
                                                                 nullptr, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, kernel, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, nullptr, nullptr, 0, 0, nullptr,
                                                       nullptr, 0, nullptr, nullptr)),
  });
}

TEST_F(EmptyArgumentsTest, Events) {
  check({
      WEFT_ROW(CL_INVALID_VALUE, clWaitForEvents(0, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clGetEventInfo(event, 0, 0, nullptr, nullptr)),
      WEFT_ROW(CL_PROFILING_INFO_NOT_AVAILABLE,
               clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clSetUserEventStatus(event, 1)),
      WEFT_ROW(CL_INVALID_VALUE, clSetEventCallback(event, CL_COMPLETE, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clEnqueueMarker(queue, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue, 0, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE,
               clEnqueueSVMFree(queue, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr)),
      WEFT_ROW(CL_INVALID_VALUE,
               clEnqueueSVMMigrateMem(queue, 0, nullptr, nullptr, 0, 0, nullptr, nullptr)),
  });
  EXPECT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_OPERATION);
}

#undef WEFT_ROW
#undef WEFT_MAKE

}  // namespace
}  // namespace weft::test
