// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that take long to optimise: launches before, while and after their final code comes.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "support/objects.h"
#include "support/programs.h"
#include "support/sanitizers.h"

namespace weft::test {
namespace {

/// Takes hundreds of milliseconds to optimise. `unique` keeps it out of the disk cache.
std::string slowSource(int unique, bool barriers) {
  std::string source =
      "kernel void slow(global int* p, int turns) {\n"
      "  local int t[64]; int i = get_global_id(0); uint x = i;\n"
      "  for (int turn = 0; turn < turns; ++turn) {\n";
  for (int i = 0; i < 8; ++i) {
    const std::string number = std::to_string(i + 1);
    source += "    for (int k = 0; k < 7; ++k) x = x * p[1024 + ((i + k) & " + number + ")] + " +
              std::to_string(unique) + ";\n";
    if (barriers && i % 4 == 0)
      source +=
          "    t[get_local_id(0)] = x; barrier(CLK_LOCAL_MEM_FENCE); x += t[63 - "
          "get_local_id(0)];\n"
          "    barrier(CLK_LOCAL_MEM_FENCE);\n";
  }
  return source + "  }\n  p[i] = (int)x;\n}\n";
}

int uniqueNumber() {
  static int next = static_cast<int>(getpid() % 10000) * 100;
  return next++;
}

/// One kernel in everything that it needs to run.
class Slow {
 public:
  explicit Slow(const std::string& source) {
    program_ = buildProgram(context_, source);
    kernel_ = makeKernel(program_, "slow");
    cl_int error = 1;
    buffer_ = MemoryHolder(
        clCreateBuffer(context_, CL_MEM_READ_WRITE, 2048 * sizeof(int), nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
  }

  /// What the first 1024 work-items write.
  std::vector<int> run(int turns) {
    std::vector<int> data(2048);
    std::iota(data.begin(), data.end(), 3);
    EXPECT_EQ(clEnqueueWriteBuffer(queue_, buffer_, CL_TRUE, 0, data.size() * sizeof(int),
                                   data.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    const cl_mem buffer = buffer_;
    EXPECT_EQ(clSetKernelArg(kernel_, 0, sizeof buffer, &buffer), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel_, 1, sizeof turns, &turns), CL_SUCCESS);
    const size_t global = 1024, local = 64;
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &global, &local, 0, nullptr, nullptr),
        CL_SUCCESS);
    data.resize(1024);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, buffer_, CL_TRUE, 0, data.size() * sizeof(int),
                                  data.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return data;
  }

 private:
  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
  ProgramHolder program_;
  KernelHolder kernel_;
  MemoryHolder buffer_;
};

TEST(TiersApi, ResultsAreTheSameBeforeWhileAndAfterFinalCodeComes) {
  for (const bool barriers : {false, true}) {
    Slow slow(slowSource(uniqueNumber(), barriers));
    const std::vector<int> first = slow.run(3);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(700);
    while (std::chrono::steady_clock::now() < end) ASSERT_EQ(slow.run(3), first);
    // Long enough for the final code to come between two of its groups.
    Slow other(slowSource(uniqueNumber(), barriers));
    const std::vector<int> across = other.run(1500);
    EXPECT_EQ(other.run(1500), across);
  }
}

TEST(TiersApi, ObjectsMayBeReleasedWhileFinalCodeIsMade) {
  for (int i = 0; i < 4; ++i) Slow(slowSource(uniqueNumber(), i % 2 == 0)).run(1);
  EXPECT_EQ(clUnloadPlatformCompiler(platform()), CL_SUCCESS);
}

[[noreturn]] void exitWhileFinalCodeIsMade(int milliseconds) {
  static std::array<Slow*, 3> slow;
  for (Slow*& each : slow) {
    each = new Slow(slowSource(uniqueNumber(), false));
    each->run(1);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  std::exit(testing::Test::HasFailure() ? 1 : 0);  // with all destructors of static objects
}

TEST(TiersDeathTest, ProcessMayEndWhileFinalCodeIsMade) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const int delay : {0, 5, 30, 100})
    EXPECT_EXIT(exitWhileFinalCodeIsMade(delay), testing::ExitedWithCode(0), "");
}

[[noreturn]] void forkWhileFinalCodeIsMade() {
  bool right = true;
  for (int round = 0; round < 3; ++round) {
    Slow slow(slowSource(uniqueNumber(), round == 1));
    const std::vector<int> expected = slow.run(2);
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      Slow again(slowSource(uniqueNumber(), round == 1));
      const std::vector<int> first = again.run(2);
      const bool good = slow.run(2) == expected && again.run(2) == first;
      std::_Exit(good && !testing::Test::HasFailure() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    right = right && status == 0 && slow.run(2) == expected;
  }
  std::_Exit(right ? 0 : 1);
}

TEST(TiersDeathTest, BothSidesOfAForkGoOn) {
  if (kThreadSanitizer) GTEST_SKIP();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(forkWhileFinalCodeIsMade(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace weft::test
