// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a replay computes: order, snapshots, lifetimes, failures, output.
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "fixture.h"
#include "support/wait_list.h"

namespace weft::test {
namespace {

constexpr const char* kKernels = R"(
kernel void add(global int* cell, int v) { cell[get_global_id(0)] += v; }
kernel void twice(global int* cell) { cell[get_global_id(0)] *= 2; }
kernel void hello(int v) { printf("hello %d\n", v); }
kernel void diverge(global int* cell) {
  if (get_local_id(0) == 0) { barrier(CLK_LOCAL_MEM_FENCE); cell[0] = 1; }
  else { barrier(CLK_LOCAL_MEM_FENCE); cell[1] = 1; }
}
kernel void slow(global int* cell, int turns) {
  int x = get_global_id(0);
  for (int i = 0; i < turns; ++i) x = x * 1664525 + 1013904223;
  cell[get_global_id(0)] += x;
}
)";

class Replay : public CommandBufferTest {
 protected:
  ProgramHolder program = buildProgram(context, kKernels);
  KernelHolder add = makeKernel(program, "add");
  KernelHolder twice = makeKernel(program, "twice");

  void recordAdd(khr::cl_command_buffer buffer, cl_mem cell, cl_int value, size_t items = 4,
                 const Points& waits = {}, khr::cl_sync_point* point = nullptr) {
    setBuffer(add, 0, cell);
    setArgument(add, 1, value);
    const khr::cl_sync_point made = launch(buffer, add, items, waits);
    if (point) *point = made;
  }
  void recordTwice(khr::cl_command_buffer buffer, cl_mem cell, size_t items = 4,
                   const Points& waits = {}) {
    setBuffer(twice, 0, cell);
    launch(buffer, twice, items, waits);
  }
};

TEST_F(Replay, RunsInOrderOnAnInOrderQueue) {
  const MemoryHolder cell = ints({1, 2, 3, 4});
  const MemoryHolder result = zeros(4);
  const CommandBufferHolder buffer = make();
  recordAdd(buffer, cell, 10);
  recordTwice(buffer, cell);
  recordAdd(buffer, cell, 1);
  copy(buffer, cell, result, 16);
  finalize(buffer);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(read(result, 4), (std::vector<cl_int>{23, 25, 27, 29}));
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(read(result, 4), (std::vector<cl_int>{67, 71, 75, 79}));
}

TEST_F(Replay, SyncPointsAndBarriersOrderAnOutOfOrderBuffer) {
  const QueueHolder outOfOrder = makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const MemoryHolder cell = ints({1});
  const MemoryHolder other = ints({5});
  const MemoryHolder result = zeros(2);
  const CommandBufferHolder buffer = make(outOfOrder);
  khr::cl_sync_point first = 0;
  recordAdd(buffer, cell, 10, 1, {}, &first);
  recordAdd(buffer, other, 10, 1);
  setBuffer(twice, 0, cell);
  const khr::cl_sync_point second = launch(buffer, twice, 1, {first, first});
  barrier(buffer);
  recordTwice(buffer, other, 1);
  const khr::cl_sync_point third = copy(buffer, cell, result, 4, {second});
  const khr::cl_sync_point list = barrier(buffer, {third});
  EXPECT_GT(list, second);
  recordTwice(buffer, cell, 1);
  finalize(buffer);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  ASSERT_EQ(clFinish(outOfOrder), CL_SUCCESS);
  EXPECT_EQ(read(result, 1)[0], 22);
  EXPECT_EQ(read(other, 1)[0], 30);
  EXPECT_EQ(read(cell, 1)[0], 44);
}

TEST_F(Replay, RectCopiesAndFills) {
  const MemoryHolder from = ints({1, 2, 3, 4, 5, 6, 7, 8, 9});
  const MemoryHolder to = zeros(9);
  const CommandBufferHolder buffer = make();
  const size_t fromOrigin[3] = {4, 1, 0}, toOrigin[3] = {0, 0, 0}, region[3] = {8, 2, 1};
  ASSERT_EQ(api.clCommandCopyBufferRectKHR(buffer, nullptr, nullptr, from, to, fromOrigin, toOrigin,
                                           region, 12, 0, 12, 0, 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  const cl_int pattern = -1;
  ASSERT_EQ(api.clCommandFillBufferKHR(buffer, nullptr, nullptr, to, &pattern, 4, 24, 12, 0,
                                       nullptr, nullptr, nullptr),
            CL_SUCCESS);
  finalize(buffer);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(read(to, 9), (std::vector<cl_int>{5, 6, 0, 8, 9, 0, -1, -1, -1}));
}

TEST_F(Replay, KeepsTheArgumentsOfTheRecording) {
  const MemoryHolder cell = zeros(4);
  const MemoryHolder other = zeros(4);
  const CommandBufferHolder buffer = make();
  recordAdd(buffer, cell, 5);
  setBuffer(add, 0, other);
  setArgument(add, 1, cl_int{100});
  finalize(buffer);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(read(cell, 4), std::vector<cl_int>(4, 5));
  EXPECT_EQ(read(other, 4), std::vector<cl_int>(4, 0));
}

TEST_F(Replay, KeepsItsObjectsAlive) {
  MemoryHolder source = ints({1, 2, 3, 4});
  const MemoryHolder target = zeros(4);
  KernelHolder kernel = makeKernel(program, "add");
  setBuffer(kernel, 0, target);
  setArgument(kernel, 1, cl_int{1});
  CommandBufferHolder buffer = make();
  copy(buffer, source, target, 16);
  launch(buffer, kernel, 4);
  finalize(buffer);
  source.reset();
  kernel.reset();
  program.reset();
  add.reset();
  twice.reset();
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(read(target, 4), (std::vector<cl_int>{2, 3, 4, 5}));
}

TEST_F(Replay, GoesOnWhenTheBufferIsReleased) {
  const MemoryHolder cell = zeros(4);
  CommandBufferHolder buffer = make();
  recordAdd(buffer, cell, 3);
  finalize(buffer);
  const EventHolder gate = makeUserEvent(context);
  std::vector<EventHolder> events;
  for (int i = 0; i < 3; ++i) events.push_back(replayWithEvent(buffer, nullptr, {gate.get()}));
  buffer.reset();
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(read(cell, 4), std::vector<cl_int>(4, 9));
  for (const EventHolder& event : events) EXPECT_EQ(executionStatus(event), CL_COMPLETE);
}

TEST_F(Replay, AnUnfinalizedBufferMayBeReleased) {
  const MemoryHolder cell = zeros(4);
  const CommandBufferHolder buffer = make();
  recordAdd(buffer, cell, 3);
}

TEST_F(Replay, RunsManyTimesAtOnce) {
  const QueueHolder outOfOrder = makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const CommandBufferHolder buffer =
      make(outOfOrder, {khr::kCommandBufferFlags, khr::kCommandBufferSimultaneousUse, 0});
  const ProgramHolder counting =
      buildProgram(context, "kernel void count(volatile global int* cell) { atomic_inc(cell); }");
  const KernelHolder kernel = makeKernel(counting, "count");
  const MemoryHolder cell = zeros(1);
  setBuffer(kernel, 0, cell);
  for (int i = 0; i < 5; ++i) launch(buffer, kernel, 16);
  finalize(buffer);
  const EventHolder gate = makeUserEvent(context);
  for (int i = 0; i < 20; ++i) replayWithEvent(buffer, outOfOrder, {gate.get()});
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(outOfOrder), CL_SUCCESS);
  EXPECT_EQ(read(cell, 1)[0], 20 * 5 * 16);
}

TEST_F(Replay, EmptyRangesAndCopiesDoNothing) {
  const MemoryHolder cell = ints({1, 2, 3, 4});
  const CommandBufferHolder buffer = make();
  recordAdd(buffer, cell, 3, 0);
  recordAdd(buffer, cell, 1);
  barrier(buffer);
  finalize(buffer);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(read(cell, 4), (std::vector<cl_int>{2, 3, 4, 5}));
}

TEST_F(Replay, AFailureEndsTheReplayAndIsPassedOn) {
  const MemoryHolder cell = zeros(4);
  const KernelHolder diverge = makeKernel(program, "diverge");
  setBuffer(diverge, 0, cell);
  const CommandBufferHolder buffer = make();
  const size_t two = 2;
  ASSERT_EQ(api.clCommandNDRangeKernelKHR(buffer, nullptr, nullptr, diverge, 1, nullptr, &two, &two,
                                          0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  const MemoryHolder after = zeros(4);
  recordAdd(buffer, after, 1);
  finalize(buffer);
  const EventHolder event = replayWithEvent(buffer);
  const EventHolder next = replayWithEvent(buffer, nullptr, {event.get()});
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_LT(executionStatus(event), 0);
  EXPECT_EQ(executionStatus(next), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(read(after, 4), std::vector<cl_int>(4, 0));
}

TEST_F(Replay, PrintsOnceForEveryReplay) {
  const KernelHolder hello = makeKernel(program, "hello");
  const CommandBufferHolder buffer = make();
  for (cl_int i = 0; i < 3; ++i) {
    setArgument(hello, 0, i);
    launch(buffer, hello, 1);
  }
  finalize(buffer);
  testing::internal::CaptureStdout();
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "hello 0\nhello 1\nhello 2\nhello 0\nhello 1\nhello 2\n");
}

TEST_F(Replay, OtherCommandsOfTheQueueComeBeforeAndAfter) {
  const MemoryHolder cell = zeros(4);
  const CommandBufferHolder buffer = make();
  recordAdd(buffer, cell, 1);
  // Recording has no effect on the queue.
  const cl_int seven = 7;
  ASSERT_EQ(clEnqueueFillBuffer(queue, cell, &seven, 4, 0, 16, 0, nullptr, nullptr), CL_SUCCESS);
  recordTwice(buffer, cell);
  finalize(buffer);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  setBuffer(add, 0, cell);
  setArgument(add, 1, cl_int{100});
  const size_t items = 4;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, add, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(read(cell, 4), std::vector<cl_int>(4, 116));
}

/// Steps of all sizes in all orders, run with different numbers of threads.
TEST_F(Replay, ManyBarriersCostNoSquare) {
  const QueueHolder outOfOrder = makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const MemoryHolder cell = ints({1});
  const CommandBufferHolder buffer = make(outOfOrder);
  constexpr int kBarriers = 500'000;  // looking at all steps for each would be 10^11
  recordAdd(buffer, cell, 10, 1);
  for (int i = 0; i < kBarriers; ++i) barrier(buffer);
  recordTwice(buffer, cell, 1);
  finalize(buffer);
  replayWithEvent(buffer);
  EXPECT_EQ(clFinish(outOfOrder), CL_SUCCESS);
  EXPECT_EQ(read(cell, 1), std::vector<cl_int>{22});
}

class ReplayStressTest : public Replay {
 protected:
  KernelHolder slow = makeKernel(program, "slow");

  static cl_int turned(cl_int x, cl_int turns) {
    auto value = static_cast<uint32_t>(x);
    for (cl_int i = 0; i < turns; ++i) value = value * 1664525u + 1013904223u;
    return static_cast<cl_int>(value);
  }
  void recordSlow(khr::cl_command_buffer buffer, cl_mem cell, size_t items, cl_int turns) {
    setBuffer(slow, 0, cell);
    setArgument(slow, 1, turns);
    launch(buffer, slow, items);
  }
};

TEST_F(ReplayStressTest, LargeAndSmallStepsInAChain) {
  constexpr size_t kItems = 1 << 14;
  constexpr cl_int kTurns = 200;
  const MemoryHolder cell = zeros(kItems);
  const CommandBufferHolder buffer = make();
  for (int round = 0; round < 3; ++round) {
    recordAdd(buffer, cell, 1, kItems);
    recordSlow(buffer, cell, kItems, kTurns);
    recordAdd(buffer, cell, 2, 16);
    recordTwice(buffer, cell, kItems);
  }
  finalize(buffer);
  std::vector<cl_int> expected(kItems);
  for (int times = 0; times < 20; ++times) {
    ASSERT_EQ(replay(buffer), CL_SUCCESS);
    if (times % 3 == 0) clFinish(queue);
    for (int round = 0; round < 3; ++round)
      for (size_t i = 0; i < kItems; ++i) {
        auto x = static_cast<uint32_t>(expected[i]) + 1u;
        x += static_cast<uint32_t>(turned(static_cast<cl_int>(i), kTurns));
        if (i < 16) x += 2;
        expected[i] = static_cast<cl_int>(x * 2);
      }
  }
  EXPECT_EQ(read(cell, kItems), expected);
}

TEST_F(ReplayStressTest, IndependentStepsOfAllSizes) {
  const QueueHolder outOfOrder = makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  constexpr size_t kCells = 24;
  constexpr size_t kItems = 2048;
  std::vector<MemoryHolder> cells;
  const MemoryHolder sum = zeros(kCells);
  const CommandBufferHolder buffer = make(outOfOrder);
  Points all;
  for (size_t i = 0; i < kCells; ++i) {
    cells.push_back(zeros(kItems));
    khr::cl_sync_point point = 0;
    recordAdd(buffer, cells[i], static_cast<cl_int>(i), i % 3 == 0 ? kItems : 8, {}, &point);
    setBuffer(slow, 0, cells[i]);
    setArgument(slow, 1, cl_int{i % 5 == 0 ? 2000 : 1});
    all.push_back(launch(buffer, slow, i % 2 == 0 ? kItems : 1, {point}));
  }
  barrier(buffer, all);
  for (size_t i = 0; i < kCells; ++i)
    ASSERT_EQ(api.clCommandCopyBufferKHR(buffer, nullptr, nullptr, cells[i], sum, 0, i * 4, 4, 0,
                                         nullptr, nullptr, nullptr),
              CL_SUCCESS);
  finalize(buffer);
  constexpr int kTimes = 30;
  EventHolder last;
  for (int times = 0; times < kTimes; ++times) {
    const std::vector<cl_event> waits =
        last.get() ? std::vector<cl_event>{last.get()} : std::vector<cl_event>{};
    last = replayWithEvent(buffer, outOfOrder, waits);
    if (times % 4 == 0) clFinish(outOfOrder);
  }
  ASSERT_EQ(clFinish(outOfOrder), CL_SUCCESS);
  const std::vector<cl_int> found = read(sum, kCells);
  for (size_t i = 0; i < kCells; ++i) {
    const uint32_t each =
        static_cast<uint32_t>(i) + static_cast<uint32_t>(turned(0, i % 5 == 0 ? 2000 : 1));
    EXPECT_EQ(found[i], static_cast<cl_int>(each * kTimes)) << i;
  }
}

TEST_F(ReplayStressTest, BuffersFromManyThreads) {
  constexpr int kThreads = 4, kTimes = 100;
  std::vector<std::thread> threads;
  std::vector<MemoryHolder> cells;
  for (int t = 0; t < kThreads; ++t) cells.push_back(zeros(64));
  std::atomic<int> failures{0};
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      const KernelHolder own = makeKernel(program, "add");
      const QueueHolder ownQueue = makeQueue(context);
      CommandBufferHolder buffer = make(ownQueue);
      setBuffer(own, 0, cells[t]);
      setArgument(own, 1, cl_int{1});
      for (int i = 0; i < 10; ++i) launch(buffer, own, 64);
      finalize(buffer);
      for (int i = 0; i < kTimes; ++i) {
        if (replay(buffer) != CL_SUCCESS) ++failures;
        if (i % 7 == t) clFinish(ownQueue);
      }
      buffer.reset();
      clFinish(ownQueue);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  for (int t = 0; t < kThreads; ++t)
    EXPECT_EQ(read(cells[t], 64), std::vector<cl_int>(64, kTimes * 10));
}

}  // namespace
}  // namespace weft::test
