// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a waiting thread runs itself, what is handed to workers, and when.
#include <chrono>
#include <thread>

#include "graph_fixture.h"

namespace weft::test {
namespace {

using WaitingTest = GraphTest;

TEST_F(WaitingTest, FinishRunsAnInOrderQueueOnTheCaller) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  for (const char name : {'a', 'b', 'c'}) enqueue(queue, name);
  const size_t before = fake::executor().helped();
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(journal.names(), "abc");
  EXPECT_EQ(fake::executor().helped() - before, 3u);
}

TEST_F(WaitingTest, FinishRunsAnOutOfOrderQueueAndOffersTheRest) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  const EventHolder a = enqueueWithEvent(queue, 'a');
  enqueue(queue, 'b', {a});
  enqueue(queue, 'c');
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(journal.names().size(), 3u);
}

TEST_F(WaitingTest, WaitHelpsWithWhatItWaitsForOnly) {
  const QueueHolder first = makeQueue(context, kInOrder);
  const QueueHolder second = makeQueue(context, kInOrder);
  const EventHolder a = enqueueWithEvent(first, 'a');
  const EventHolder b = enqueueWithEvent(first, 'b');
  const EventHolder c = enqueueWithEvent(second, 'c');
  enqueue(first, 'd');
  const cl_event waited = b;
  EXPECT_EQ(clWaitForEvents(1, &waited), CL_SUCCESS);
  EXPECT_EQ(journal.names(), "ab");
  EXPECT_EQ(status(c), CL_SUBMITTED);
}

TEST_F(WaitingTest, WaitFollowsDependenciesAcrossQueues) {
  const QueueHolder first = makeQueue(context, kInOrder);
  const QueueHolder second = makeQueue(context, kOutOfOrder);
  enqueue(first, 'a');
  const EventHolder b = enqueueWithEvent(first, 'b');
  const EventHolder c = enqueueWithEvent(second, 'c', {b});
  const EventHolder d = enqueueWithEvent(second, 'd', {c});
  const size_t before = fake::executor().helped();
  const cl_event waited = d;
  EXPECT_EQ(clWaitForEvents(1, &waited), CL_SUCCESS);
  EXPECT_EQ(journal.names(), "abcd");
  EXPECT_EQ(fake::executor().helped() - before, 4u);
}

TEST_F(WaitingTest, WaitForTheEndOfALongChainIsLinear) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  constexpr size_t kLength = 200'000;
  EventHolder last = enqueueWithEvent(queue, 'a');
  for (size_t i = 1; i < kLength; ++i) last = enqueueWithEvent(queue, 'a', {last});
  const cl_event waited = last;
  EXPECT_EQ(clWaitForEvents(1, &waited), CL_SUCCESS);
  EXPECT_EQ(journal.names().size(), kLength);
}

TEST_F(WaitingTest, BlockingReadBringsItsQueueAlong) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  const MemoryHolder buffer(clCreateBuffer(context, 0, 16, nullptr, nullptr));
  enqueue(queue, 'a');
  const int value = 42;
  EXPECT_EQ(
      clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof value, &value, 0, nullptr, nullptr),
      CL_SUCCESS);
  int read = 0;
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof read, &read, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(journal.names(), "a");
  EXPECT_EQ(read, 42);
}

TEST_F(WaitingTest, SmallTransfersOfAnIdleQueueNeedNoJob) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  const MemoryHolder buffer(clCreateBuffer(context, 0, 16, nullptr, nullptr));
  const size_t before = fake::executor().helped();
  const int value = 42;
  cl_event event = nullptr;
  EXPECT_EQ(
      clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof value, &value, 0, nullptr, &event),
      CL_SUCCESS);
  EXPECT_EQ(status(event), CL_COMPLETE);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  int read = 0;
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof read, &read, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(read, 42);
  EXPECT_EQ(fake::executor().helped(), before);
  EXPECT_EQ(fake::executor().lazy() + fake::executor().urgent(), 0u);
}

