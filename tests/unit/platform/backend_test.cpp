// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backend/backend.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "base/callback_thread.h"
#include "base/process_wide.h"
#include "fake_parts.h"
#include "platform/platform.h"
#include "program/launch_planner.h"

namespace weft::test {
namespace {

bool contains(const std::vector<std::string>& list, const char* text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// Each of these runs in a process of its own, since there is one platform for each process.
class BackendDeathTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

/// Ends the process; 0 when all checks held so far.
[[noreturn]] void finish() { std::_Exit(testing::Test::HasFailure() ? 1 : 0); }

TEST_F(BackendDeathTest, LookingForDevicesMakesNothing) {
  EXPECT_EXIT(
      {
        const cl_device_id device = Platform::instance().device().handle();
        const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
        size_t size = 0;
        EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, nullptr, &size), CL_SUCCESS);
        EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
        EXPECT_EQ(fakeParts().compilers, 0u);
        EXPECT_EQ(fakeParts().executors, 0u);
        EXPECT_EQ(Backend::instance().executorIfCreated(), nullptr);
        finish();
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(BackendDeathTest, MakesEachPartOnce) {
  EXPECT_EXIT(
      {
        Platform& platform = Platform::instance();
        std::vector<std::thread> threads;
        for (int i = 0; i < 8; ++i)
          threads.emplace_back([&] {
            Backend::instance().compiler();
            Backend::instance().executor();
            LaunchPlanner::instance();
          });
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(fakeParts().compilers, 1u);
        EXPECT_EQ(fakeParts().executors, 1u);
        const compiler::CompilerOptions& options = fakeParts().compilerOptions;
        EXPECT_EQ(options.services.size(), 1u);
        EXPECT_STREQ(options.services[0].name, kFakeService);
        EXPECT_EQ(options.maxLocalBytes, platform.device().localMemory());
        EXPECT_TRUE(contains(options.features, "__opencl_c_fp64"));
        EXPECT_TRUE(contains(options.extensions, "cl_khr_fp64"));
        EXPECT_FALSE(contains(options.extensions, "cl_khr_icd"));
        EXPECT_EQ(fakeParts().executorOptions.maxLocalBytes, platform.device().localMemory());
        EXPECT_EQ(platform.device().computeUnits(), 3u);
        finish();
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(BackendDeathTest, OptionsReachTheParts) {
  EXPECT_EXIT(
      {
        setenv("WEFT_THREADS", "5", 1);
        setenv("WEFT_CACHE", "off", 1);
        setenv("WEFT_CACHE_DIR", "/nowhere", 1);
        setenv("WEFT_STRICT_BARRIERS", "on", 1);
        Backend::instance().compiler();
        EXPECT_EQ(fakeParts().executorOptions.workers, 5u);
        EXPECT_TRUE(fakeParts().executorOptions.strictBarriers);
        EXPECT_EQ(Platform::instance().device().computeUnits(), 5u);
        EXPECT_FALSE(fakeParts().compilerOptions.cacheEnabled);
        EXPECT_EQ(fakeParts().compilerOptions.cacheDirectory, "/nowhere");
        finish();
      },
      testing::ExitedWithCode(0), "");
}

[[noreturn]] void forkAndCompare() {
  using Calls = std::vector<std::string>;
  Backend::instance().compiler();
  fakeParts().forkCalls.clear();
  const pid_t child = fork();
  const Calls inParent{"executor prepare", "compiler prepare", "compiler parent",
                       "executor parent"};
  const Calls inChild{"executor prepare", "compiler prepare", "executor child", "compiler child"};
  EXPECT_EQ(fakeParts().forkCalls, child == 0 ? inChild : inParent);
  LaunchPlanner::instance();  // the platform's own lock is free again in both
  if (child == 0) finish();
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  finish();
}

TEST_F(BackendDeathTest, TellsThePartsOfForks) {
  EXPECT_EXIT(forkAndCompare(), testing::ExitedWithCode(0), "");
}

TEST_F(BackendDeathTest, ForksFromManyThreadsAtOnce) {
  EXPECT_EXIT(
      {
        Backend::instance().compiler();
        std::vector<std::thread> threads;
        std::atomic<int> failures{0};
        for (int i = 0; i < 4; ++i)
          threads.emplace_back([&] {
            for (int round = 0; round < 10; ++round) {
              const pid_t child = fork();
              if (child == 0) {
                LaunchPlanner::instance();
                std::_Exit(0);
              }
              int status = -1;
              if (waitpid(child, &status, 0) != child || status != 0) ++failures;
            }
          });
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(failures.load(), 0);
        finish();
      },
      testing::ExitedWithCode(0), "");
}

/// Takes long to make.
struct Slow {
  Slow() {
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    whole = true;
  }
  bool whole = false;
};

[[noreturn]] void forkWhileThingsAreMade() {
  CallbackThread::instance();  // forks are prepared from the first of those that take part
  static std::array<ProcessWide<Slow>, 200> objects;
  std::thread maker([] {
    for (ProcessWide<Slow>& object : objects) object.get();
  });
  for (int round = 0; round < 30; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);  // ends a child that waits for ever
      bool whole = true;
      for (ProcessWide<Slow>& object : objects) whole &= object.get().whole;
      std::_Exit(whole ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  maker.join();
  finish();
}

TEST_F(BackendDeathTest, NothingIsHalfMadeInAChild) {
  EXPECT_EXIT(forkWhileThingsAreMade(), testing::ExitedWithCode(0), "");
}

TEST_F(BackendDeathTest, NoHandlersWithoutParts) {
  EXPECT_EXIT(
      {
        Platform::instance();
        const pid_t child = fork();
        if (child == 0) std::_Exit(fakeParts().forkCalls.empty() ? 0 : 1);
        int status = -1;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
        finish();
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace weft::test
