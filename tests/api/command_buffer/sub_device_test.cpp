// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replays on sub-devices, which live no longer than what uses them.
#include <array>
#include <chrono>

#include "fixture.h"

namespace weft::test {
namespace {

using DeviceHolder = Holder<cl_device_id, clReleaseDevice>;

class SubDeviceStressTest : public testing::Test {
 protected:
  static constexpr size_t kSteps = 16;

  const CommandBufferApi& api = commandBufferApi();

  static DeviceHolder makeSubDevice() {
    constexpr cl_device_partition_property kTwoUnits[] = {
        CL_DEVICE_PARTITION_BY_COUNTS, 2, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    cl_device_id made = nullptr;
    cl_uint count = 0;
    EXPECT_EQ(clCreateSubDevices(device(), kTwoUnits, 1, &made, &count), CL_SUCCESS);
    return DeviceHolder(made);
  }

  /// Steps that depend on nothing and hold no memory object, and through it the context.
  CommandBufferHolder record(cl_command_queue queue, void* memory) const {
    cl_int error = CL_INVALID_VALUE;
    CommandBufferHolder buffer(api.clCreateCommandBufferKHR(1, &queue, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    for (cl_int i = 0; i < static_cast<cl_int>(kSteps); ++i)
      EXPECT_EQ(
          api.clCommandSVMMemFillKHR(buffer, nullptr, nullptr, static_cast<cl_int*>(memory) + i, &i,
                                     sizeof i, sizeof i, 0, nullptr, nullptr, nullptr),
          CL_SUCCESS);
    EXPECT_EQ(api.clFinalizeCommandBufferKHR(buffer), CL_SUCCESS);
    return buffer;
  }

  void replayOnce() const {
    DeviceHolder part = makeSubDevice();
    const cl_device_id devices[] = {part};
    cl_int error = CL_INVALID_VALUE;
    ContextHolder context(clCreateContext(nullptr, 1, devices, nullptr, nullptr, &error));
    ASSERT_EQ(error, CL_SUCCESS);
    part.reset();
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                        0};
    QueueHolder queue(clCreateCommandQueueWithProperties(context, devices[0], list, &error));
    ASSERT_EQ(error, CL_SUCCESS);
    void* const memory =
        clSVMAlloc(context, CL_MEM_READ_WRITE, kSteps * sizeof(cl_int), alignof(cl_int));
    ASSERT_NE(memory, nullptr);
    CommandBufferHolder buffer = record(queue, memory);
    ASSERT_EQ(api.clEnqueueCommandBufferKHR(0, nullptr, buffer, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clFinish(queue), CL_SUCCESS);
    for (cl_int i = 0; i < static_cast<cl_int>(kSteps); ++i)
      ASSERT_EQ(static_cast<cl_int*>(memory)[i], i);
    clSVMFree(context, memory);
    buffer.reset();
    queue.reset();
    context.reset();
  }
};

// A thread that joins a replay may come when the command is complete and everything released.
TEST_F(SubDeviceStressTest, EverythingIsReleasedRightAfterTheReplay) {
  cl_uint units = 0;
  ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr),
            CL_SUCCESS);
  if (units < 2) GTEST_SKIP() << "there is one compute unit";
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  for (int round = 0; round < 20'000 && std::chrono::steady_clock::now() < end; ++round) {
    replayOnce();
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace weft::test
