// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues on the device, as the host sees them.
#include "fixture.h"
#include "weft/khr/command_buffer.h"

namespace weft::test {
namespace {

cl_int codeOf(cl_context context, std::vector<cl_queue_properties> list) {
  cl_int error = CL_SUCCESS;
  list.push_back(0);
  QueueHolder queue(clCreateCommandQueueWithProperties(context, device(), list.data(), &error));
  EXPECT_EQ(queue.get() != nullptr, error == CL_SUCCESS);
  return error;
}

constexpr cl_queue_properties kOnDevice =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

template <class T>
T info(cl_command_queue queue, cl_command_queue_info name) {
  T value{};
  EXPECT_EQ(clGetCommandQueueInfo(queue, name, sizeof value, &value, nullptr), CL_SUCCESS);
  return value;
}

TEST(DeviceQueue, Properties) {
  const ContextHolder context = makeContext();
  cl_uint most = 0;
  ASSERT_EQ(
      clGetDeviceInfo(device(), CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, sizeof most, &most, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(codeOf(context, {CL_QUEUE_PROPERTIES, kOnDevice}), CL_SUCCESS);
  EXPECT_EQ(codeOf(context, {CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_PROFILING_ENABLE}),
            CL_SUCCESS);
  EXPECT_EQ(codeOf(context, {CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, most}), CL_SUCCESS);
  EXPECT_EQ(codeOf(context, {CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, most + 1ull}),
            CL_INVALID_QUEUE_PROPERTIES);
  EXPECT_EQ(codeOf(context, {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE}), CL_INVALID_VALUE);
  EXPECT_EQ(codeOf(context, {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT}), CL_INVALID_VALUE);
  EXPECT_EQ(codeOf(context, {CL_QUEUE_SIZE, 1024}), CL_INVALID_VALUE);
}

TEST(DeviceQueue, TellsItsSize) {
  const ContextHolder context = makeContext();
  const QueueHolder host = makeQueue(context);
  const QueueHolder queue = makeDeviceQueue(context, 65536, false);
  EXPECT_EQ(info<cl_uint>(queue, CL_QUEUE_SIZE), 65536u);
  cl_uint size = 0;
  EXPECT_EQ(clGetCommandQueueInfo(host, CL_QUEUE_SIZE, sizeof size, &size, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(info<cl_command_queue_properties>(queue, CL_QUEUE_PROPERTIES), kOnDevice);
}

TEST(DeviceQueue, ThereIsOneDefault) {
  const ContextHolder context = makeContext();
  const QueueHolder host = makeQueue(context);
  EXPECT_EQ(info<cl_command_queue>(host, CL_QUEUE_DEVICE_DEFAULT), nullptr);
  QueueHolder first = makeDeviceQueue(context);
  EXPECT_EQ(info<cl_command_queue>(host, CL_QUEUE_DEVICE_DEFAULT), first.get());
  EXPECT_EQ(info<cl_uint>(first, CL_QUEUE_REFERENCE_COUNT), 1u);
  QueueHolder again = makeDeviceQueue(context);
  EXPECT_EQ(again.get(), first.get());
  EXPECT_EQ(info<cl_uint>(first, CL_QUEUE_REFERENCE_COUNT), 2u);
  again.reset();
  const QueueHolder other = makeDeviceQueue(context, 0, false);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context, device(), other), CL_SUCCESS);
  EXPECT_EQ(info<cl_command_queue>(host, CL_QUEUE_DEVICE_DEFAULT), other.get());
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context, device(), host), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context, device(), nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(nullptr, device(), other), CL_INVALID_CONTEXT);
  const ContextHolder elsewhere = makeContext();
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(elsewhere, device(), other), CL_INVALID_COMMAND_QUEUE);
}

TEST(DeviceQueue, TakesNoCommandsOfTheHost) {
  const ContextHolder context = makeContext();
  const QueueHolder queue = makeDeviceQueue(context);
  const MemoryHolder buffer = makeBuffer(context, std::vector<cl_int>(4, 0));
  int number = 0;
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &number, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clFinish(queue), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clFlush(queue), CL_INVALID_COMMAND_QUEUE);
}

TEST(DeviceQueue, AsArguments) {
  const ContextHolder context = makeContext();
  const QueueHolder host = makeQueue(context);
  const QueueHolder queue = makeDeviceQueue(context);
  const ProgramHolder program = buildProgram(context, R"(
    kernel void k(global int* out, queue_t q) {
      enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[0] = 1; });
    })",
                                             "-cl-std=CL3.0");
  const KernelHolder kernel = makeKernel(program, "k");
  const cl_command_queue none = nullptr, wrong = host;
  EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof none, &none), CL_INVALID_DEVICE_QUEUE);
  EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof none, nullptr), CL_INVALID_DEVICE_QUEUE);
  EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof wrong, &wrong), CL_INVALID_DEVICE_QUEUE);
  EXPECT_EQ(clSetKernelArg(kernel, 1, 4, &queue), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof none, &queue), CL_SUCCESS);
}

}  // namespace
}  // namespace weft::test
