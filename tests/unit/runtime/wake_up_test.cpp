// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sched.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "sched/cpu_mask.h"
#include "sched/probe.h"
#include "unit/runtime/pool_fixture.h"

namespace weft::runtime::test {
namespace {

using std::chrono::microseconds;

cpu_set_t cpusOf(pid_t thread) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  EXPECT_EQ(sched_getaffinity(thread, sizeof cpus, &cpus), 0);
  return cpus;
}

cpu_set_t onlyCpu(int cpu) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(cpu, &cpus);
  return cpus;
}

int firstOf(const cpu_set_t& cpus) {
  int cpu = 0;
  while (!CPU_ISSET(cpu, &cpus)) ++cpu;
  return cpu;
}

TEST(WakeUpTime, IsWorthItsAverage) {
  WakeUpTime time;
  EXPECT_EQ(time.worthWaking(), kWorthWaking);
  for (int i = 0; i < 100; ++i) time.note(microseconds(5));
  EXPECT_EQ(time.worthWaking(), kWorthWaking) << "never less";
  for (int i = 0; i < 100; ++i) time.note(microseconds(40));
  EXPECT_NEAR(static_cast<double>(time.worthWaking()), 60'000, 1000);
  time.note(std::chrono::seconds(5));
  EXPECT_LT(time.worthWaking(), 75'000u) << "one that came late";
  EXPECT_EQ(helpersFor(10, 5'000, time.worthWaking()), 0u);
  EXPECT_EQ(helpersFor(100, 5'000, 60'000), 8u);
}

TEST(CpuMask, KeepsAThreadOffOneCpu) {
  const CpuMask home = CpuMask::ofThisThread();
  const std::vector<unsigned> cpus = home.cpus();
  std::atomic<bool> isOver{false};
  std::atomic<pid_t> id{0};
  std::thread thread([&] {
    id = gettid();
    eventually([&] { return isOver.load(); });
  });
  ASSERT_TRUE(eventually([&] { return id != 0; }));
  EXPECT_FALSE(home.keepOff(thread, -1));
  EXPECT_FALSE(CpuMask(std::array{cpus[0]}).keepOff(thread, static_cast<int>(cpus[0])))
      << "there is no other";
  const cpu_set_t all = cpusOf(id);
  EXPECT_EQ(CPU_COUNT(&all), static_cast<int>(cpus.size()));
  if (cpus.size() > 1) {
    EXPECT_TRUE(home.keepOff(thread, static_cast<int>(cpus[0])));
    const cpu_set_t left = cpusOf(id);
    for (const unsigned cpu : cpus) EXPECT_EQ(CPU_ISSET(cpu, &left) != 0, cpu != cpus[0]) << cpu;
  }
  isOver = true;
  thread.join();
}

/// Two slots, and a job that needs both.
class WakeUp : public ::testing::Test {
 protected:
  WakeUp() {
    ExecutorOptions options;
    options.workers = 2;
    options.maxLocalBytes = kLocalBytes;
    options.maxWorkGroupSize = 64;
    executor_ = createExecutor(options);
  }
  ~WakeUp() override { sched_setaffinity(0, sizeof home_, &home_); }

  /// Has both parts wait for each other; returns where the worker may run then.
  cpu_set_t meet() {
    CountingJob job;
    job.parts = 2;
    std::atomic<int> inside{0};
    const pid_t here = gettid();
    cpu_set_t cpus{};
    job.body = [&](size_t, Slot&) {
      if (gettid() != here) cpus = cpusOf(0);
      ++inside;
      EXPECT_TRUE(eventually([&] { return inside == 2; }));
    };
    executor_->submit(job, Urgency::Now);
    executor_->help(job);
    EXPECT_TRUE(eventually([&] { return job.done(); }));
    return cpus;
  }

  static std::vector<pid_t> workers() {
    std::vector<pid_t> ids;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
      std::string name;
      std::getline(std::ifstream(entry.path() / "comm") >> std::ws, name);
      if (name == "weft-worker") ids.push_back(std::stoi(entry.path().filename()));
    }
    return ids;
  }
  /// Waits until workers have stopped watching for work.
  static void letThemSleep() {
    for (int calm = 0; calm < 20; std::this_thread::sleep_for(microseconds(500))) {
      bool isCalm = true;
      for (const pid_t id : workers()) {
        std::ifstream file("/proc/self/task/" + std::to_string(id) + "/stat");
        std::string text;
        std::getline(file, text);
        isCalm = isCalm && text.substr(text.rfind(')') + 2, 1) == "S";
      }
      calm = isCalm ? calm + 1 : 0;
    }
  }

  const cpu_set_t home_ = cpusOf(0);
  std::unique_ptr<Executor> executor_;
};

TEST_F(WakeUp, BringsWorkersWhereNobodyRunsYet) {
  if (CPU_COUNT(&home_) < 2) GTEST_SKIP() << "there is one CPU";
  meet();
  letThemSleep();
  // As a system does that wakes threads on the CPU of whoever wakes them.
  const cpu_set_t mine = onlyCpu(firstOf(home_));
  ASSERT_EQ(sched_setaffinity(0, sizeof mine, &mine), 0);
  for (const pid_t id : workers()) ASSERT_EQ(sched_setaffinity(id, sizeof mine, &mine), 0);
  for (int i = 0; i < 3; ++i) {
    meet();
    letThemSleep();
  }
  // Seen once, workers are kept off this CPU until they run, and go anywhere afterwards.
  const cpu_set_t cpus = meet();
  EXPECT_TRUE(CPU_EQUAL(&cpus, &home_)) << CPU_COUNT(&cpus) << " CPUs";
}

}  // namespace
}  // namespace weft::runtime::test
