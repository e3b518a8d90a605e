// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <dirent.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "weft/runtime/executor.h"
#include "weft/support/mutex.h"

namespace weft::runtime::test {

inline constexpr uint64_t kLocalBytes = 65536;

/// Threads of this process.
inline size_t threadCount() {
  size_t count = 0;
  DIR* tasks = opendir("/proc/self/task");
  while (const dirent* entry = readdir(tasks)) count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}

/// Waits, for seconds at most, until `condition` holds.
template <class Condition>
bool eventually(Condition condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

/// Address of a service by its link name.
template <class Function>
Function* service(const Executor& executor, const char* name) {
  for (const abi::ServiceSymbol& symbol : executor.services())
    if (std::strcmp(symbol.name, name) == 0) return reinterpret_cast<Function*>(symbol.address);
  ADD_FAILURE() << "no service " << name;
  return nullptr;
}

/// A job that keeps count of everything the executor tells it.
class CountingJob : public Job {
 public:
  void started() noexcept override {
    EXPECT_EQ(started_.fetch_add(1), 0);
    EXPECT_EQ(ran_.load(), 0u);
  }
  void finished() noexcept override {
    EXPECT_EQ(ran_.load(), parts);
    finished_.store(true);
  }
  void runPart(size_t part, Slot& slot) noexcept override {
    EXPECT_EQ(started_.load(), 1);
    EXPECT_LT(part, parts);
    ran_.fetch_add(1);
    body(part, slot);
  }
  void failed(FailureKind kind, std::string_view message) noexcept override {
    MutexLock lock(mutex_);
    ++failures_;
    kind_ = kind;
    message_ = message;
  }
  void printed(std::string_view text) noexcept override {
    MutexLock lock(mutex_);
    output_ += text;
  }

  bool done() const { return finished_.load(); }
  size_t ran() const { return ran_.load(); }
  int failures() const {
    MutexLock lock(mutex_);
    return failures_;
  }
  FailureKind kind() const {
    MutexLock lock(mutex_);
    return kind_;
  }
  std::string message() const {
    MutexLock lock(mutex_);
    return message_;
  }
  std::string output() const {
    MutexLock lock(mutex_);
    return output_;
  }
  /// Makes the job fit for another submit.
  void rearm() {
    started_ = 0;
    ran_ = 0;
    finished_ = false;
  }

  std::function<void(size_t, Slot&)> body = [](size_t, Slot&) {};

 private:
  std::atomic<int> started_{0};
  std::atomic<size_t> ran_{0};
  std::atomic<bool> finished_{false};
  mutable Mutex mutex_;
  int failures_ WEFT_GUARDED_BY(mutex_) = 0;
  FailureKind kind_ WEFT_GUARDED_BY(mutex_){};
  std::string message_ WEFT_GUARDED_BY(mutex_);
  std::string output_ WEFT_GUARDED_BY(mutex_);
};

/// A launch of hand-written code over one box.
struct HandWritten {
  // Set by the test.
  NDRange range;
  abi::Slicing slicing;
  abi::GroupEntry groupEntry = nullptr;
  abi::ItemEntry itemEntry = nullptr;
  uint32_t width = 1;
  uint64_t frameBytes = 0;
  const abi::MachineCode* settled = nullptr;      ///< in place of the code above
  const abi::MachineCode* provisional = nullptr;  ///< the same, until there is better code
  uint32_t subGroupSize = 1;
  LaunchBindings bindings;
  compiler::KernelInfo kernel;

  // Made by slice().
  LaunchShape shape;
  KernelLaunch launch;

  HandWritten() = default;
  HandWritten(const HandWritten&) = delete;
  HandWritten& operator=(const HandWritten&) = delete;

  const BoxSlices& slices() const { return shape.slices[0]; }

  void slice(const Executor& executor, const Placement& placement = {}) {
    code_.groupEntry = groupEntry;
    code_.itemEntry = itemEntry;
    code_.width = width;
    code_.frameBytes = frameBytes;
    shape.kernel = &kernel;
    shape.range = range;
    shape.subGroupSize = subGroupSize;
    shape.boxCount = 1;
    shape.boxes[0] = {.begin = {},
                      .end = range.globalSize,
                      .slicing = slicing,
                      .code = provisional ? provisional
                              : settled   ? settled
                                          : &code_,
                      .isProvisional = provisional != nullptr};
    executor.slice(shape, placement);
    launch = KernelLaunch(shape, bindings);
  }

 private:
  abi::MachineCode code_;
};

/// A job that runs a launch.
class LaunchJob : public CountingJob {
 public:
  LaunchJob() {
    body = [this](size_t part, Slot& slot) { slot.runPart(launch.launch, part, *this); };
  }
  HandWritten launch;
};

/// How a launch's job is brought to its end.
enum class Drive { Help, Workers };

/// An executor with a given number of workers; no thread may be left when it is gone.
class PoolTest : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    std::thread([] {}).join();  // ThreadSanitizer starts a thread of its own with the first one
    threadsBefore_ = threadCount();
    options.workers = GetParam();
    options.maxLocalBytes = kLocalBytes;
    options.maxWorkGroupSize = 4096;
    recreate();
  }
  void TearDown() override {
    executor.reset();
    // The system may take a moment to forget a thread that has been joined.
    EXPECT_TRUE(eventually([&] { return threadCount() <= threadsBefore_; })) << "threads left";
  }
  void recreate() { executor = createExecutor(options); }

  void finish(CountingJob& job, Drive drive = Drive::Help) {
    if (drive == Drive::Help) {
      executor->submit(job, Urgency::Lazy);
      executor->help(job);
    } else {
      executor->submit(job, Urgency::Now);
    }
    ASSERT_TRUE(eventually([&] { return job.done(); }));
  }
  void run(LaunchJob& job, Drive drive = Drive::Help) {
    job.launch.slice(*executor);
    job.parts = job.launch.shape.parts;
    finish(job, drive);
  }

  ExecutorOptions options;
  std::unique_ptr<Executor> executor;

 private:
  size_t threadsBefore_ = 0;
};

#define WEFT_SWEEP_WORKERS(suite)                                           \
  INSTANTIATE_TEST_SUITE_P(Workers, suite, testing::Values(1, 2, 4, 8, 64), \
                           [](const auto& info) { return std::to_string(info.param); })

}  // namespace weft::runtime::test
