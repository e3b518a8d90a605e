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
#include "support/programs.h"
#include "support/sanitizers.h"

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

/// What the threads of a process have in common.
struct SharedObjects {
  ContextHolder context = makeContext();
  MemoryHolder buffer{clCreateBuffer(context, 0, 4096, nullptr, nullptr)};
  ProgramHolder program = buildProgram(context, "kernel void k(global int* d, int v) { *d = v; }");
  KernelHolder kernel = makeKernel(program, "k");
};

/// Calls that lock the objects, and nothing that takes long.
bool usesObjects(const SharedObjects& shared, cl_command_queue queue) {
  cl_int error = CL_INVALID_VALUE;
  void* const mapped = clEnqueueMapBuffer(queue, shared.buffer, CL_TRUE, CL_MAP_READ, 0, 64, 0,
                                          nullptr, nullptr, &error);
  if (error != CL_SUCCESS) return false;
  error = clEnqueueUnmapMemObject(queue, shared.buffer, mapped, 0, nullptr, nullptr);
  const cl_mem argument = shared.buffer;
  const cl_int value = 7;
  error |= clSetKernelArg(shared.kernel, 0, sizeof argument, &argument);
  error |= clSetKernelArg(shared.kernel, 1, sizeof value, &value);
  cl_build_status status = CL_BUILD_NONE;
  error |= clGetProgramBuildInfo(shared.program, device(), CL_PROGRAM_BUILD_STATUS, sizeof status,
                                 &status, nullptr);
  const KernelHolder clone(clCloneKernel(shared.kernel, nullptr));
  const KernelHolder another(clCreateKernel(shared.program, "k", nullptr));
  const size_t one = 1;
  error |=
      clEnqueueNDRangeKernel(queue, shared.kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
  error |= clFinish(queue);
  return error == CL_SUCCESS && status == CL_BUILD_SUCCESS && clone.get() != nullptr &&
         another.get() != nullptr;
}

/// The child uses the very objects that other threads were in the middle of using.
[[noreturn]] void forkWhenObjectsAreInUse() {
  const SharedObjects shared;
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      const QueueHolder queue = makeQueue(shared.context);
      while (!stop)
        if (!usesObjects(shared, queue)) ++wrong;
    });
  for (int round = 0; round < 40; ++round) {
    const pid_t child = fork();
    if (child == 0) std::_Exit(usesObjects(shared, makeQueue(shared.context)) ? 0 : 1);
    if (outcome(child) != 0) ++wrong;
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  std::_Exit(wrong == 0 ? 0 : 1);
}

/// What a function of the application that forks finds out.
struct Forked {
  std::atomic<pid_t> child{-1};
  std::atomic<bool> isChild{false};

  void fork() {
    const pid_t pid = ::fork();
    if (pid == 0) alarm(60);  // a hang must not outlive the test
    isChild = pid == 0;
    child = pid;
  }
};

void CL_CALLBACK forkInNativeKernel(void* arguments) {
  (*static_cast<Forked**>(arguments))->fork();
}

EventHolder enqueueFork(cl_command_queue queue, Forked& forked) {
  Forked* argument = &forked;
  cl_event event = nullptr;
  if (clEnqueueNativeKernel(queue, forkInNativeKernel, &argument, sizeof argument, 0, nullptr,
                            nullptr, 0, nullptr, &event) != CL_SUCCESS)
    std::_Exit(2);
  return EventHolder(event);
}

/// On the thread that waits, which goes on in the child too.
[[noreturn]] void forkInANativeKernelThatIsHelped() {
  const ContextHolder context = makeContext();
  const QueueHolder queue = makeQueue(context);
  Forked forked;
  // A worker may come first: then it is the next test.
  const EventHolder event = enqueueFork(queue, forked);
  const cl_int finished = clFinish(queue);
  if (forked.isChild) {
    cl_int status = CL_SUCCESS;
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    std::_Exit(finished == CL_SUCCESS && status < 0 && computes(context, 5) ? 0 : 1);
  }
  std::_Exit(outcome(forked.child) == 0 && computes(context, 7) ? 0 : 1);
}

/// On a worker: it is the only thread of the child, and has nothing to do there.
[[noreturn]] void forkInANativeKernelOfAWorker() {
  const ContextHolder context = makeContext();
  const QueueHolder queue = makeQueue(context);
  Forked forked;
  const EventHolder event = enqueueFork(queue, forked);
  clFlush(queue);
  while (forked.child == -1) std::this_thread::yield();
  const bool right = outcome(forked.child) == 0;
  std::_Exit(right && clFinish(queue) == CL_SUCCESS && computes(context, 7) ? 0 : 1);
}

/// The same on the thread of callbacks.
[[noreturn]] void forkInACallback() {
  const ContextHolder context = makeContext();
  const QueueHolder queue = makeQueue(context);
  Forked forked;
  cl_event event = nullptr;
  clEnqueueMarkerWithWaitList(queue, 0, nullptr, &event);
  const auto callback = [](cl_event, cl_int, void* data) { static_cast<Forked*>(data)->fork(); };
  clSetEventCallback(event, CL_COMPLETE, callback, &forked);
  while (forked.child == -1) std::this_thread::yield();
  const bool right = outcome(forked.child) == 0;
  std::_Exit(right && computes(context, 7) ? 0 : 1);
}

TEST(ForkDeathTest, BothGoOnAfterANativeKernelOfTheWaitingThread) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(forkInANativeKernelThatIsHelped(), testing::ExitedWithCode(0), "");
}

// LeakSanitizer misses what the stacks of the parent's threads held, and ThreadSanitizer loses its
// own thread in the child of any but the main one.
#define WEFT_SKIP_WITH_SANITIZERS() \
  if (kSanitizer) GTEST_SKIP() << "the sanitizer does not follow a fork by another thread"

TEST(ForkDeathTest, ChildOfANativeKernelOnAWorkerEnds) {
  WEFT_SKIP_WITH_SANITIZERS();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(forkInANativeKernelOfAWorker(), testing::ExitedWithCode(0), "");
}

TEST(ForkDeathTest, ChildOfACallbackEnds) {
  WEFT_SKIP_WITH_SANITIZERS();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(forkInACallback(), testing::ExitedWithCode(0), "");
}

TEST(ForkDeathTest, BothGoOnWhenIdle) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(forkWhenIdle(), testing::ExitedWithCode(0), "");
}

TEST(ForkDeathTest, BothGoOnWhenBusy) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(forkWhenBusy(), testing::ExitedWithCode(0), "");
}

TEST(ForkDeathTest, ChildUsesTheObjectsThatOthersWereUsing) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(forkWhenObjectsAreInUse(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace weft::test
