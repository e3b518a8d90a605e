// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build, compile and link options, and the macros that programs see.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/programs.h"
#include "support/reported_version.h"

namespace weft::test {
namespace {

const char* const kEmpty = "kernel void k() {}";

class OptionsApi : public testing::Test {
 protected:
  cl_int build(const std::string& source, const std::string& options) {
    const ProgramHolder program = makeProgram(context_, source);
    const cl_int error = clBuildProgram(program, 0, nullptr, options.c_str(), nullptr, nullptr);
    log_ = buildLog(program);
    return error;
  }
  cl_int compile(const std::string& options) {
    const ProgramHolder program = makeProgram(context_, kEmpty);
    return clCompileProgram(program, 0, nullptr, options.c_str(), 0, nullptr, nullptr, nullptr,
                            nullptr);
  }
  cl_int link(const std::string& options) {
    const ProgramHolder object = makeProgram(context_, kEmpty);
    EXPECT_EQ(clCompileProgram(object, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
              CL_SUCCESS);
    const cl_program inputs[] = {object};
    cl_int error = 1;
    const ProgramHolder linked(
        clLinkProgram(context_, 0, nullptr, options.c_str(), 1, inputs, nullptr, nullptr, &error));
    return error;
  }
  /// The preprocessor's view: fails the build unless `condition` holds.
  void expectHolds(const std::string& condition, const std::string& options) {
    EXPECT_EQ(build("#if !(" + condition + ")\n#error no\n#endif\n" + kEmpty, options), CL_SUCCESS)
        << condition << " with " << options << '\n'
        << log_;
  }

  ContextHolder context_ = makeContext();
  std::string log_;
};

TEST_F(OptionsApi, CompilerOptionsOfTheSpecification) {
  for (const char* options : {"-D A",
                              "-D A=1",
                              "-DA=1",
                              "-I .",
                              "-I.",
                              "-I \".\"",
                              "-cl-single-precision-constant",
                              "-cl-denorms-are-zero",
                              "-cl-fp32-correctly-rounded-divide-sqrt",
                              "-cl-opt-disable",
                              "-cl-strict-aliasing",
                              "-cl-uniform-work-group-size",
                              "-cl-no-subgroup-ifp",
                              "-cl-mad-enable",
                              "-cl-no-signed-zeros",
                              "-cl-unsafe-math-optimizations",
                              "-cl-finite-math-only",
                              "-cl-fast-relaxed-math",
                              "-w",
                              "-Werror",
                              "-cl-std=CL1.1",
                              "-cl-std=CL1.2",
                              "-cl-std=CL3.0",
                              "-cl-kernel-arg-info",
                              "-g",
                              "-Rweft",
                              "",
                              "   ",
                              "\t-w\n  -g\r\n",
                              "-D A=1 -D B=\"x y\" -w -cl-std=CL1.2 -cl-mad-enable"}) {
    EXPECT_EQ(build(kEmpty, options), CL_SUCCESS) << options << '\n' << log_;
    EXPECT_EQ(compile(options), CL_SUCCESS) << options;
  }
}

TEST_F(OptionsApi, InvalidOptionsHaveTheirOwnCodes) {
  for (const char* options : {"-cl-no-such",
                              "-D",
                              "-I",
                              "-cl-std",
                              "-cl-std=",
                              "-cl-std=CL",
                              "-cl-std=CL7.0",
                              "-x spir",
                              "-create-library",
                              "-enable-link-options",
                              "-D 1A",
                              "-o file",
                              "--help",
                              "word",
                              "\"-w",
                              "-cl-std CL1.2",
                              "-w,-g",
                              "-Rother",
                              "-cl-kernel-arg-info=1",
                              "-Wl,x"}) {
    EXPECT_EQ(build(kEmpty, options), CL_INVALID_BUILD_OPTIONS) << options;
    EXPECT_EQ(compile(options), CL_INVALID_COMPILER_OPTIONS) << options;
  }
}

TEST_F(OptionsApi, LinkerOptions) {
  for (const char* options :
       {"", "-Rweft", "-create-library", "-create-library -enable-link-options",
        "-enable-link-options -create-library", "-cl-denorms-are-zero", "-cl-no-signed-zeros",
        "-cl-unsafe-math-optimizations", "-cl-finite-math-only", "-cl-fast-relaxed-math",
        "-cl-no-subgroup-ifp", "-cl-denorms-are-zero -cl-no-signed-zeros\t-cl-finite-math-only"})
    EXPECT_EQ(link(options), CL_SUCCESS) << options;
  for (const char* options : {"-enable-link-options", "-D A=1", "-w", "-cl-std=CL1.2", "-bad",
                              "-cl-mad-enable", "-create-library=1", "library"})
    EXPECT_EQ(link(options), CL_INVALID_LINKER_OPTIONS) << options;
}

TEST_F(OptionsApi, VersionsThatTheDeviceLacksFailTheBuild) {
  if (expectsOpenCl31()) GTEST_SKIP() << "there is none";
  EXPECT_EQ(build(kEmpty, "-cl-std=CL3.1"), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(log_.find("-cl-std"), std::string::npos) << log_;
  EXPECT_EQ(compile("-cl-std=CL3.1"), CL_COMPILE_PROGRAM_FAILURE);
}

TEST_F(OptionsApi, VersionMacros) {
  const char* const versions =
      "CL_VERSION_1_0 == 100 && CL_VERSION_1_1 == 110 && CL_VERSION_1_2 == 120";
  const bool isNewer = expectsOpenCl31();
  expectHolds(isNewer ? "__OPENCL_VERSION__ == 310" : "__OPENCL_VERSION__ == 300", "");
  expectHolds(isNewer ? "CL_VERSION_3_1 == 310" : "!defined(CL_VERSION_3_1)", "");
  if (isNewer) expectHolds("__OPENCL_C_VERSION__ == 310", "-cl-std=CL3.1");
  expectHolds("__OPENCL_C_VERSION__ == 120", "");
  expectHolds(versions, "");
  expectHolds("__OPENCL_C_VERSION__ == 110", "-cl-std=CL1.1");
  expectHolds("__OPENCL_C_VERSION__ == 120", "-cl-std=CL1.2");
  expectHolds("__OPENCL_C_VERSION__ == 300", "-cl-std=CL3.0");
  expectHolds(std::string(versions) + " && CL_VERSION_2_0 == 200 && CL_VERSION_3_0 == 300",
              "-cl-std=CL3.0");
  expectHolds("__OPENCL_C_VERSION__ == 300", "-cl-std=CL1.2 -cl-std=CL3.0");
}

TEST_F(OptionsApi, OtherMacros) {
  for (const char* standard : {"", "-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL3.0"}) {
    expectHolds("__ENDIAN_LITTLE__ == 1", standard);
    expectHolds("!defined(__EMBEDDED_PROFILE__)", standard);
    expectHolds("!defined(__FAST_RELAXED_MATH__)", standard);
    expectHolds("__FAST_RELAXED_MATH__ == 1", std::string(standard) + " -cl-fast-relaxed-math");
    expectHolds("!defined(__FAST_RELAXED_MATH__)",
                std::string(standard) + " -cl-unsafe-math-optimizations -cl-finite-math-only");
    expectHolds("defined(__kernel_exec) && defined(kernel_exec)", standard);
    expectHolds("__LINE__ == 1 && defined(NULL)", standard);
    EXPECT_EQ(
        build("__kernel_exec(8, float4) void k() {} kernel_exec(4, int) void l() {}", standard),
        CL_SUCCESS)
        << log_;
  }
}

TEST_F(OptionsApi, MacrosOfTheApplication) {
  expectHolds("A == 1", "-D A");
  expectHolds("A == 7", "-D A=7");
  expectHolds("A == 7", "-DA=7");
  expectHolds("A == 2 && B == 3", "  -D\tA=2   -D \n B=3 ");
  expectHolds("A == 2", "-D A=1 -D A=2");
  expectHolds("!defined(A)", "-D A=1 -U A");
  expectHolds("A == 3", "-D \"A=1 + 2\"");
  expectHolds("A == 3", "-D A=1\\ +\\ 2");
  expectHolds("F(2) == 6", "-D F(x)=((x)*3)");
  expectHolds("A == 1", "-D \"A=1\n + 2\" -Werror");
  EXPECT_EQ(build("kernel void k(global char* p) { *p = TEXT[1]; }", "-D TEXT=\\\"a\\\\b\\\""),
            CL_SUCCESS)
      << log_;
}

TEST_F(OptionsApi, HugeOptionStrings) {
  std::string options;
  for (int i = 0; i < 5000; ++i)
    options += "-D NAME" + std::to_string(i) + "=" + std::to_string(i) + " ";
  expectHolds("NAME4999 == 4999", options);
  EXPECT_EQ(build(kEmpty, std::string(1 << 20, ' ') + "-w"), CL_SUCCESS);
  EXPECT_EQ(build(kEmpty, std::string(1 << 20, '-')), CL_INVALID_BUILD_OPTIONS);
  EXPECT_EQ(build(kEmpty, "-D " + std::string(1 << 20, 'A')), CL_SUCCESS) << log_;
}

TEST_F(OptionsApi, Warnings) {
  const char* const source = "kernel void k(global int* p) { int unused; p[0] = p; }";
  EXPECT_NE(build(source, "-cl-std=CL1.2 -Werror"), CL_SUCCESS);
  EXPECT_NE(log_, "");
  const char* const mild = "#warning careful\nkernel void k() {}";
  EXPECT_EQ(build(mild, ""), CL_SUCCESS);
  EXPECT_NE(log_.find("careful"), std::string::npos);
  EXPECT_EQ(build(mild, "-w"), CL_SUCCESS);
  EXPECT_EQ(log_.find("careful"), std::string::npos) << log_;
  EXPECT_EQ(build(mild, "-Werror"), CL_BUILD_PROGRAM_FAILURE);
}

TEST_F(OptionsApi, OptionsAreKeptForTheQuery) {
  const ProgramHolder program = makeProgram(context_, kEmpty);
  for (const char* options : {"-w", " -D  A=1 ", ""}) {
    ASSERT_EQ(clBuildProgram(program, 0, nullptr, options, nullptr, nullptr), CL_SUCCESS);
    char text[100] = "x";
    EXPECT_EQ(clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_OPTIONS, sizeof text, text,
                                    nullptr),
              CL_SUCCESS);
    EXPECT_STREQ(text, options);
  }
}

TEST_F(OptionsApi, ZerosInTheSourceAreDropped) {
  const char text[] =
      "kernel void k\0(global int* p) {\0 *p = 4\0"
      "2; }";
  const char* source = text;
  const size_t length = sizeof text;  // with the last zero, as many programs pass it
  cl_int error = 1;
  const ProgramHolder program(clCreateProgramWithSource(context_, 1, &source, &length, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "-Werror", nullptr, nullptr), CL_SUCCESS)
      << buildLog(program);
  char kept[100] = "";
  size_t size = 0;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof kept, kept, &size), CL_SUCCESS);
  EXPECT_STREQ(kept, "kernel void k(global int* p) { *p = 42; }");
  EXPECT_EQ(size, std::string(kept).size() + 1);
}

TEST_F(OptionsApi, RecursionIsAnError) {
  for (const char* source :
       {"int f(int x) { return x ? f(x - 1) + 1 : 0; } kernel void k(global int* p) { *p = f(*p); "
        "}",
        "int g(int); int f(int x) { return x ? g(x - 1) : 0; } int g(int x) { return f(x) + x; } "
        "kernel void k(global int* p) { *p = f(*p); }"}) {
    EXPECT_EQ(build(source, ""), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NE(log_, "");
    EXPECT_EQ(build(source, "-cl-opt-disable"), CL_BUILD_PROGRAM_FAILURE);
  }
}

}  // namespace
}  // namespace weft::test
