// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds with a callback: they run in the background, whatever becomes of the rest meanwhile.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "program_fixture.h"

namespace weft::test {
namespace {

using namespace std::chrono_literals;

class BackgroundBuild : public FakePrograms {
 protected:
  /// Begins a build with a callback and waits until it is at the gate.
  void begin(cl_program program, CallbackRecord& seen) {
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", record, &seen), CL_SUCCESS);
    awaitGate();
  }
  void awaitGate() {
    while (fake::waiting() == 0) std::this_thread::sleep_for(1ms);
  }
};

TEST_F(BackgroundBuild, CallReturnsWhileTheBuildIsInProgress) {
  const ProgramHolder made = program("wait kernel:a warn");
  CallbackRecord seen;
  begin(made, seen);
  EXPECT_EQ(statusOf(made), CL_BUILD_IN_PROGRESS);
  EXPECT_EQ(logOf(made), "");
  EXPECT_EQ(build(made), CL_INVALID_OPERATION);
  EXPECT_EQ(clBuildProgram(made, 0, nullptr, "", record, &seen), CL_INVALID_OPERATION);
  EXPECT_EQ(clCompileProgram(made, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(kernelError(made), CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_EQ(seen.calls, 0);
  fake::openGate();
  await(seen);
  EXPECT_EQ(seen.program, made.get());
  EXPECT_EQ(seen.status, CL_BUILD_SUCCESS);
  EXPECT_FALSE(seen.onCaller);
  EXPECT_EQ(logOf(made), "warning: as asked for\n");
  EXPECT_EQ(kernelError(made), CL_SUCCESS);
}

TEST_F(BackgroundBuild, CompileKeepsItsHeaders) {
  const ProgramHolder made = program("wait need:x.h kernel:a");
  CallbackRecord seen;
  {
    const ProgramHolder header = program("warn");
    cl_program headers[] = {header};
    std::string name = "x.h";
    const char* names[] = {name.c_str()};
    EXPECT_EQ(clCompileProgram(made, 0, nullptr, "", 1, headers, names, record, &seen), CL_SUCCESS);
    name = "gone";
  }
  fake::openGate();
  await(seen);
  EXPECT_EQ(seen.status, CL_BUILD_SUCCESS);
}

TEST_F(BackgroundBuild, LinkGivesAProgramInProgress) {
  const ProgramHolder a = compiled("kernel:a"), waits = program("kernel:b wait");
  CallbackRecord compileSeen, linkSeen;
  EXPECT_EQ(clCompileProgram(waits, 0, nullptr, "", 0, nullptr, nullptr, record, &compileSeen),
            CL_SUCCESS);
  awaitGate();
  cl_program inputs[] = {a, waits};
  cl_int error = 1;
  EXPECT_EQ(clLinkProgram(context_, 0, nullptr, "", 2, inputs, record, &linkSeen, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_OPERATION) << "an input is being compiled";
  fake::openGate();
  await(compileSeen);
  fake::closeGate();
  ProgramHolder linked(
      clLinkProgram(context_, 0, nullptr, "", 2, inputs, record, &linkSeen, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  awaitGate();
  EXPECT_EQ(statusOf(linked), CL_BUILD_IN_PROGRESS);
  EXPECT_EQ(kernelError(linked), CL_INVALID_PROGRAM_EXECUTABLE);
  fake::openGate();
  await(linkSeen);
  EXPECT_EQ(linkSeen.program, linked.get());
  EXPECT_EQ(kernelError(linked, "b"), CL_SUCCESS);
}

TEST_F(BackgroundBuild, LivesWhenProgramAndContextAreReleased) {
  CallbackRecord seen;
  {
    const ProgramHolder made = program("wait kernel:a");
    begin(made, seen);
  }
  context_.reset();
  fake::openGate();
  await(seen);
  EXPECT_EQ(seen.status, CL_BUILD_SUCCESS);
}

TEST_F(BackgroundBuild, FailuresOfTheBuildAreTheStatusAlone) {
  for (const char* source : {"error:source", "error:memory", "error:internal", "throw"}) {
    SCOPED_TRACE(source);
    const ProgramHolder made = program(source);
    CallbackRecord seen;
    EXPECT_EQ(clBuildProgram(made, 0, nullptr, "", record, &seen), CL_SUCCESS);
    await(seen);
    EXPECT_EQ(seen.status, CL_BUILD_ERROR);
    EXPECT_NE(logOf(made).find("error"), std::string::npos);
    EXPECT_EQ(kernelError(made), CL_INVALID_PROGRAM_EXECUTABLE);
  }
}

TEST_F(BackgroundBuild, WhatIsWrongWithTheCallIsToldAtOnce) {
  const ProgramHolder made = program("kernel:a");
  CallbackRecord seen;
  const auto code = [&](const char* options, cl_uint count = 0,
                        const cl_device_id* list = nullptr) {
    return clBuildProgram(made, count, list, options, record, &seen);
  };
  const cl_device_id none = nullptr;
  EXPECT_EQ(code("-bad"), CL_INVALID_BUILD_OPTIONS);
  EXPECT_EQ(code("", 1), CL_INVALID_VALUE);
  EXPECT_EQ(code("", 1, &none), CL_INVALID_DEVICE);
  ASSERT_EQ(build(made), CL_SUCCESS);
  {
    const KernelHolder kernel(clCreateKernel(made, "a", nullptr));
    EXPECT_EQ(code(""), CL_INVALID_OPERATION);
  }
  fake::failPosts(true);
  EXPECT_EQ(code(""), CL_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(statusOf(made), CL_BUILD_ERROR);
  fake::failPosts(false);
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(seen.calls, 0) << "a call that fails has no callback";
  EXPECT_EQ(build(made), CL_SUCCESS);
}

TEST_F(BackgroundBuild, CallbackMayBuildAgain) {
  static std::atomic<int> builds;
  builds = 0;
  const ProgramHolder made = program("kernel:a");
  EXPECT_EQ(clBuildProgram(
                made, 0, nullptr, "",
                [](cl_program program, void*) {
                  EXPECT_EQ(build(program, "-DAGAIN"), CL_SUCCESS);
                  ++builds;
                },
                nullptr),
            CL_SUCCESS);
  while (builds == 0) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(optionsOf(made), "-DAGAIN");
}

/// Exit code of a child that does what `body` says; 0 when that is true.
template <class Body>
int inChild(Body body) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::alarm(30);  // a child that hangs is ended, and fails the test
    ::_exit(body() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(pid, &status, 0);
  return status;
}

TEST_F(BackgroundBuild, EndsAsFailedInTheChildOfAFork) {
  const ProgramHolder made = program("wait kernel:a"), other = program("kernel:b");
  CallbackRecord seen;
  begin(made, seen);
  EXPECT_EQ(inChild([&] {
              return statusOf(made) == CL_BUILD_ERROR &&
                     logOf(made).find("fork") != std::string::npos && seen.calls == 0 &&
                     build(other) == CL_SUCCESS && kernelError(other, "b") == CL_SUCCESS &&
                     (fake::openGate(), build(made)) == CL_SUCCESS;
            }),
            0);
  EXPECT_EQ(statusOf(made), CL_BUILD_IN_PROGRESS);
  fake::openGate();
  await(seen);
  EXPECT_EQ(seen.status, CL_BUILD_SUCCESS);
}

TEST_F(BackgroundBuild, OtherThreadsBuildEndsInTheChildToo) {
  const ProgramHolder made = program("wait kernel:a");
  std::thread builder([&] { EXPECT_EQ(build(made), CL_SUCCESS); });
  awaitGate();
  EXPECT_EQ(inChild([&] { return statusOf(made) == CL_BUILD_ERROR; }), 0);
  fake::openGate();
  builder.join();
  EXPECT_EQ(statusOf(made), CL_BUILD_SUCCESS);
}

TEST_F(BackgroundBuild, LoadedBinaryKeepsItsOptions) {
  const ProgramHolder made = program("kernel:a");
  ASSERT_EQ(build(made, "-D KEPT=1"), CL_SUCCESS);
  const auto binary = binaryOf(made);
  cl_int error = 1;
  for (const char* options : {static_cast<const char*>(nullptr), "", "-D OTHER"}) {
    const ProgramHolder loaded = load(binary, &error);
    ASSERT_EQ(error, CL_SUCCESS);
    EXPECT_EQ(optionsOf(loaded), "");
    CallbackRecord seen;
    EXPECT_EQ(clBuildProgram(loaded, 0, nullptr, options, record, &seen), CL_SUCCESS);
    await(seen);
    EXPECT_EQ(optionsOf(loaded), options ? options : "-D KEPT=1");
    EXPECT_EQ(binaryOf(loaded), binary);
  }
  const ProgramHolder source = program("kernel:a");
  ASSERT_EQ(build(source, nullptr), CL_SUCCESS);
  EXPECT_EQ(optionsOf(source), "");
}

}  // namespace
}  // namespace weft::test
