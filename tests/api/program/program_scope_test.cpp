// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/info_query.h"
#include "support/programs.h"

// Variables at program scope through the host API.

namespace weft::test {
namespace {

constexpr const char* kCounter =
    "global int counter = 40;\n"
    "global int* where = &counter;\n"
    "kernel void add(int by) { *where += by; }\n"
    "kernel void get(global int* out) { out[0] = counter; }\n";

class ProgramScopeApi : public testing::Test {
 protected:
  void add(cl_program program, int by) {
    const KernelHolder kernel = makeKernel(program, "add");
    setArgument(kernel, 0, by);
    run(kernel);
  }
  int get(cl_program program) {
    const KernelHolder kernel = makeKernel(program, "get");
    const MemoryHolder out = makeBuffer(context_, std::vector<int>(1));
    setBuffer(kernel, 0, out);
    run(kernel);
    return readBuffer<int>(queue_, out, 1)[0];
  }
  void run(cl_kernel kernel) {
    const size_t one = 1;
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
        CL_SUCCESS);
  }
  size_t totalSize(cl_program program) {
    size_t size = ~size_t{0};
    EXPECT_EQ(clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                                    sizeof size, &size, nullptr),
              CL_SUCCESS);
    return size;
  }
  cl_bool hasConstructors(cl_program program) {
    cl_bool present = 2;
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, sizeof present,
                               &present, nullptr),
              CL_SUCCESS);
    return present;
  }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
};

TEST_F(ProgramScopeApi, KernelsOfAProgramShareVariables) {
  const ProgramHolder first = buildProgram(context_, kCounter, "-cl-std=CL3.0");
  const ProgramHolder second = buildProgram(context_, kCounter, "-cl-std=CL3.0");
  add(first, 1);
  add(first, 1);
  add(second, 10);
  EXPECT_EQ(get(first), 42);
  EXPECT_EQ(get(second), 50);
  EXPECT_GE(totalSize(first), sizeof(int) + sizeof(void*));
  EXPECT_EQ(hasConstructors(first), cl_bool{CL_FALSE});
}

TEST_F(ProgramScopeApi, ABuildBeginsAnew) {
  const ProgramHolder program = buildProgram(context_, kCounter, "-cl-std=CL3.0");
  add(program, 5);
  EXPECT_EQ(get(program), 45);
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(get(program), 40);
}

TEST_F(ProgramScopeApi, ProgramsWithoutVariablesSaySo) {
  const ProgramHolder program = buildProgram(context_, "kernel void k() {}");
  EXPECT_EQ(totalSize(program), 0u);
}

TEST_F(ProgramScopeApi, AVariableOfTheReportedSizeCanBeHad) {
  size_t most = 0;
  ASSERT_EQ(
      clGetDeviceInfo(device(), CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof most, &most, nullptr),
      CL_SUCCESS);
  const auto source = [](size_t bytes) {
    return "global char large[" + std::to_string(bytes) +
           "]; kernel void get(global int* out) { large[" + std::to_string(bytes - 1) +
           "] = 7; out[0] = large[" + std::to_string(bytes - 1) + "] + large[0]; }";
  };
  const ProgramHolder program = buildProgram(context_, source(most), "-cl-std=CL3.0");
  EXPECT_EQ(get(program), 7);
  EXPECT_GE(totalSize(program), most);
  const ProgramHolder larger = makeProgram(context_, source(most + 1));
  EXPECT_EQ(clBuildProgram(larger, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr),
            CL_BUILD_PROGRAM_FAILURE);
}

TEST_F(ProgramScopeApi, ConstructorsRunBeforeTheFirstKernel) {
  const ProgramHolder program = buildProgram(context_,
                                             "struct S { int v; S(int x) : v(3 * x) {} };\n"
                                             "S s(14);\n"
                                             "kernel void get(global int* out) { out[0] = s.v; }\n",
                                             "-cl-std=CLC++");
  EXPECT_EQ(hasConstructors(program), cl_bool{CL_TRUE});
  size_t kernels = 0;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(kernels, 1u) << "what initialises variables is no kernel of the program's";
  EXPECT_EQ(get(program), 42);
}

}  // namespace
}  // namespace weft::test
