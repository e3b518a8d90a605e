// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "support/objects.h"

/// The rules of wait lists and events that every enqueue function keeps.
namespace weft::test {

/// One enqueue function with all other arguments bound to valid ones.
struct EnqueueCall {
  std::string name;
  cl_command_type type;
  std::function<cl_int(cl_command_queue queue, cl_uint count, const cl_event* list,
                       cl_event* event)>
      enqueue;
};

inline cl_int executionStatus(cl_event event) {
  cl_int status = CL_QUEUED;
  EXPECT_EQ(
      clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
      CL_SUCCESS);
  return status;
}

inline EventHolder makeUserEvent(cl_context context) {
  cl_int error = CL_INVALID_VALUE;
  EventHolder event(clCreateUserEvent(context, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  return event;
}

/// Lists and queues that are wrong get the specification's codes.
inline void checkWaitListErrors(const EnqueueCall& call, cl_context context,
                                cl_command_queue queue) {
  SCOPED_TRACE(call.name);
  const EventHolder good = makeUserEvent(context);
  EXPECT_EQ(clSetUserEventStatus(good, CL_COMPLETE), CL_SUCCESS);
  const ContextHolder otherContext = makeContext();
  const EventHolder foreign = makeUserEvent(otherContext);
  const cl_event goodList[] = {good, good};
  const cl_event nullList[] = {good, nullptr};
  const cl_event wrongList[] = {reinterpret_cast<cl_event>(queue), good};
  const cl_event foreignList[] = {good, foreign};
  cl_event event = nullptr;

  EXPECT_EQ(call.enqueue(queue, 0, goodList, &event), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(call.enqueue(queue, 1, nullptr, &event), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(call.enqueue(queue, 2, nullList, &event), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(call.enqueue(queue, 2, wrongList, &event), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(call.enqueue(queue, 2, foreignList, &event), CL_INVALID_CONTEXT);
  EXPECT_EQ(call.enqueue(nullptr, 0, nullptr, &event), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(call.enqueue(reinterpret_cast<cl_command_queue>(context), 0, nullptr, &event),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(event, nullptr) << "an event of a call that failed";
}

/// The command waits for its list, gives a right event, and takes over a failure.
inline void checkWaitListOrder(const EnqueueCall& call, cl_context context,
                               cl_command_queue queue) {
  SCOPED_TRACE(call.name);
  const EventHolder first = makeUserEvent(context);
  const EventHolder second = makeUserEvent(context);
  const cl_event list[] = {first, second};
  cl_event handle = nullptr;
  ASSERT_EQ(call.enqueue(queue, 2, list, &handle), CL_SUCCESS);
  const EventHolder event(handle);
  cl_command_type type = 0;
  EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, call.type);
  EXPECT_EQ(clFlush(queue), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(second, CL_COMPLETE), CL_SUCCESS);
  EXPECT_GE(executionStatus(event), CL_SUBMITTED);
  EXPECT_EQ(clSetUserEventStatus(first, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &handle), CL_SUCCESS);
  EXPECT_EQ(executionStatus(event), CL_COMPLETE);

  const EventHolder failing = makeUserEvent(context);
  const cl_event failingList[] = {failing};
  cl_event failed = nullptr;
  ASSERT_EQ(call.enqueue(queue, 1, failingList, &failed), CL_SUCCESS);
  const EventHolder failedHolder(failed);
  EXPECT_EQ(clSetUserEventStatus(failing, -42), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &failed), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(executionStatus(failed), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);

  // Without a list and without an event.
  EXPECT_EQ(call.enqueue(queue, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

}  // namespace weft::test
