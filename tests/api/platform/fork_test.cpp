// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "support/objects.h"

// fork() with the whole library in use: parent and child both go on working.

namespace weft::test {
namespace {

/// Builds a kernel of its own and runs it; whether the answer was right.
bool computes(cl_context context, cl_int factor) {
  constexpr size_t kCount = 512;
  const std::string source =
      "kernel void k(global int* d) { local int t[64]; t[get_local_id(0)] = d[get_global_id(0)];"
      " barrier(CLK_LOCAL_MEM_FENCE); d[get_global_id(0)] = " +
      std::to_string(factor) + " * t[get_local_id(0)]; }";
  const char* text = source.c_str();
  std::vector<cl_int> data(kCount, 3);
  const QueueHolder queue = makeQueue(context);
  const MemoryHolder buffer(
      clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, kCount * sizeof(cl_int), data.data(), nullptr));
  const ProgramHolder program(clCreateProgramWithSource(context, 1, &text, nullptr, nullptr));
  if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS) return false;
  const KernelHolder kernel(clCreateKernel(program, "k", nullptr));
  const cl_mem argument = buffer;
  clSetKernelArg(kernel, 0, sizeof argument, &argument);
  const size_t local = 64;
  if (clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kCount, &local, 0, nullptr, nullptr) !=
      CL_SUCCESS)
    return false;
  if (clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kCount * sizeof(cl_int), data.data(), 0,
                          nullptr, nullptr) != CL_SUCCESS)
    return false;
  return data == std::vector<cl_int>(kCount, 3 * factor);
}

/// 0 when the child ended well within the time; kills it otherwise.
int outcome(pid_t child) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  int status = -1;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return -1;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return status;
}

[[noreturn]] void forkWhenIdle() {
  setenv("WEFT_CACHE", "off", 1);  // every build runs the compiler
  const ContextHolder context = makeContext();
  bool right = computes(context, 2);
  const pid_t child = fork();
  if (child == 0) std::_Exit(computes(context, 5) && computes(makeContext(), 6) ? 0 : 1);
  right = right && outcome(child) == 0 && computes(context, 7);
  std::_Exit(right ? 0 : 1);
}

[[noreturn]] void forkWhenBusy() {
  setenv("WEFT_CACHE", "off", 1);
  const ContextHolder context = makeContext();
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; !stop; ++round)
        if (!computes(context, 10 + 1000 * i + round)) ++wrong;
    });
  for (int round = 0; round < 10; ++round) {
    const pid_t child = fork();
    if (child == 0) std::_Exit(computes(makeContext(), 5) ? 0 : 1);
    if (outcome(child) != 0) ++wrong;
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  std::_Exit(wrong == 0 ? 0 : 1);
}

TEST(ForkDeathTest, BothGoOnWhenIdle) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(forkWhenIdle(), testing::ExitedWithCode(0), "");
}

TEST(ForkDeathTest, BothGoOnWhenBusy) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(forkWhenBusy(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace weft::test
