// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replays on the real executor, of steps that check the order in which they run.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "queue/command_buffer.h"
#include "support/objects.h"

namespace weft {
namespace {

using std::chrono::nanoseconds;

void spinFor(nanoseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// Parts of one step that have run, over all replays.
struct Progress {
  std::atomic<uint64_t> parts{0};
  std::atomic<int> errors{0};
};

/// Checks that what it comes after has run as often as it is about to.
class CheckingStep final : public Step {
 public:
  CheckingStep(size_t parts, nanoseconds time, Progress& own,
               std::vector<std::pair<const Progress*, size_t>> before,
               const std::atomic<uint64_t>& replay)
      : Step(parts), time_(time), own_(own), before_(std::move(before)), replay_(replay) {}

  void setTime(nanoseconds time) const { time_.store(time); }

  void run(size_t first, size_t last, runtime::Slot&, runtime::Job&) const noexcept override {
    const uint64_t replay = replay_.load();
    for (const auto& [progress, parts] : before_)
      if (progress->parts.load() != replay * parts) ++own_.errors;
    for (size_t part = first; part < last; ++part) spinFor(time_.load());
    own_.parts += last - first;
  }

 private:
  mutable std::atomic<nanoseconds> time_;
  Progress& own_;
  const std::vector<std::pair<const Progress*, size_t>> before_;
  const std::atomic<uint64_t>& replay_;
};

/// A command buffer of checking steps, replayed once at a time.
class Replays : public testing::Test {
 protected:
  void open(cl_command_queue_properties properties) {
    queue_ = test::makeQueue(context_, properties);
    buffer_ = makeRef<CommandBuffer>(*Queue::from(queue_), CommandBufferOptions{});
  }
  /// Adds a step with a wait list of places; gives its own.
  size_t add(size_t parts, nanoseconds time, const std::vector<size_t>& after) {
    std::vector<std::pair<const Progress*, size_t>> before;
    std::vector<khr::cl_sync_point> points;
    for (const size_t place : after) {
      points.push_back(static_cast<khr::cl_sync_point>(place) + 1);
      before.emplace_back(progress_[place].get(), parts_[place]);
    }
    progress_.push_back(std::make_unique<Progress>());
    parts_.push_back(parts);
    const auto step =
        makeRef<CheckingStep>(parts, time, *progress_.back(), std::move(before), replay_);
    steps_.push_back(step);
    const auto place = buffer_->record(step, CommandBuffer::Order::Free, points);
    EXPECT_TRUE(place.has_value());
    return place.value_or(0);
  }
  void run(int times) {
    for (int i = 0; i < times; ++i) {
      ++replay_;
      ASSERT_TRUE(buffer_->enqueue(*Queue::from(queue_), {}, nullptr).has_value());
      // Waiting threads help; workers alone must get there too.
      if (i % 2 == 0) {
        ASSERT_EQ(clFlush(queue_), CL_SUCCESS);
        std::this_thread::sleep_for(std::chrono::microseconds(i % 4 == 0 ? 0 : 300));
      }
      ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
      for (size_t step = 0; step < progress_.size(); ++step) {
        EXPECT_EQ(progress_[step]->parts.load(), replay_ * parts_[step]) << step;
        EXPECT_EQ(progress_[step]->errors.load(), 0) << step;
      }
    }
  }

  test::ContextHolder context_ = test::makeContext();
  test::QueueHolder queue_;
  Ref<CommandBuffer> buffer_;
  std::atomic<uint64_t> replay_{0};
  std::vector<std::unique_ptr<Progress>> progress_;
  std::vector<size_t> parts_;
  std::vector<Ref<CheckingStep>> steps_;
};

constexpr cl_command_queue_properties kFree = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

TEST_F(Replays, ChainsOfStepsOfAllSizes) {
  open(0);
  for (size_t i = 0; i < 40; ++i)
    add(i % 5 == 0 ? 16 : 1, nanoseconds(i % 7 == 0 ? 20'000 : 100),
        i == 0 ? std::vector<size_t>{} : std::vector<size_t>{i - 1});
  ASSERT_TRUE(buffer_->finalize().has_value());
  run(30);
}

TEST_F(Replays, RandomGraphs) {
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    progress_.clear();
    parts_.clear();
    replay_ = 0;
    open(kFree);
    for (size_t i = 0; i < 60; ++i) {
      std::vector<size_t> after;
      for (size_t k = random() % 4; i > 0 && k > 0; --k) after.push_back(random() % i);
      add(random() % 3 == 0 ? 1 + random() % 20 : 1,
          nanoseconds(random() % 10 == 0 ? 30'000 : random() % 500), after);
    }
    ASSERT_TRUE(buffer_->finalize().has_value());
    run(12);
  }
}

TEST_F(Replays, CostsThatChangeAreLearnedAnew) {
  open(0);
  for (size_t i = 0; i < 6; ++i)
    add(8, nanoseconds(50), i == 0 ? std::vector<size_t>{} : std::vector<size_t>{i - 1});
  ASSERT_TRUE(buffer_->finalize().has_value());
  run(6);
  for (const auto& step : steps_) step->setTime(nanoseconds(30'000));
  run(2);
  if (Queue::from(queue_)->slots() > 1) {  // one thread has nothing to decide
    for (const auto& step : steps_) EXPECT_GT(step->cost(), 50'000u);
  }
  run(4);
}

TEST_F(Replays, LongChainsLetGoOfTheirSlot) {
  open(0);
  for (size_t i = 0; i < 300; ++i)
    add(1 + i % 2, nanoseconds(10'000),
        i == 0 ? std::vector<size_t>{} : std::vector<size_t>{i - 1});
  ASSERT_TRUE(buffer_->finalize().has_value());
  run(5);
}

TEST_F(Replays, ManyAtOnceFromManyThreads) {
  open(kFree);
  Progress progress;
  std::atomic<uint64_t> unused{0};
  constexpr size_t kSteps = 20, kParts = 4;
  for (size_t i = 0; i < kSteps; ++i) {
    const auto step =
        makeRef<CheckingStep>(kParts, nanoseconds(i % 5 == 0 ? 8'000 : 10), progress,
                              std::vector<std::pair<const Progress*, size_t>>{}, unused);
    ASSERT_TRUE(buffer_->record(step, CommandBuffer::Order::Free, {}).has_value());
  }
  ASSERT_TRUE(buffer_->finalize().has_value());
  constexpr int kThreads = 4, kTimes = 25;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([this, t] {
      for (int i = 0; i < kTimes; ++i) {
        cl_event event = nullptr;
        EXPECT_TRUE(buffer_->enqueue(*Queue::from(queue_), {}, &event).has_value());
        if (i % 3 == t % 3) {
          EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
        }
        EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
      }
    });
  for (std::thread& thread : threads) thread.join();
  buffer_ = nullptr;  // what is under way goes on
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  EXPECT_EQ(progress.parts.load(), uint64_t{kThreads} * kTimes * kSteps * kParts);
}

}  // namespace
}  // namespace weft