TEST_F(WaitingTest, BlockingCommandReportsAFailedWaitList) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  const MemoryHolder buffer(clCreateBuffer(context, 0, 16, nullptr, nullptr));
  const EventHolder gate = userEvent();
  EXPECT_EQ(clSetUserEventStatus(gate, -5), CL_SUCCESS);
  const cl_event waits[] = {gate};
  int read = 0;
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof read, &read, 1, waits, nullptr),
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 16, 1, waits, nullptr, &error),
      nullptr);
  EXPECT_EQ(error, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  cl_uint maps = 1;
  EXPECT_EQ(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof maps, &maps, nullptr), CL_SUCCESS);
  EXPECT_EQ(maps, 0u);
}

// Whatever shows that the application wants progress without blocking hands work over.
TEST_F(WaitingTest, ProgressNeedsNoBlockingCall) {
  using Nudge = void (*)(cl_command_queue, cl_event);
  const Nudge nudges[] = {
      [](cl_command_queue queue, cl_event) { clFlush(queue); },
      [](cl_command_queue, cl_event event) { status(event); },
      [](cl_command_queue, cl_event event) {
        clSetEventCallback(event, CL_COMPLETE, [](cl_event, cl_int, void*) {}, nullptr);
      },
      [](cl_command_queue, cl_event event) {
        cl_ulong time = 0;
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr);
      },
      [](cl_command_queue queue, cl_event) {
        clRetainCommandQueue(queue);
        clReleaseCommandQueue(queue);
      },
  };
  int row = 0;
  for (const Nudge nudge : nudges) {
    SCOPED_TRACE(row++);
    QueueHolder queue = makeQueue(context, kInOrder);
    const EventHolder a = enqueueWithEvent(queue, 'a');
    EXPECT_EQ(fake::executor().urgent(), 0u);
    nudge(queue, a);
    if (row == 5) queue.reset();  // its last reference is what flushes
    EXPECT_EQ(fake::executor().urgent(), 1u);
    fake::executor().runAll();
    EXPECT_EQ(status(a), CL_COMPLETE);
  }
}

TEST_F(WaitingTest, DependencyAcrossQueuesHandsWorkOver) {
  const QueueHolder first = makeQueue(context, kInOrder);
  const QueueHolder second = makeQueue(context, kInOrder);
  const EventHolder a = enqueueWithEvent(first, 'a');
  EXPECT_EQ(fake::executor().urgent(), 0u);
  enqueue(second, 'b', {a});
  EXPECT_EQ(fake::executor().urgent(), 1u);
}

TEST_F(WaitingTest, ManyUnflushedCommandsAreHandedOver) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  for (int i = 0; i < 40; ++i) enqueue(queue, 'a');
  EXPECT_EQ(fake::executor().urgent(), 1u);
}

TEST_F(WaitingTest, SleeperIsWokenByAUserEvent) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  const EventHolder gate = userEvent();
  const EventHolder a = enqueueWithEvent(queue, 'a', {gate});
  std::thread setter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  });
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  setter.join();
  EXPECT_EQ(journal.names(), "a");
}

TEST_F(WaitingTest, ManyThreadsWaitForOneEvent) {
  const EventHolder gate = userEvent();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      const cl_event waited = gate;
      EXPECT_EQ(clWaitForEvents(1, &waited), CL_SUCCESS);
    });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  for (std::thread& thread : threads) thread.join();
}

TEST_F(WaitingTest, FinishDoesNotWaitForWhatComesLater) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  const EventHolder gate = userEvent();
  enqueue(queue, 'a');
  std::thread other;
  // The function runs inside clFinish: what it enqueues is behind the call.
  struct Late {
    cl_command_queue queue;
    cl_event gate;
    bool done;
  };
  Late late{queue, gate, false};
  Late* pointer = &late;
  ASSERT_EQ(clEnqueueNativeKernel(
                queue,
                [](void* arguments) {
                  Late& late = **static_cast<Late**>(arguments);
                  const cl_event waits[] = {late.gate};
                  late.done =
                      clEnqueueMarkerWithWaitList(late.queue, 1, waits, nullptr) == CL_SUCCESS;
                },
                &pointer, sizeof pointer, 0, nullptr, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  fake::executor().runAll();
  EXPECT_TRUE(late.done);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
}

}  // namespace
}  // namespace weft::test
