// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fake_compiler.h"
#include "support/objects.h"

/// Programs over the fake compiler, and short ways to what is known of them.
namespace weft::test {

inline void doNothing(const abi::Group*) {}

/// Kernels "a" and "b" are defined, and builds with the word "wait" wait.
class FakePrograms : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b"}) {
      fake::KernelDefinition definition;
      definition.info.name = name;
      definition.group = doNothing;
      fake::define(std::move(definition));
    }
    fake::closeGate();
    fake::failVariants(false);
    fake::failPosts(false);
  }
  void TearDown() override { fake::openGate(); }

  ProgramHolder program(const char* source) {
    cl_int error = CL_INVALID_VALUE;
    ProgramHolder made(clCreateProgramWithSource(context_, 1, &source, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  }
  ProgramHolder compiled(const char* source) {
    ProgramHolder made = program(source);
    EXPECT_EQ(clCompileProgram(made, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
              CL_SUCCESS);
    return made;
  }
  ProgramHolder load(const std::vector<unsigned char>& binary, cl_int* error) {
    const unsigned char* bytes = binary.data();
    const size_t length = binary.size();
    const cl_device_id on = device();
    return ProgramHolder(
        clCreateProgramWithBinary(context_, 1, &on, &length, &bytes, nullptr, error));
  }

  ContextHolder context_ = makeContext();
};

inline cl_build_status statusOf(cl_program program) {
  cl_build_status status = 77;
  EXPECT_EQ(clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_STATUS, sizeof status,
                                  &status, nullptr),
            CL_SUCCESS);
  return status;
}

inline cl_program_binary_type typeOf(cl_program program) {
  cl_program_binary_type type = 77;
  EXPECT_EQ(
      clGetProgramBuildInfo(program, device(), CL_PROGRAM_BINARY_TYPE, sizeof type, &type, nullptr),
      CL_SUCCESS);
  return type;
}

inline std::string buildText(cl_program program, cl_program_build_info parameter) {
  char text[200] = "";
  EXPECT_EQ(clGetProgramBuildInfo(program, device(), parameter, sizeof text, text, nullptr),
            CL_SUCCESS);
  return text;
}
inline std::string logOf(cl_program program) { return buildText(program, CL_PROGRAM_BUILD_LOG); }
inline std::string optionsOf(cl_program program) {
  return buildText(program, CL_PROGRAM_BUILD_OPTIONS);
}

inline std::vector<unsigned char> binaryOf(cl_program program) {
  size_t size = 0;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr),
            CL_SUCCESS);
  std::vector<unsigned char> binary(size);
  unsigned char* target = binary.data();
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof target, &target, nullptr),
            CL_SUCCESS);
  return binary;
}

inline cl_int build(cl_program program, const char* options = "") {
  return clBuildProgram(program, 0, nullptr, options, nullptr, nullptr);
}

inline cl_int kernelError(cl_program program, const char* name = "a") {
  cl_int error = CL_SUCCESS;
  KernelHolder kernel(clCreateKernel(program, name, &error));
  EXPECT_EQ(kernel.get() == nullptr, error != CL_SUCCESS);
  return error;
}

/// What a callback of a build has seen.
struct CallbackRecord {
  std::atomic<int> calls{0};
  std::atomic<cl_program> program{nullptr};
  std::atomic<cl_build_status> status{77};
  std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> onCaller{false};
};

inline void CL_CALLBACK record(cl_program program, void* userData) {
  auto& to = *static_cast<CallbackRecord*>(userData);
  to.program = program;
  to.status = statusOf(program);  // no lock may be held that this needs
  to.onCaller = std::this_thread::get_id() == to.caller;
  ++to.calls;
}

inline void await(const CallbackRecord& record) {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (record.calls == 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(2ms);
  EXPECT_EQ(record.calls, 1);
}

}  // namespace weft::test
