// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Termination of a context while commands are in each of their states.
#include <CL/cl_ext.h>

#include "graph_fixture.h"

namespace weft::test {
namespace {

class GraphTerminateTest : public GraphTest {
 protected:
  void SetUp() override {
    GraphTest::SetUp();
    const cl_context_properties list[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
    const cl_device_id only = device();
    context = ContextHolder(clCreateContext(list, 1, &only, nullptr, nullptr, nullptr));
    ASSERT_NE(context.get(), nullptr);
  }
};

TEST_F(GraphTerminateTest, WhatTheExecutorHasNotBegunNeverRuns) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  const EventHolder lazy = enqueueWithEvent(queue, 'a');
  EXPECT_EQ(fake::executor().lazy(), 1u);
  EXPECT_EQ(clTerminateContextKHR(context), CL_SUCCESS);
  EXPECT_EQ(status(lazy), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(fake::executor().lazy() + fake::executor().urgent(), 0u);
  EXPECT_EQ(journal.names(), "");
}

TEST_F(GraphTerminateTest, InOrderCommandsEndBeforeWhatRunsAheadOfThem) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  // The first command terminates its own context while it runs.
  struct Job {
    cl_context context;
    Journal* journal;
  } job{context, &journal};
  cl_event first = nullptr;
  ASSERT_EQ(clEnqueueNativeKernel(
                queue,
                [](void* arguments) {
                  auto* const job = static_cast<Job*>(arguments);
                  EXPECT_EQ(clTerminateContextKHR(job->context), CL_SUCCESS);
                  job->journal->add('1');
                },
                &job, sizeof job, 0, nullptr, nullptr, 0, nullptr, &first),
            CL_SUCCESS);
  const EventHolder running(first);
  const EventHolder second = enqueueWithEvent(queue, '2');
  const EventHolder third = marker(queue);
  fake::executor().runAll();
  EXPECT_EQ(journal.names(), "1");
  for (const EventHolder* event : {&running, &second, &third})
    EXPECT_EQ(status(*event), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(GraphTerminateTest, UserEventsOutliveWhatWaitedForThem) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  const EventHolder gate = userEvent();
  const EventHolder other = userEvent();
  const EventHolder a = enqueueWithEvent(queue, 'a', {gate, other});
  const EventHolder b = enqueueWithEvent(queue, 'b', {a, gate});
  EXPECT_EQ(clTerminateContextKHR(context), CL_SUCCESS);
  for (const EventHolder* event : {&a, &b}) EXPECT_EQ(status(*event), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(status(gate), CL_SUBMITTED);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(status(gate), CL_COMPLETE);
  const cl_event unset = other;
  EXPECT_EQ(clWaitForEvents(1, &unset), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(clSetUserEventStatus(other, -1), CL_SUCCESS);
}

}  // namespace
}  // namespace weft::test
