// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <vector>

#include "support/info_query.h"
#include "support/objects.h"
#include "support/wait_list.h"

namespace weft::test {
namespace {

class EventTest : public testing::Test {
 protected:
  template <class T>
  static T info(cl_event event, cl_event_info name) {
    return infoValue<T>([&](size_t size, void* value, size_t* sizeRet) {
      return clGetEventInfo(event, name, size, value, sizeRet);
    });
  }
  EventHolder marker(cl_command_queue on) {
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueMarkerWithWaitList(on, 0, nullptr, &event), CL_SUCCESS);
    return EventHolder(event);
  }

  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
};

constexpr cl_profiling_info kStamps[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                         CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END,
                                         CL_PROFILING_COMMAND_COMPLETE};

TEST_F(EventTest, HandlesOfOtherKindsAreRefused) {
  for (const cl_event wrong : {cl_event{nullptr}, reinterpret_cast<cl_event>(queue.get())}) {
    EXPECT_EQ(clRetainEvent(wrong), CL_INVALID_EVENT);
    EXPECT_EQ(clReleaseEvent(wrong), CL_INVALID_EVENT);
    EXPECT_EQ(clWaitForEvents(1, &wrong), CL_INVALID_EVENT);
    EXPECT_EQ(clSetUserEventStatus(wrong, CL_COMPLETE), CL_INVALID_EVENT);
    EXPECT_EQ(clGetEventInfo(wrong, CL_EVENT_CONTEXT, 0, nullptr, nullptr), CL_INVALID_EVENT);
    EXPECT_EQ(clGetEventProfilingInfo(wrong, CL_PROFILING_COMMAND_END, 0, nullptr, nullptr),
              CL_INVALID_EVENT);
    EXPECT_EQ(clSetEventCallback(
                  wrong, CL_COMPLETE, [](cl_event, cl_int, void*) {}, nullptr),
              CL_INVALID_EVENT);
  }
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateUserEvent(nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
}

TEST_F(EventTest, AnswersEveryQuery) {
  const EventHolder mark = marker(queue);
  EXPECT_EQ(info<cl_command_queue>(mark, CL_EVENT_COMMAND_QUEUE), queue.get());
  EXPECT_EQ(info<cl_context>(mark, CL_EVENT_CONTEXT), context.get());
  EXPECT_EQ(info<cl_command_type>(mark, CL_EVENT_COMMAND_TYPE), cl_command_type{CL_COMMAND_MARKER});
  EXPECT_EQ(info<cl_int>(mark, CL_EVENT_COMMAND_EXECUTION_STATUS), CL_COMPLETE);
  EXPECT_EQ(info<cl_uint>(mark, CL_EVENT_REFERENCE_COUNT), 1u);
  EXPECT_EQ(clGetEventInfo(mark, 0x8888, 0, nullptr, nullptr), CL_INVALID_VALUE);

  const EventHolder user = makeUserEvent(context);
  EXPECT_EQ(info<cl_command_queue>(user, CL_EVENT_COMMAND_QUEUE), nullptr);
  EXPECT_EQ(info<cl_context>(user, CL_EVENT_CONTEXT), context.get());
  EXPECT_EQ(info<cl_command_type>(user, CL_EVENT_COMMAND_TYPE), cl_command_type{CL_COMMAND_USER});
  EXPECT_EQ(info<cl_int>(user, CL_EVENT_COMMAND_EXECUTION_STATUS), CL_SUBMITTED);
}

TEST_F(EventTest, UserEventRules) {
  const EventHolder event = makeUserEvent(context);
  EXPECT_EQ(clSetUserEventStatus(event, CL_SUBMITTED), CL_INVALID_VALUE);
  EXPECT_EQ(clSetUserEventStatus(event, CL_RUNNING), CL_INVALID_VALUE);
  EXPECT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_OPERATION);
  EXPECT_EQ(clSetUserEventStatus(event, -1), CL_INVALID_OPERATION);
  EXPECT_EQ(executionStatus(event), CL_COMPLETE);
  const EventHolder mark = marker(queue);
  EXPECT_EQ(clSetUserEventStatus(mark, CL_COMPLETE), CL_INVALID_EVENT);
}

TEST_F(EventTest, WaitRules) {
  const EventHolder good = marker(queue);
  const ContextHolder other = makeContext();
  const EventHolder foreign = makeUserEvent(other);
  EXPECT_EQ(clSetUserEventStatus(foreign, CL_COMPLETE), CL_SUCCESS);
  const cl_event mixed[] = {good, foreign};
  const cl_event single[] = {good};
  EXPECT_EQ(clWaitForEvents(0, single), CL_INVALID_VALUE);
  EXPECT_EQ(clWaitForEvents(0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clWaitForEvents(1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clWaitForEvents(2, mixed), CL_INVALID_CONTEXT);
  EXPECT_EQ(clWaitForEvents(1, single), CL_SUCCESS);
  const EventHolder failed = makeUserEvent(context);
  EXPECT_EQ(clSetUserEventStatus(failed, -1), CL_SUCCESS);
  const cl_event both[] = {failed, good};
  EXPECT_EQ(clWaitForEvents(2, both), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST_F(EventTest, CallbackRules) {
  const EventHolder event = makeUserEvent(context);
  const auto callback = [](cl_event, cl_int, void*) {};
  EXPECT_EQ(clSetEventCallback(event, CL_COMPLETE, nullptr, nullptr), CL_INVALID_VALUE);
  for (const cl_int type : {CL_QUEUED, 4, -1, 100})
    EXPECT_EQ(clSetEventCallback(event, type, callback, nullptr), CL_INVALID_VALUE);
  for (const cl_int type : {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE})
    EXPECT_EQ(clSetEventCallback(event, type, callback, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
}

TEST_F(EventTest, ProfilingRules) {
  const QueueHolder profiled = makeQueue(context, CL_QUEUE_PROFILING_ENABLE);
  const EventHolder user = makeUserEvent(context);
  const cl_event waits[] = {user};
  const EventHolder without = marker(queue);
  cl_event handle = nullptr;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(profiled, 1, waits, &handle), CL_SUCCESS);
  const EventHolder waiting(handle);
  for (const cl_profiling_info name : kStamps)
    for (const cl_event event : {without.get(), waiting.get(), user.get()})
      EXPECT_EQ(clGetEventProfilingInfo(event, name, 0, nullptr, nullptr),
                CL_PROFILING_INFO_NOT_AVAILABLE);
  EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(profiled), CL_SUCCESS);
  cl_ulong previous = 0;
  for (const cl_profiling_info name : kStamps) {
    const auto time = infoValue<cl_ulong>([&](size_t size, void* value, size_t* sizeRet) {
      return clGetEventProfilingInfo(waiting, name, size, value, sizeRet);
    });
    EXPECT_GE(time, previous);
    previous = time;
  }
  EXPECT_EQ(clGetEventProfilingInfo(waiting, 0x1111, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_END, 0, nullptr, nullptr),
            CL_PROFILING_INFO_NOT_AVAILABLE);
}

// What has no work ends when it is ready, and is completed after that: all that one event sets free
// has ended before any of it is complete.
TEST_F(EventTest, EndAndCompletionAreApartWithoutWork) {
  const QueueHolder profiled =
      makeQueue(context, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const EventHolder user = makeUserEvent(context);
  const cl_event waits[] = {user};
  std::vector<EventHolder> marks;
  for (int i = 0; i < 2; ++i) {
    cl_event handle = nullptr;
    ASSERT_EQ(clEnqueueMarkerWithWaitList(profiled, 1, waits, &handle), CL_SUCCESS);
    marks.emplace_back(handle);
  }
  EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(profiled), CL_SUCCESS);
  cl_ulong ended = 0, completed = 0;
  EXPECT_EQ(
      clGetEventProfilingInfo(marks[1], CL_PROFILING_COMMAND_END, sizeof ended, &ended, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(clGetEventProfilingInfo(marks[0], CL_PROFILING_COMMAND_COMPLETE, sizeof completed,
                                    &completed, nullptr),
            CL_SUCCESS);
  EXPECT_LE(ended, completed);
}

TEST_F(EventTest, StampsAreOfTheHostTimersClock) {
  const QueueHolder profiled = makeQueue(context, CL_QUEUE_PROFILING_ENABLE);
  cl_ulong before = 0, after = 0, queued = 0, completed = 0;
  ASSERT_EQ(clGetHostTimer(device(), &before), CL_SUCCESS);
  const EventHolder mark = marker(profiled);
  ASSERT_EQ(clFinish(profiled), CL_SUCCESS);
  ASSERT_EQ(clGetHostTimer(device(), &after), CL_SUCCESS);
  EXPECT_EQ(
      clGetEventProfilingInfo(mark, CL_PROFILING_COMMAND_QUEUED, sizeof queued, &queued, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(clGetEventProfilingInfo(mark, CL_PROFILING_COMMAND_COMPLETE, sizeof completed,
                                    &completed, nullptr),
            CL_SUCCESS);
  EXPECT_LE(before, queued);
  EXPECT_LE(completed, after);
}

}  // namespace
}  // namespace weft::test
