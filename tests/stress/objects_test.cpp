// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that are shared, and released while commands, callbacks and other threads use them.
#include <random>
#include <string>

#include "stress/threads.h"
#include "support/programs.h"
#include "support/semaphores.h"
#include "support/wait_list.h"

namespace weft::test {
namespace {

constexpr const char* kSource =
    "kernel void add(global int* p, int n) { atomic_add(p + get_global_id(0), n); }\n"
    "kernel void fill(global int* p, int n) { p[get_global_id(0)] = n; }\n";
constexpr size_t kItems = 16;

void CL_CALLBACK countCallback(cl_event, cl_int status, void* counter) {
  if (status == CL_COMPLETE) ++*static_cast<std::atomic<int>*>(counter);
}

EventHolder launch(cl_command_queue queue, cl_kernel kernel,
                   const std::vector<cl_event>& waits = {}) {
  cl_event event = nullptr;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr,
                                   static_cast<cl_uint>(waits.size()),
                                   waits.empty() ? nullptr : waits.data(), &event),
            CL_SUCCESS);
  return EventHolder(event);
}

class ObjectStress : public testing::Test {
 protected:
  MemoryHolder newBuffer(cl_context of) { return makeBuffer(of, std::vector<cl_int>(kItems, 0)); }

  ContextHolder context = makeContext();
  ProgramHolder program = buildProgram(context, kSource);
};

TEST_F(ObjectStress, EverythingIsReleasedWhileItsCommandsRun) {
  std::atomic<int> called{0}, expected{0};
  onThreads([&](int thread, int round) {
    ContextHolder own = makeContext();
    QueueHolder queue = makeQueue(
        own, round % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : CL_QUEUE_PROFILING_ENABLE);
    MemoryHolder buffer = newBuffer(own);
    const char* source = kSource;
    ProgramHolder mine(clCreateProgramWithSource(own, 1, &source, nullptr, nullptr));
    if (round % 16 != 0) {
      // Most rounds without a build: what is raced is the end of the objects.
      std::vector<EventHolder> events;
      for (int i = 0; i < 8; ++i) {
        cl_event event = nullptr;
        const cl_int pattern = i;
        EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, &pattern, sizeof pattern, 0,
                                      kItems * sizeof(cl_int), 0, nullptr, &event),
                  CL_SUCCESS);
        ++expected;
        EXPECT_EQ(clSetEventCallback(event, CL_COMPLETE, countCallback, &called), CL_SUCCESS);
        events.emplace_back(event);
      }
    } else {
      EXPECT_EQ(clBuildProgram(mine, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
      const KernelHolder kernel = makeKernel(mine, "add");
      setBuffer(kernel, 0, buffer);
      setArgument(kernel, 1, cl_int{1});
      const EventHolder event = launch(queue, kernel);
      ++expected;
      EXPECT_EQ(clSetEventCallback(event, CL_COMPLETE, countCallback, &called), CL_SUCCESS);
    }
    switch ((thread + round) % 3) {
      case 0:
        own.reset(), queue.reset(), buffer.reset();
        break;
      case 1:
        queue.reset(), own.reset(), mine.reset();
        break;
      default:
        buffer.reset(), mine.reset(), queue.reset();
    }
  });
  awaitCount(called, expected);
}

TEST_F(ObjectStress, ClonesOfOneKernelHaveArgumentsOfTheirOwn) {
  const KernelHolder shared = makeKernel(program, "fill");
  const MemoryHolder common = newBuffer(context);
  setBuffer(shared, 0, common);
  setArgument(shared, 1, cl_int{-1});
  const QueueHolder queue = makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  onThreads([&](int thread, int round) {
    cl_int error = CL_INVALID_VALUE;
    const KernelHolder clone(clCloneKernel(shared, &error));
    ASSERT_EQ(error, CL_SUCCESS);
    const MemoryHolder buffer = newBuffer(context);
    const cl_int value = thread * 100000 + round;
    setBuffer(clone, 0, buffer);
    setArgument(clone, 1, value);
    const EventHolder event = launch(queue, clone);
    setArgument(clone, 1, cl_int{-2});  // too late for the launch
    const cl_event waits[] = {event};
    std::vector<cl_int> result(kItems);
    EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kItems * sizeof(cl_int), result.data(),
                                  1, waits, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(result, std::vector<cl_int>(kItems, value));
  });
}

TEST_F(ObjectStress, BuildsGoOnBesideLaunches) {
  const QueueHolder queue = makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const MemoryHolder sum = newBuffer(context);
  std::atomic<int> launches{0};
  onThreads([&](int thread, int round) {
    if (thread == 0) {
      const int value = round % 5;
      const ProgramHolder own = buildProgram(
          context, "kernel void k(global int* p) { *p = " + std::to_string(value) + "; }");
      const KernelHolder kernel = makeKernel(own, "k");
      const MemoryHolder result = newBuffer(context);
      setBuffer(kernel, 0, result);
      const QueueHolder ownQueue = makeQueue(context);
      launch(ownQueue, kernel);
      EXPECT_EQ(readBuffer<cl_int>(ownQueue, result, 1)[0], value);
    } else {
      const KernelHolder kernel = makeKernel(program, "add");
      setBuffer(kernel, 0, sum);
      setArgument(kernel, 1, cl_int{1});
      launch(queue, kernel);
      ++launches;
      if (round % 50 == 0) {
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
      }
    }
  });
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(readBuffer<cl_int>(queue, sum, kItems), std::vector<cl_int>(kItems, launches));
}

