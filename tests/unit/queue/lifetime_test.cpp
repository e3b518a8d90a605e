// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callbacks, profiling, objects released early, and fork().
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <thread>

#include "graph_fixture.h"
#include "queue/graph.h"
#include "support/sanitizers.h"

namespace weft::test {
namespace {

using LifetimeTest = GraphTest;

/// Statuses that callbacks were given, in order.
class Reports {
 public:
  static void CL_CALLBACK add(cl_event, cl_int status, void* self) {
    auto& reports = *static_cast<Reports*>(self);
    const std::scoped_lock lock(reports.mutex_);
    reports.statuses_.push_back(status);
    reports.changed_.notify_all();
  }
  /// The first `count`, or what has come within some seconds.
  std::vector<cl_int> wait(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(10), [&] { return statuses_.size() >= count; });
    return statuses_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<cl_int> statuses_;
};

TEST_F(LifetimeTest, CallbacksRunInTheOrderOfTheStates) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  Reports reports;
  const EventHolder gate = userEvent();
  const EventHolder a = enqueueWithEvent(queue, 'a', {gate});
  for (const cl_int type : {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED})
    EXPECT_EQ(clSetEventCallback(a, type, Reports::add, &reports), CL_SUCCESS);
  EXPECT_EQ(reports.wait(1), std::vector<cl_int>{CL_SUBMITTED});
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  fake::executor().runAll();
  EXPECT_EQ(reports.wait(3), (std::vector<cl_int>{CL_SUBMITTED, CL_RUNNING, CL_COMPLETE}));
}

TEST_F(LifetimeTest, CallbackOfACompleteEventRunsAtOnce) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  const EventHolder mark = marker(queue);
  Reports reports;
  for (const cl_int type : {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE})
    EXPECT_EQ(clSetEventCallback(mark, type, Reports::add, &reports), CL_SUCCESS);
  EXPECT_EQ(reports.wait(3), (std::vector<cl_int>{CL_SUBMITTED, CL_RUNNING, CL_COMPLETE}));
}

TEST_F(LifetimeTest, CallbacksOfAFailedCommandGetTheError) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  Reports reports;
  const EventHolder gate = userEvent();
  const EventHolder a = enqueueWithEvent(queue, 'a', {gate});
  EXPECT_EQ(clSetEventCallback(a, CL_RUNNING, Reports::add, &reports), CL_SUCCESS);
  EXPECT_EQ(clSetEventCallback(a, CL_COMPLETE, Reports::add, &reports), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, -3), CL_SUCCESS);
  EXPECT_EQ(reports.wait(2),
            (std::vector<cl_int>(2, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)));
}

TEST_F(LifetimeTest, CallbackMayUseAndReleaseWhatTheApplicationHasReleased) {
  struct Seen {
    std::thread::id thread;
    cl_command_type type = 0;
    std::atomic<bool> done{false};
  } seen;
  {
    // Only the command keeps the queue now; only the callback keeps the event.
    const QueueHolder own = makeQueue(context, kInOrder);
    EventHolder a = enqueueWithEvent(own, 'a');
    EXPECT_EQ(clSetEventCallback(
                  a, CL_COMPLETE,
                  [](cl_event event, cl_int, void* data) {
                    auto& seen = *static_cast<Seen*>(data);
                    clRetainEvent(event);
                    clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof seen.type, &seen.type,
                                   nullptr);
                    clReleaseEvent(event);
                    seen.thread = std::this_thread::get_id();
                    seen.done = true;
                  },
                  &seen),
              CL_SUCCESS);
  }
  fake::executor().runAll();
  for (int i = 0; i < 1000 && !seen.done; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_TRUE(seen.done);
  EXPECT_EQ(seen.type, cl_command_type{CL_COMMAND_NATIVE_KERNEL});
  EXPECT_NE(seen.thread, std::this_thread::get_id());
}

TEST_F(LifetimeTest, QueueAndContextMayGoBeforeTheirCommands) {
  EventHolder a;
  {
    ContextHolder own = makeContext();
    const QueueHolder queue = makeQueue(own, kInOrder);
    std::swap(own, context);
    a = enqueueWithEvent(queue, 'a');
    std::swap(own, context);
  }
  fake::executor().runAll();
  EXPECT_EQ(journal.names(), "a");
  EXPECT_EQ(status(a), CL_COMPLETE);
}

TEST_F(LifetimeTest, BufferLivesUntilItsCommandsHaveRun) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  const EventHolder gate = userEvent();
  const cl_event waits[] = {gate};
  std::vector<unsigned char> data(4096, 7);
  bool freed = false;
  std::atomic<bool>* const gone = new std::atomic<bool>(false);
  {
    const MemoryHolder buffer(clCreateBuffer(context, 0, data.size(), nullptr, nullptr));
    EXPECT_EQ(clSetMemObjectDestructorCallback(
                  buffer, [](cl_mem, void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; },
                  gone),
              CL_SUCCESS);
    EXPECT_EQ(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, data.size(), data.data(), 1, waits,
                                   nullptr),
              CL_SUCCESS);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(*gone);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  fake::executor().runAll();
  for (int i = 0; i < 1000 && !freed; ++i) {
    freed = *gone;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(freed);
  delete gone;
}

