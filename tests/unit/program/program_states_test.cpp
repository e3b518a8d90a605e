// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The states of program objects through failures, delays and several threads.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "fake_compiler.h"
#include "program_fixture.h"
#include "support/objects.h"

namespace weft::test {
namespace {

using namespace std::chrono_literals;

using ProgramStates = FakePrograms;

TEST_F(ProgramStates, NewProgramHasNothing) {
  const ProgramHolder made = program("kernel:a");
  EXPECT_EQ(statusOf(made), CL_BUILD_NONE);
  EXPECT_EQ(typeOf(made), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_NONE});
  EXPECT_EQ(logOf(made), "");
  EXPECT_EQ(kernelError(made), CL_INVALID_PROGRAM_EXECUTABLE);
  size_t size = 77;
  EXPECT_EQ(clGetProgramInfo(made, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(size, 0u);
}

TEST_F(ProgramStates, EveryCompilerErrorHasItsCode) {
  const struct {
    const char* source;
    cl_int build, compile;
  } cases[] = {
      {"error:options", CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS},
      {"error:source", CL_BUILD_PROGRAM_FAILURE, CL_COMPILE_PROGRAM_FAILURE},
      {"error:internal", CL_BUILD_PROGRAM_FAILURE, CL_COMPILE_PROGRAM_FAILURE},
      {"error:binary", CL_INVALID_BINARY, CL_INVALID_BINARY},
      {"error:memory", CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_HOST_MEMORY},
      {"throw", CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_HOST_MEMORY},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.source);
    const ProgramHolder made = program(c.source);
    EXPECT_EQ(build(made), c.build);
    EXPECT_EQ(statusOf(made), CL_BUILD_ERROR);
    EXPECT_EQ(kernelError(made), CL_INVALID_PROGRAM_EXECUTABLE);
    EXPECT_EQ(clCompileProgram(made, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
              c.compile);
    EXPECT_EQ(statusOf(made), CL_BUILD_ERROR);
    if (std::strncmp(c.source, "error:", 6) == 0) {
      EXPECT_NE(logOf(made).find("error"), std::string::npos);
    }
  }
}

TEST_F(ProgramStates, WrongOptionsLeaveTheProgramAsItWas) {
  const ProgramHolder made = program("kernel:a");
  ASSERT_EQ(build(made), CL_SUCCESS);
  EXPECT_EQ(build(made, "-bad"), CL_INVALID_BUILD_OPTIONS);
  EXPECT_EQ(statusOf(made), CL_BUILD_SUCCESS);
  EXPECT_EQ(kernelError(made), CL_SUCCESS);
  EXPECT_EQ(clCompileProgram(made, 0, nullptr, "-bad", 0, nullptr, nullptr, nullptr, nullptr),
            CL_INVALID_COMPILER_OPTIONS);
}

TEST_F(ProgramStates, RebuildIsRefusedWhileKernelsAreAttached) {
  const ProgramHolder made = program("kernel:a warn");
  ASSERT_EQ(build(made, "-D X=1"), CL_SUCCESS);
  EXPECT_EQ(logOf(made), "warning: as asked for\n");
  {
    const KernelHolder kernel(clCreateKernel(made, "a", nullptr));
    EXPECT_EQ(build(made), CL_INVALID_OPERATION);
    const KernelHolder clone(clCloneKernel(kernel, nullptr));
    ASSERT_NE(clone.get(), nullptr);
    EXPECT_EQ(clRetainKernel(kernel), CL_SUCCESS);
    EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    EXPECT_EQ(clCompileProgram(made, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
              CL_INVALID_OPERATION);
  }
  EXPECT_EQ(kernelError(made, "missing"), CL_INVALID_KERNEL_NAME);  // leaves nothing attached
  EXPECT_EQ(build(made), CL_SUCCESS);
}

TEST_F(ProgramStates, CloneAloneKeepsTheProgramAttached) {
  const ProgramHolder made = program("kernel:a");
  ASSERT_EQ(build(made), CL_SUCCESS);
  KernelHolder kernel(clCreateKernel(made, "a", nullptr));
  KernelHolder clone(clCloneKernel(kernel, nullptr));
  kernel.reset();
  EXPECT_EQ(build(made), CL_INVALID_OPERATION);
  clone.reset();
  EXPECT_EQ(build(made), CL_SUCCESS);
}

TEST_F(ProgramStates, InProgressRefusesAllElse) {
  const ProgramHolder made = program("wait kernel:a");
  cl_int first = 1;
  std::thread builder([&] { first = build(made); });
  while (fake::waiting() == 0) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(statusOf(made), CL_BUILD_IN_PROGRESS);
  EXPECT_EQ(build(made), CL_INVALID_OPERATION);
  EXPECT_EQ(clCompileProgram(made, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(kernelError(made), CL_INVALID_PROGRAM_EXECUTABLE);
  cl_program input = made;
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clLinkProgram(context_, 0, nullptr, "", 1, &input, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_OPERATION);
  fake::openGate();
  builder.join();
  EXPECT_EQ(first, CL_SUCCESS);
  EXPECT_EQ(statusOf(made), CL_BUILD_SUCCESS);
  EXPECT_EQ(kernelError(made), CL_SUCCESS);
}

TEST_F(ProgramStates, ProgramReleasedDuringItsBuildLivesToTheEnd) {
  ProgramHolder made = program("wait kernel:a");
  std::atomic<cl_int> result{1};
  std::thread builder([&, raw = made.get()] { result = build(raw); });
  while (fake::waiting() == 0) std::this_thread::sleep_for(1ms);
  made.reset();
  fake::openGate();
  builder.join();
  EXPECT_EQ(result, CL_SUCCESS);
}

TEST_F(ProgramStates, CallbackTellsOfSuccessAndFailure) {
  for (const auto& [source, expected] :
       {std::pair{"kernel:a", CL_BUILD_SUCCESS}, std::pair{"error:source", CL_BUILD_ERROR}}) {
    const ProgramHolder made = program(source);
    CallbackRecord seen;
    EXPECT_EQ(clBuildProgram(made, 0, nullptr, "", record, &seen), CL_SUCCESS);
    await(seen);
    EXPECT_EQ(seen.program, made.get());
    EXPECT_EQ(seen.status, expected);
    EXPECT_FALSE(seen.onCaller);
  }
}

TEST_F(ProgramStates, CallbackOfCompileAndLink) {
  const ProgramHolder made = program("kernel:a");
  CallbackRecord seen;
  EXPECT_EQ(clCompileProgram(made, 0, nullptr, "", 0, nullptr, nullptr, record, &seen), CL_SUCCESS);
  await(seen);
  EXPECT_EQ(seen.status, CL_BUILD_SUCCESS);
  CallbackRecord linkSeen;
  cl_program input = made;
  cl_int error = 1;
  const ProgramHolder linked(
      clLinkProgram(context_, 0, nullptr, "", 1, &input, record, &linkSeen, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  await(linkSeen);
  EXPECT_EQ(linkSeen.program, linked.get());
}

TEST_F(ProgramStates, CompileTakesHeaders) {
  const ProgramHolder header = program("warn");
  const ProgramHolder made = program("need:x.h kernel:a");
  EXPECT_EQ(clCompileProgram(made, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_COMPILE_PROGRAM_FAILURE);
  cl_program headers[] = {header};
  const char* names[] = {"x.h"};
  EXPECT_EQ(clCompileProgram(made, 0, nullptr, "", 1, headers, names, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(typeOf(made), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT});
  EXPECT_EQ(kernelError(made), CL_INVALID_PROGRAM_EXECUTABLE);

  const auto code = [&](cl_uint count, const cl_program* list, const char** includeNames) {
    return clCompileProgram(made, 0, nullptr, "", count, list, includeNames, nullptr, nullptr);
  };
  EXPECT_EQ(code(0, headers, names), CL_INVALID_VALUE);
  EXPECT_EQ(code(0, headers, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(code(1, nullptr, names), CL_INVALID_VALUE);
  EXPECT_EQ(code(1, headers, nullptr), CL_INVALID_VALUE);
  cl_program nothing[] = {nullptr};
  EXPECT_EQ(code(1, nothing, names), CL_INVALID_PROGRAM);
  const char* noName[] = {nullptr};
  EXPECT_EQ(code(1, headers, noName), CL_INVALID_VALUE);
  const ContextHolder other = makeContext();
  const char* text = "warn";
  const ProgramHolder foreign(clCreateProgramWithSource(other, 1, &text, nullptr, nullptr));
  cl_program foreignHeader[] = {foreign};
  EXPECT_EQ(code(1, foreignHeader, names), CL_INVALID_CONTEXT);
  const ProgramHolder built = compiled("kernel:a");
  cl_program input = built;
  cl_int error = 1;
  const ProgramHolder linked(
      clLinkProgram(context_, 0, nullptr, "", 1, &input, nullptr, nullptr, &error));
  cl_program noSource[] = {linked};
  EXPECT_EQ(code(1, noSource, names), CL_INVALID_OPERATION);
}

TEST_F(ProgramStates, LinkMakesLibrariesAndExecutables) {
  const ProgramHolder a = compiled("kernel:a"), b = compiled("kernel:b");
  cl_int error = 1;
  cl_program one[] = {a};
  const ProgramHolder library(
      clLinkProgram(context_, 0, nullptr, "-create-library", 1, one, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(typeOf(library), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_LIBRARY});
  EXPECT_EQ(kernelError(library), CL_INVALID_PROGRAM_EXECUTABLE);
  cl_program both[] = {library, b};
  const ProgramHolder executable(
      clLinkProgram(context_, 0, nullptr, "", 2, both, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(typeOf(executable), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
  EXPECT_EQ(statusOf(executable), CL_BUILD_SUCCESS);
  EXPECT_EQ(kernelError(executable, "a"), CL_SUCCESS);
  EXPECT_EQ(kernelError(executable, "b"), CL_SUCCESS);
  EXPECT_EQ(build(executable), CL_INVALID_OPERATION);
}

TEST_F(ProgramStates, FailedLinkReturnsAProgramWithItsLog) {
  const ProgramHolder wrong = compiled("kernel:unknown");
  cl_program input = wrong;
  cl_int error = 1;
  const ProgramHolder linked(
      clLinkProgram(context_, 0, nullptr, "", 1, &input, nullptr, nullptr, &error));
  EXPECT_EQ(error, CL_LINK_PROGRAM_FAILURE);
  ASSERT_NE(linked.get(), nullptr);
  EXPECT_EQ(statusOf(linked), CL_BUILD_ERROR);
  EXPECT_EQ(logOf(linked), "error: unknown kernel\n");
}

TEST_F(ProgramStates, LinkRefusesWhatItCannotTake) {
  const ProgramHolder object = compiled("kernel:a");
  const ProgramHolder executable = program("kernel:b"), fresh = program("kernel:b");
  ASSERT_EQ(build(executable), CL_SUCCESS);
  const auto code = [&](std::vector<cl_program> inputs, const char* options = "") {
    cl_int error = 1;
    EXPECT_EQ(clLinkProgram(context_, 0, nullptr, options, static_cast<cl_uint>(inputs.size()),
                            inputs.data(), nullptr, nullptr, &error),
              nullptr);
    return error;
  };
  EXPECT_EQ(code({}), CL_INVALID_VALUE);
  EXPECT_EQ(code({nullptr}), CL_INVALID_PROGRAM);
  EXPECT_EQ(code({object, fresh}), CL_INVALID_OPERATION);
  EXPECT_EQ(code({object, executable}), CL_INVALID_OPERATION);
  EXPECT_EQ(code({fresh}), CL_INVALID_OPERATION);
  EXPECT_EQ(code({object}, "-bad"), CL_INVALID_LINKER_OPTIONS);
  const ContextHolder other = makeContext();
  cl_int error = 1;
  cl_program input = object;
  EXPECT_EQ(clLinkProgram(other, 0, nullptr, "", 1, &input, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
}

TEST_F(ProgramStates, BinariesOfEveryKindComeBack) {
  const ProgramHolder object = compiled("kernel:a"), source = program("kernel:a");
  ASSERT_EQ(build(source), CL_SUCCESS);
  for (const ProgramHolder* from : {&object, &source}) {
    const auto binary = binaryOf(*from);
    const unsigned char* bytes = binary.data();
    const size_t length = binary.size();
    const cl_device_id on = device();
    cl_int status = 1, error = 1;
    const ProgramHolder loaded(
        clCreateProgramWithBinary(context_, 1, &on, &length, &bytes, &status, &error));
    ASSERT_EQ(error, CL_SUCCESS);
    EXPECT_EQ(status, CL_SUCCESS);
    EXPECT_EQ(statusOf(loaded), CL_BUILD_NONE);
    EXPECT_EQ(typeOf(loaded), typeOf(*from));
    EXPECT_EQ(binaryOf(loaded), binary);
    EXPECT_EQ(kernelError(loaded), CL_INVALID_PROGRAM_EXECUTABLE);
    EXPECT_EQ(clCompileProgram(loaded, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
              CL_INVALID_OPERATION);
    if (from == &source) {
      EXPECT_EQ(build(loaded), CL_SUCCESS);
      EXPECT_EQ(kernelError(loaded), CL_SUCCESS);
    } else {
      EXPECT_EQ(build(loaded), CL_INVALID_BINARY);
      cl_program input = loaded;
      const ProgramHolder linked(
          clLinkProgram(context_, 0, nullptr, "", 1, &input, nullptr, nullptr, &error));
      EXPECT_EQ(error, CL_SUCCESS);
      EXPECT_EQ(kernelError(linked), CL_SUCCESS);
    }
  }
}

// Whatever the threads do, each call ends in one of the codes the state allows, and the program is
// usable at the end.
TEST_F(ProgramStates, BuildsAndKernelsFromManyThreads) {
  const ProgramHolder made = program("kernel:a kernel:b");
  ASSERT_EQ(build(made), CL_SUCCESS);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) {
        if (t == 0) {
          const cl_int error = build(made);
          EXPECT_TRUE(error == CL_SUCCESS || error == CL_INVALID_OPERATION) << error;
          continue;
        }
        cl_int error = 1;
        KernelHolder kernel(clCreateKernel(made, i % 2 ? "a" : "b", &error));
        EXPECT_TRUE(error == CL_SUCCESS || error == CL_INVALID_PROGRAM_EXECUTABLE) << error;
        if (kernel.get() == nullptr) continue;
        KernelHolder clone(clCloneKernel(kernel, &error));
        EXPECT_EQ(error, CL_SUCCESS);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(build(made), CL_SUCCESS);
  EXPECT_EQ(kernelError(made), CL_SUCCESS);
}

}  // namespace
}  // namespace weft::test