TEST_F(ObjectStress, MapsAndUnmapsOfOneBuffer) {
  constexpr size_t kBytes = 4096;
  const MemoryHolder buffer(clCreateBuffer(context, 0, kThreads * kBytes, nullptr, nullptr));
  const QueueHolder queue = makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  onThreads([&](int thread, int round) {
    cl_int error = CL_INVALID_VALUE;
    const size_t offset = static_cast<size_t>(thread) * kBytes;
    auto* const bytes = static_cast<unsigned char*>(
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, offset, kBytes,
                           0, nullptr, nullptr, &error));
    ASSERT_EQ(error, CL_SUCCESS);
    const auto value = static_cast<unsigned char>(thread + round);
    std::fill_n(bytes, kBytes, value);
    cl_event unmapped = nullptr;
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, bytes, 0, nullptr, &unmapped), CL_SUCCESS);
    const EventHolder holder(unmapped);
    std::vector<unsigned char> seen(kBytes);
    EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, kBytes, seen.data(), 1, &unmapped,
                                  nullptr),
              CL_SUCCESS);
    EXPECT_EQ(seen, std::vector<unsigned char>(kBytes, value));
  });
  cl_uint count = 1;
  EXPECT_EQ(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(count, 0u);
}

TEST_F(ObjectStress, GraphsOverQueuesWithUserEventsAndCallbacks) {
  std::vector<QueueHolder> queues;
  for (int i = 0; i < kThreads; ++i)
    queues.push_back(makeQueue(context, i % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0));
  const MemoryHolder sum = newBuffer(context);
  std::atomic<int> called{0}, launches{0};
  onThreads([&](int thread, int) {
    const KernelHolder kernel = makeKernel(program, "add");
    setBuffer(kernel, 0, sum);
    setArgument(kernel, 1, cl_int{1});
    // Without a queue of its own a gate of another thread could stand before this one's work.
    EventHolder gate = makeUserEvent(context);
    EventHolder last = launch(queues[thread], kernel, {gate});
    for (int i = 1; i < kThreads; ++i) {
      const QueueHolder own = makeQueue(context);
      EventHolder next = launch(own, kernel, {last});
      EXPECT_EQ(clSetEventCallback(next, CL_COMPLETE, countCallback, &called), CL_SUCCESS);
      last = std::move(next);
    }
    launches += kThreads;
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    gate.reset();
    const cl_event waited = last;
    EXPECT_EQ(clWaitForEvents(1, &waited), CL_SUCCESS);
  });
  for (const QueueHolder& queue : queues) EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  awaitCount(called, launches / kThreads * (kThreads - 1));
  EXPECT_EQ(readBuffer<cl_int>(queues[0], sum, kItems), std::vector<cl_int>(kItems, launches));
}

TEST_F(ObjectStress, SemaphoresOrderWhatThreadsShare) {
  // A ring: each thread adds when the semaphore comes round, then hands it on.
  std::vector<SemaphoreHolder> ring;
  for (int i = 0; i < kThreads; ++i) ring.push_back(makeSemaphore(context));
  const MemoryHolder sum = newBuffer(context);
  constexpr int kRounds = 100;
  int plain = 0;  // written by whoever has the semaphore
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      const QueueHolder queue = makeQueue(context);
      const KernelHolder kernel = makeKernel(program, "add");
      setBuffer(kernel, 0, sum);
      setArgument(kernel, 1, cl_int{1});
      for (int round = 0; round < kRounds; ++round) {
        const EventHolder wait = enqueueWait(queue, {ring[t]});
        const EventHolder done = launch(queue, kernel);
        const cl_event waited = done;
        EXPECT_EQ(clWaitForEvents(1, &waited), CL_SUCCESS);
        EXPECT_EQ(plain++ % kThreads, t);
        enqueueSignal(queue, {ring[(t + 1) % kThreads]});
        EXPECT_EQ(clFlush(queue), CL_SUCCESS);
      }
      EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    });
  const QueueHolder queue = makeQueue(context);
  enqueueSignal(queue, {ring[0]});
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(plain, kThreads * kRounds);
  EXPECT_EQ(readBuffer<cl_int>(queue, sum, 1)[0], kThreads * kRounds);
}

TEST_F(ObjectStress, StampsNeverRunBackwardsWhereverACommandRan) {
  const QueueHolder queue =
      makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
  onThreads([&](int thread, int round) {
    const KernelHolder kernel = makeKernel(program, "fill");
    const MemoryHolder buffer = newBuffer(context);
    setBuffer(kernel, 0, buffer);
    setArgument(kernel, 1, cl_int{round});
    const EventHolder first = launch(queue, kernel);
    const EventHolder second = launch(queue, kernel, {first});
    if (thread % 2) EXPECT_EQ(clFlush(queue), CL_SUCCESS);
    const cl_event waited = second;
    EXPECT_EQ(clWaitForEvents(1, &waited), CL_SUCCESS);
    cl_ulong endOfFirst = 0, startOfSecond = 0;
    for (const cl_event event : {first.get(), second.get()}) {
      cl_ulong before = 1;
      for (const cl_profiling_info name :
           {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
            CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE}) {
        cl_ulong time = 0;
        EXPECT_EQ(clGetEventProfilingInfo(event, name, sizeof time, &time, nullptr), CL_SUCCESS);
        EXPECT_GE(time, before);
        before = time;
        if (event == first && name == CL_PROFILING_COMMAND_END) endOfFirst = time;
        if (event == second && name == CL_PROFILING_COMMAND_START) startOfSecond = time;
      }
    }
    EXPECT_GE(startOfSecond, endOfFirst);
  });
}

}  // namespace
}  // namespace weft::test
