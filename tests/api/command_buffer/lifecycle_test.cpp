// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creating, querying, finalizing and enqueueing command buffers, with the errors of each.
#include "fixture.h"
#include "support/info_query.h"
#include "support/wait_list.h"

namespace weft::test {
namespace {

class Lifecycle : public CommandBufferTest {
 protected:
  InfoCall info(khr::cl_command_buffer buffer, khr::cl_command_buffer_info parameter) {
    return [=, this](size_t size, void* value, size_t* sizeRet) {
      return api.clGetCommandBufferInfoKHR(buffer, parameter, size, value, sizeRet);
    };
  }
  cl_int createError(cl_uint count, const cl_command_queue* queues, const Properties& properties) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(api.clCreateCommandBufferKHR(
                  count, queues, properties.empty() ? nullptr : properties.data(), &error),
              nullptr);
    return error;
  }
  cl_int createError(const Properties& properties) {
    const cl_command_queue handle = queue;
    return createError(1, &handle, properties);
  }
};

TEST_F(Lifecycle, TheDeviceTellsWhatItsCommandBuffersCanDo) {
  const auto ask = [](cl_device_info parameter) {
    cl_bitfield value = ~cl_bitfield{0};
    EXPECT_EQ(clGetDeviceInfo(device(), parameter, sizeof value, &value, nullptr), CL_SUCCESS);
    return value;
  };
  EXPECT_EQ(ask(khr::kDeviceCommandBufferCapabilities) &
                ~(khr::kCapabilityKernelPrintf | khr::kCapabilitySimultaneousUse |
                  khr::kCapabilityDeviceSideEnqueue),
            0u);
  EXPECT_EQ(ask(khr::kDeviceCommandBufferRequiredQueueProperties), 0u);
  EXPECT_EQ(ask(khr::kDeviceCommandBufferSupportedQueueProperties),
            cl_bitfield{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE});
  EXPECT_EQ(ask(khr::kDeviceMutableDispatchCapabilities), 31u);
}

TEST_F(Lifecycle, CreateErrors) {
  const cl_command_queue good = queue;
  const cl_command_queue two[] = {good, good};
  const auto wrong = reinterpret_cast<cl_command_queue>(context.get());
  const cl_command_queue null = nullptr;
  EXPECT_EQ(createError(0, &good, {}), CL_INVALID_VALUE);
  EXPECT_EQ(createError(2, two, {}), CL_INVALID_VALUE);
  EXPECT_EQ(createError(1, nullptr, {}), CL_INVALID_VALUE);
  EXPECT_EQ(createError(1, &null, {}), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(createError(1, &wrong, {}), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(createError({0x4711, 0, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(createError({khr::kCommandBufferFlags, 1u << 20, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(createError({khr::kCommandBufferMutableDispatchAsserts, 2, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(createError({khr::kCommandBufferFlags, 0, khr::kCommandBufferFlags, 0, 0}),
            CL_INVALID_VALUE);
  EXPECT_EQ(createError({khr::kCommandBufferFlags, khr::kDeviceSideSync, 0}), CL_INVALID_PROPERTY);
  EXPECT_EQ(api.clCreateCommandBufferKHR(0, nullptr, nullptr, nullptr), nullptr);
}

TEST_F(Lifecycle, EveryQueryAnswers) {
  const Properties properties{
      khr::kCommandBufferFlags, khr::kCommandBufferMutable | khr::kCommandBufferSimultaneousUse,
      khr::kCommandBufferMutableDispatchAsserts, khr::kAssertNoAdditionalWorkGroups, 0};
  const CommandBufferHolder buffer = make(properties);
  EXPECT_EQ(infoValue<cl_uint>(info(buffer, khr::kCommandBufferNumQueues)), 1u);
  EXPECT_EQ(infoList<cl_command_queue>(info(buffer, khr::kCommandBufferQueues)),
            std::vector<cl_command_queue>{queue.get()});
  EXPECT_EQ(infoValue<cl_uint>(info(buffer, khr::kCommandBufferReferenceCount)), 1u);
  EXPECT_EQ(infoValue<cl_uint>(info(buffer, khr::kCommandBufferState)), khr::kStateRecording);
  EXPECT_EQ(infoList<cl_properties>(info(buffer, khr::kCommandBufferPropertiesArray)), properties);
  EXPECT_EQ(infoValue<cl_context>(info(buffer, khr::kCommandBufferContext)), context.get());
  EXPECT_TRUE(infoList<cl_properties>(info(make(), khr::kCommandBufferPropertiesArray)).empty());

  EXPECT_EQ(api.clGetCommandBufferInfoKHR(buffer, 0x4711, 0, nullptr, nullptr), CL_INVALID_VALUE);
  for (const auto handle :
       {khr::cl_command_buffer{}, reinterpret_cast<khr::cl_command_buffer>(queue.get())})
    EXPECT_EQ(api.clGetCommandBufferInfoKHR(handle, khr::kCommandBufferState, 0, nullptr, nullptr),
              khr::kInvalidCommandBuffer);
}

TEST_F(Lifecycle, ReferencesAreCounted) {
  const CommandBufferHolder buffer = make();
  EXPECT_EQ(api.clRetainCommandBufferKHR(buffer), CL_SUCCESS);
  EXPECT_EQ(infoValue<cl_uint>(info(buffer, khr::kCommandBufferReferenceCount)), 2u);
  EXPECT_EQ(api.clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
  EXPECT_EQ(infoValue<cl_uint>(info(buffer, khr::kCommandBufferReferenceCount)), 1u);
  for (const auto handle :
       {khr::cl_command_buffer{}, reinterpret_cast<khr::cl_command_buffer>(queue.get())}) {
    EXPECT_EQ(api.clRetainCommandBufferKHR(handle), khr::kInvalidCommandBuffer);
    EXPECT_EQ(api.clReleaseCommandBufferKHR(handle), khr::kInvalidCommandBuffer);
    EXPECT_EQ(api.clFinalizeCommandBufferKHR(handle), khr::kInvalidCommandBuffer);
  }
}

TEST_F(Lifecycle, FinalizingEndsRecordingOnce) {
  const CommandBufferHolder buffer = make();
  EXPECT_EQ(state(buffer), khr::kStateRecording);
  EXPECT_EQ(replay(buffer), CL_INVALID_OPERATION);
  finalize(buffer);
  EXPECT_EQ(state(buffer), khr::kStateExecutable);
  EXPECT_EQ(api.clFinalizeCommandBufferKHR(buffer), CL_INVALID_OPERATION);
  EXPECT_EQ(replay(buffer), CL_SUCCESS) << "empty command buffers are fine";
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(Lifecycle, EnqueueErrors) {
  const CommandBufferHolder buffer = make();
  finalize(buffer);
  const ContextHolder otherContext = makeContext();
  const QueueHolder otherQueue = makeQueue(otherContext);
  cl_command_queue good = queue;
  cl_command_queue null = nullptr;
  cl_command_queue foreign = otherQueue;
  cl_command_queue two[] = {good, good};
  const auto enqueue = [&](cl_uint count, cl_command_queue* queues) {
    return api.clEnqueueCommandBufferKHR(count, queues, buffer, 0, nullptr, nullptr);
  };
  EXPECT_EQ(api.clEnqueueCommandBufferKHR(0, nullptr, nullptr, 0, nullptr, nullptr),
            khr::kInvalidCommandBuffer);
  EXPECT_EQ(enqueue(1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(0, &good), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(2, two), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(1, &null), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(enqueue(1, &foreign), CL_INVALID_CONTEXT);
  EXPECT_EQ(enqueue(1, &good), CL_SUCCESS);
}

TEST_F(Lifecycle, WaitListsAndEventsFollowTheRulesOfEveryCommand) {
  const CommandBufferHolder buffer = make();
  const MemoryHolder memory = zeros(4);
  fill(buffer, memory, 1, 16);
  finalize(buffer);
  const EnqueueCall call{
      "clEnqueueCommandBufferKHR", khr::kCommandCommandBuffer,
      [&](cl_command_queue on, cl_uint count, const cl_event* list, cl_event* event) {
        return api.clEnqueueCommandBufferKHR(1, &on, buffer, count, list, event);
      }};
  checkWaitListErrors(call, context, queue);
  checkWaitListOrder(call, context, queue);
}

TEST_F(Lifecycle, ACompatibleQueueMayReplaceTheRecordedOne) {
  const QueueHolder profiled =
      makeQueue(context, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const CommandBufferHolder buffer = make();
  const MemoryHolder memory = zeros(4);
  fill(buffer, memory, 7, 16);
  finalize(buffer);
  const EventHolder event = replayWithEvent(buffer, profiled);
  const cl_event handle = event;
  EXPECT_EQ(clWaitForEvents(1, &handle), CL_SUCCESS);
  EXPECT_EQ(read(memory, 4), std::vector<cl_int>(4, 7));
  cl_command_queue found = nullptr;
  EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof found, &found, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(found, profiled.get());
  cl_ulong last = 0;
  for (const cl_profiling_info stamp :
       {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
        CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE}) {
    cl_ulong time = 0;
    EXPECT_EQ(clGetEventProfilingInfo(event, stamp, sizeof time, &time, nullptr), CL_SUCCESS);
    EXPECT_GE(time, last);
    EXPECT_NE(time, 0u);
    last = time;
  }
}

TEST_F(Lifecycle, WithoutProfilingThereIsNone) {
  const CommandBufferHolder buffer = make();
  finalize(buffer);
  const EventHolder event = replayWithEvent(buffer);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  cl_ulong time = 0;
  EXPECT_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof time, &time, nullptr),
            CL_PROFILING_INFO_NOT_AVAILABLE);
}

}  // namespace
}  // namespace weft::test
