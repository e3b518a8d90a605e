// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "support/programs.h"

namespace weft::test {

/// A queue on the device; the default one unless `isDefault` is false. No size: the preferred one.
inline QueueHolder makeDeviceQueue(cl_context context, cl_uint size = 0, bool isDefault = true) {
  const cl_queue_properties bits = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                   (isDefault ? CL_QUEUE_ON_DEVICE_DEFAULT : 0);
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits,
                                      static_cast<cl_queue_properties>(size ? CL_QUEUE_SIZE : 0),
                                      size, 0};
  cl_int error = CL_INVALID_VALUE;
  QueueHolder queue(clCreateCommandQueueWithProperties(context, device(), list, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  return queue;
}

/// Runs kernels that enqueue others over a buffer of ints.
class DeviceEnqueueTest : public testing::Test {
 protected:
  /// Builds `source`, runs `kernel(global int*)` over the range, and gives the buffer's contents
  /// when that has ended with `expected`.
  std::vector<cl_int> run(const std::string& source, const char* name, size_t global, size_t local,
                          std::vector<cl_int> data, cl_int expected = CL_COMPLETE,
                          const char* options = "-cl-std=CL3.0") {
    const ProgramHolder program = buildProgram(context, source, options);
    const KernelHolder kernel = makeKernel(program, name);
    return runKernel(kernel, global, local, std::move(data), expected);
  }
  std::vector<cl_int> runKernel(cl_kernel kernel, size_t global, size_t local,
                                std::vector<cl_int> data, cl_int expected = CL_COMPLETE) {
    const MemoryHolder buffer = makeBuffer(context, data);
    setBuffer(kernel, 0, buffer);
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, local ? &local : nullptr,
                                     0, nullptr, &event),
              CL_SUCCESS);
    const EventHolder holder(event);
    EXPECT_EQ(clWaitForEvents(1, &event),
              expected == CL_COMPLETE ? CL_SUCCESS : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    cl_int status = 1;
    EXPECT_EQ(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(status, expected);
    return readBuffer<cl_int>(queue, buffer, data.size());
  }

  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context, CL_QUEUE_PROFILING_ENABLE);
  QueueHolder onDevice = makeDeviceQueue(context);
};

}  // namespace weft::test
