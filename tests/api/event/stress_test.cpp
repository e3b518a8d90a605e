// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many threads on shared queues, events and buffers. Meant to be run under ThreadSanitizer, and
// with different numbers of workers (WEFT_THREADS).
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>
#include <vector>

#include "support/objects.h"
#include "support/wait_list.h"

namespace weft::test {
namespace {

constexpr int kThreads = 4;

void CL_CALLBACK count(void* arguments) {
  (*static_cast<std::atomic<int>**>(arguments))->fetch_add(1, std::memory_order_relaxed);
}

cl_event enqueueCount(cl_command_queue queue, std::atomic<int>& counter,
                      const std::vector<cl_event>& waits = {}) {
  std::atomic<int>* pointer = &counter;
  cl_event event = nullptr;
  EXPECT_EQ(clEnqueueNativeKernel(queue, count, &pointer, sizeof pointer, 0, nullptr, nullptr,
                                  static_cast<cl_uint>(waits.size()),
                                  waits.empty() ? nullptr : waits.data(), &event),
            CL_SUCCESS);
  return event;
}

template <class Body>
void onThreads(Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

class StressTest : public testing::TestWithParam<cl_command_queue_properties> {
 protected:
  ContextHolder context = makeContext();
};

INSTANTIATE_TEST_SUITE_P(Queues, StressTest,
                         testing::Values(cl_command_queue_properties{0},
                                         cl_command_queue_properties{
                                             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}));

TEST_P(StressTest, ThreadsShareOneQueue) {
  const QueueHolder queue = makeQueue(context, GetParam());
  std::atomic<int> counter{0};
  constexpr int kCommands = 2000;
  onThreads([&](int) {
    for (int i = 0; i < kCommands; ++i) {
      const EventHolder event(enqueueCount(queue, counter));
      const cl_event waited = event;
      if (i % 7 == 0) {
        EXPECT_EQ(clWaitForEvents(1, &waited), CL_SUCCESS);
      }
      if (i % 50 == 0) {
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
      }
      if (i % 31 == 0) {
        EXPECT_EQ(clFlush(queue), CL_SUCCESS);
      }
      if (i % 101 == 0) {
        EXPECT_EQ(clEnqueueBarrier(queue), CL_SUCCESS);
      }
    }
  });
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(counter, kThreads * kCommands);
}

TEST_P(StressTest, RandomGraphsAcrossQueues) {
  std::vector<QueueHolder> queues;
  for (int i = 0; i < 3; ++i) queues.push_back(makeQueue(context, GetParam()));
  std::atomic<int> counter{0};
  constexpr int kCommands = 1000;
  onThreads([&](int thread) {
    std::mt19937 random(static_cast<unsigned>(thread));
    std::vector<EventHolder> recent(8);
    for (int i = 0; i < kCommands; ++i) {
      std::vector<cl_event> waits;
      for (const EventHolder& event : recent)
        if (event.get() && random() % 3 == 0) waits.push_back(event);
      EventHolder& slot = recent[random() % recent.size()];
      slot = EventHolder(enqueueCount(queues[random() % queues.size()], counter, waits));
      if (random() % 40 == 0) {
        const cl_event waited = slot;
        EXPECT_EQ(clWaitForEvents(1, &waited), CL_SUCCESS);
      }
    }
  });
  for (const QueueHolder& queue : queues) EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(counter, kThreads * kCommands);
}

TEST_P(StressTest, UserEventsSetByOthersReleaseWaiters) {
  const QueueHolder queue = makeQueue(context, GetParam());
  std::atomic<int> counter{0};
  for (int round = 0; round < 200; ++round) {
    const EventHolder gate = makeUserEvent(context);
    std::vector<EventHolder> commands;
    for (int i = 0; i < 4; ++i) commands.emplace_back(enqueueCount(queue, counter, {gate.get()}));
    std::thread setter([&] { EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS); });
    const cl_event waited = commands[static_cast<size_t>(round) % 4];
    EXPECT_EQ(clWaitForEvents(1, &waited), CL_SUCCESS);
    setter.join();
  }
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(counter, 800);
}

TEST_P(StressTest, CallbacksOfManyThreadsAllRun) {
  const QueueHolder queue = makeQueue(context, GetParam());
  std::atomic<int> counter{0};
  std::atomic<int> called{0};
  constexpr int kCommands = 300;
  onThreads([&](int) {
    for (int i = 0; i < kCommands; ++i) {
      const EventHolder event(enqueueCount(queue, counter));
      for (const cl_int type : {CL_COMPLETE, CL_RUNNING})
        EXPECT_EQ(clSetEventCallback(
                      event, type,
                      [](cl_event event, cl_int, void* called) {
                        EXPECT_EQ(clRetainEvent(event), CL_SUCCESS);
                        static_cast<std::atomic<int>*>(called)->fetch_add(1);
                        EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
                      },
                      &called),
                  CL_SUCCESS);
    }
  });
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  for (int i = 0; i < 10'000 && called < 2 * kThreads * kCommands; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(called, 2 * kThreads * kCommands);
}

TEST_P(StressTest, QueuesAndBuffersComeAndGo) {
  onThreads([&](int thread) {
    for (int i = 0; i < 200; ++i) {
      const QueueHolder queue = makeQueue(context, GetParam());
      const size_t size = size_t{1} << (8 + (i + thread) % 13);
      std::vector<unsigned char> data(size, static_cast<unsigned char>(i));
      const MemoryHolder source(
          clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, size, data.data(), nullptr));
      cl_event copied = nullptr;
      cl_event read = nullptr;
      {
        const MemoryHolder target(clCreateBuffer(context, 0, size, nullptr, nullptr));
        EXPECT_EQ(clEnqueueCopyBuffer(queue, source, target, 0, 0, size, 0, nullptr, &copied),
                  CL_SUCCESS);
        std::fill(data.begin(), data.end(), 0);
        EXPECT_EQ(
            clEnqueueReadBuffer(queue, target, CL_FALSE, 0, size, data.data(), 1, &copied, &read),
            CL_SUCCESS);
      }
      const EventHolder first(copied), second(read);
      EXPECT_EQ(clWaitForEvents(1, &read), CL_SUCCESS);
      EXPECT_EQ(data[size / 2], static_cast<unsigned char>(i));
    }
  });
}

TEST_P(StressTest, ProgressWithoutABlockingCall) {
  const QueueHolder queue = makeQueue(context, GetParam());
  std::atomic<int> counter{0};
  for (int i = 0; i < 50; ++i) {
    const EventHolder event(enqueueCount(queue, counter));
    if (i % 2 == 0) {
      EXPECT_EQ(clFlush(queue), CL_SUCCESS);
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (executionStatus(event) != CL_COMPLETE && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
    EXPECT_EQ(executionStatus(event), CL_COMPLETE);
  }
}

TEST_P(StressTest, IndependentCommandsOverlap) {
  if (GetParam() == 0) GTEST_SKIP() << "in-order queues do not overlap";
  cl_uint units = 0;
  ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr),
            CL_SUCCESS);
  if (units < 2) GTEST_SKIP() << "one compute unit";
  const QueueHolder queue = makeQueue(context, GetParam());
  // Each of the two ends only once the other has begun.
  struct Meeting {
    std::atomic<int> arrived{0};
    std::atomic<bool> missed{false};
  } meeting;
  for (int i = 0; i < 2; ++i) {
    Meeting* pointer = &meeting;
    ASSERT_EQ(clEnqueueNativeKernel(
                  queue,
                  [](void* arguments) {
                    Meeting& meeting = **static_cast<Meeting**>(arguments);
                    meeting.arrived.fetch_add(1);
                    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
                    while (meeting.arrived < 2 && std::chrono::steady_clock::now() < end)
                      std::this_thread::yield();
                    if (meeting.arrived < 2) meeting.missed = true;
                  },
                  &pointer, sizeof pointer, 0, nullptr, nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
  }
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_FALSE(meeting.missed);
}

}  // namespace
}  // namespace weft::test
