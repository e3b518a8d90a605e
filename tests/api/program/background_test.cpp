// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds with callbacks over the real compiler: many at once, at the end of the process, across
// fork(), and between two calls of clUnloadPlatformCompiler.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "support/programs.h"
#include "support/sanitizers.h"

namespace weft::test {
namespace {

std::string sourceOf(int number) {
  return "kernel void k(global int* p) { p[get_global_id(0)] = " + std::to_string(number) + "; }";
}

/// Takes the compiler seconds.
std::string longSource() {
  std::string source = "kernel void k(global float* p) { float x = *p;\n";
  for (int i = 0; i < 3000; ++i)
    source += "x = sin(x) * " + std::to_string(i) + " + p[(int)x & 15];\n";
  return source + "*p = x; }";
}

int runs(cl_context context, cl_program program) {
  const QueueHolder queue = makeQueue(context);
  const KernelHolder kernel = makeKernel(program, "k");
  const MemoryHolder buffer = makeBuffer(context, std::vector<int>(16));
  setBuffer(kernel, 0, buffer);
  const size_t global = 16;
  EXPECT_EQ(
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr),
      CL_SUCCESS);
  return readBuffer<int>(queue, buffer, 16)[15];
}

void CL_CALLBACK count(cl_program, void* counter) { ++*static_cast<std::atomic<int>*>(counter); }

TEST(BackgroundBuildApi, ManyAtOnceAndUnloadInBetween) {
  const ContextHolder context = makeContext();
  constexpr int kPrograms = 24;
  std::atomic<int> done = 0;
  std::vector<ProgramHolder> programs;
  for (int i = 0; i < kPrograms; ++i) {
    programs.push_back(makeProgram(context, sourceOf(i + 70000)));
    EXPECT_EQ(clBuildProgram(programs.back(), 0, nullptr, "", count, &done), CL_SUCCESS);
    if (i % 5 == 0) EXPECT_EQ(clUnloadPlatformCompiler(platform()), CL_SUCCESS);
  }
  while (done != kPrograms) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(clUnloadPlatformCompiler(platform()), CL_SUCCESS);
  EXPECT_EQ(clUnloadCompiler(), CL_SUCCESS);
  for (int i = 0; i < kPrograms; i += 7) EXPECT_EQ(runs(context, programs[i]), i + 70000);
}

TEST(BackgroundBuildApi, UnloadRefusesOtherHandles) {
  EXPECT_EQ(clUnloadPlatformCompiler(nullptr), CL_INVALID_PLATFORM);
}

[[noreturn]] void exitDuringBuilds() {
  setenv("WEFT_CACHE", "off", 1);
  const cl_device_id only = device();
  const cl_context context = clCreateContext(nullptr, 1, &only, nullptr, nullptr, nullptr);
  const std::string source = longSource();
  const char* text = source.c_str();
  // Nobody releases them, and they are no leaks either: this is where they are found.
  static std::array<cl_program, 6> programs;
  for (size_t i = 0; i < programs.size(); ++i) {
    const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
    programs[i] = program;
    static std::atomic<int> done;
    if (clBuildProgram(program, 0, nullptr, i % 2 ? "" : "-cl-opt-disable", count, &done) !=
        CL_SUCCESS)
      std::_Exit(1);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::exit(0);  // with all destructors of static objects
}

TEST(BackgroundBuildDeathTest, ProcessMayEndDuringBuilds) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exitDuringBuilds(), testing::ExitedWithCode(0), "");
}

[[noreturn]] void forkDuringBuilds() {
  setenv("WEFT_CACHE", "off", 1);
  const ContextHolder context = makeContext();
  bool right = true;
  for (int round = 0; round < 5; ++round) {
    std::atomic<int> done = 0;
    std::vector<ProgramHolder> programs;
    for (int i = 0; i < 6; ++i) {
      programs.push_back(makeProgram(context, sourceOf(round * 100 + i)));
      clBuildProgram(programs.back(), 0, nullptr, "", count, &done);
    }
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      bool good = true;
      for (const ProgramHolder& program : programs) {
        cl_build_status status = 77;
        clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                              nullptr);
        good = good && (status == CL_BUILD_SUCCESS || status == CL_BUILD_ERROR);
      }
      const ProgramHolder again = buildProgram(context, sourceOf(5));
      std::_Exit(good && runs(context, again) == 5 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    right = right && status == 0;
    while (done != 6) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    right = right && runs(context, programs[3]) == round * 100 + 3;
  }
  std::_Exit(right ? 0 : 1);
}

TEST(BackgroundBuildDeathTest, BothSidesOfAForkGoOn) {
  if (kThreadSanitizer) GTEST_SKIP();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(forkDuringBuilds(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace weft::test