TEST_F(LifetimeTest, ReleasedUserEventCanBeSetWhileSomethingWaitsForIt) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  cl_event gate = clCreateUserEvent(context, nullptr);
  const EventHolder a = enqueueWithEvent(queue, 'a', {gate});
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  fake::executor().runAll();
  EXPECT_EQ(status(a), CL_COMPLETE);
}

TEST_F(LifetimeTest, StampsNeverRunBackwards) {
  const QueueHolder queue = makeQueue(context, CL_QUEUE_PROFILING_ENABLE);
  const MemoryHolder buffer(clCreateBuffer(context, 0, 1 << 20, nullptr, nullptr));
  std::vector<unsigned char> data(1 << 20);
  std::vector<EventHolder> events;
  events.push_back(enqueueWithEvent(queue, 'a'));
  events.push_back(marker(queue));
  for (const size_t size : {size_t{0}, size_t{4}, data.size()}) {
    for (const cl_bool blocking : {CL_FALSE, CL_TRUE}) {
      cl_event event = nullptr;
      EXPECT_EQ(
          clEnqueueReadBuffer(queue, buffer, blocking, 0, size, data.data(), 0, nullptr, &event),
          CL_SUCCESS);
      events.emplace_back(event);
    }
  }
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  for (const EventHolder& event : events) {
    cl_ulong before = 1;
    for (const cl_profiling_info name :
         {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
          CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE}) {
      cl_ulong time = 0;
      EXPECT_EQ(clGetEventProfilingInfo(event, name, sizeof time, &time, nullptr), CL_SUCCESS);
      EXPECT_GE(time, before);
      before = time;
    }
  }
}

TEST_F(LifetimeTest, ChildOfForkSeesItsCommandsEnd) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  const EventHolder gate = userEvent();
  const EventHolder a = enqueueWithEvent(queue, 'a', {gate});
  const EventHolder b = enqueueWithEvent(queue, 'b');
  Reports reports;
  EXPECT_EQ(clSetEventCallback(b, CL_COMPLETE, Reports::add, &reports), CL_SUCCESS);
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    bool right = clFinish(queue) == CL_SUCCESS;
    right &= status(a) == kAbandonedByFork && status(b) == kAbandonedByFork;
    right &= clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS;
    enqueue(queue, 'c');
    right &= clFinish(queue) == CL_SUCCESS && journal.names() == "c";
    right &= reports.wait(0).empty();
    _exit(right ? 0 : 1);
  }
  int result = -1;
  EXPECT_EQ(waitpid(child, &result, 0), child);
  EXPECT_EQ(result, 0);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(journal.names(), "ab");
  EXPECT_EQ(reports.wait(1), std::vector<cl_int>{CL_COMPLETE});
}

/// Writes over a good part of a stack that another thread has had.
void overwriteStack() {
  volatile unsigned char bytes[32768];
  for (volatile unsigned char& byte : bytes) byte = 0xa5;
}

TEST_F(LifetimeTest, ChildOfForkHasNoneOfTheThreadsThatWaitedForAUserEvent) {
  if (kThreadSanitizer) GTEST_SKIP() << "no process with threads may fork and go on";
  const EventHolder gate = userEvent();
  std::vector<std::thread> waiting;
  for (int i = 0; i < 8; ++i)
    waiting.emplace_back([&] {
      const cl_event waited = gate;
      EXPECT_EQ(clWaitForEvents(1, &waited), CL_SUCCESS);
    });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // most of them sleep by now
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    // Threads of the child get the stacks of those that are gone.
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back(overwriteStack);
    for (std::thread& thread : threads) thread.join();
    bool right = clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS;
    const cl_event waited = gate;
    right &= clWaitForEvents(1, &waited) == CL_SUCCESS;
    _exit(right ? 0 : 1);
  }
  int result = -1;
  EXPECT_EQ(waitpid(child, &result, 0), child);
  EXPECT_EQ(result, 0);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  for (std::thread& thread : waiting) thread.join();
}

TEST_F(LifetimeTest, ChildOfForkHasNoneOfTheMapsThatWereStillToCome) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  const MemoryHolder buffer(clCreateBuffer(context, 0, 16, nullptr, nullptr));
  const EventHolder gate = userEvent();
  const cl_event waits[] = {gate};
  const auto maps = [&] {
    cl_uint count = 77;
    EXPECT_EQ(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr),
              CL_SUCCESS);
    return count;
  };
  ASSERT_NE(
      clEnqueueMapBuffer(queue, buffer, CL_FALSE, CL_MAP_WRITE, 0, 16, 1, waits, nullptr, nullptr),
      nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    bool right = maps() == 0;
    right &= clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 16, 0, nullptr, nullptr,
                                nullptr) != nullptr;
    _exit(right ? 0 : 1);
  }
  int result = -1;
  EXPECT_EQ(waitpid(child, &result, 0), child);
  EXPECT_EQ(result, 0);
  EXPECT_EQ(maps(), 1u);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(LifetimeTest, CallbacksOfOneEventCostNoSquare) {
  constexpr size_t kCallbacks = 100'000;  // looking through all for each would be 10^10
  Reports reports;
  const EventHolder gate = userEvent();
  for (size_t i = 0; i < kCallbacks; ++i)
    ASSERT_EQ(clSetEventCallback(gate, CL_COMPLETE, Reports::add, &reports), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(reports.wait(kCallbacks), std::vector<cl_int>(kCallbacks, CL_COMPLETE));
}

}  // namespace
}  // namespace weft::test
