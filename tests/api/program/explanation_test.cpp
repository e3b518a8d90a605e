// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What -Rweft adds to the build log. How wide a kernel becomes is the host's affair; places are
// not.
#include <gtest/gtest.h>

#include <string>

#include "support/programs.h"

namespace weft::test {
namespace {

const char* const kSource =
    "float pick(global const float* a, global const int* at, int i) {\n"           // 1
    "  return a[at[i]];\n"                                                         // 2
    "}\n"                                                                          // 3
    "kernel void sum(global float* out, global const float* a,\n"                  // 4
    "                global const int* at) {\n"                                    // 5
    "  int i = get_global_id(0);\n"                                                // 6
    "  float s = 0;\n"                                                             // 7
    "  for (int k = 0; k < at[i]; ++k)\n"                                          // 8
    "    s += sqrt(s * a[k] + 1) + pick(a, at, i) * s * 0.5f + a[i] / (s + 2);\n"  // 9
    "  out[i] = s;\n"                                                              // 10
    "}\n"                                                                          // 11
    "kernel __attribute__((reqd_work_group_size(16, 4, 1)))\n"                     // 12
    "void turn(global float* a, local float* t) {\n"                               // 13
    "  int i = get_local_id(1) * 16 + get_local_id(0);\n"                          // 14
    "  t[i] = a[i];\n"                                                             // 15
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"                                            // 16
    "  a[i] = t[63 - i];\n"                                                        // 17
    "}\n"                                                                          // 18
    "kernel void some(global int* a, local int* t) {\n"                            // 19
    "  int i = get_local_id(0);\n"                                                 // 20
    "  t[i] = a[i];\n"                                                             // 21
    "  if (a[i])\n"                                                                // 22
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"                                          // 23
    "  a[i] = t[i];\n"                                                             // 24
    "}\n";

class ExplanationApi : public testing::Test {
 protected:
  static void expectLine(const std::string& log, const std::string& place,
                         const std::string& text) {
    size_t start = 0;
    for (size_t end; (end = log.find('\n', start)) != std::string::npos; start = end + 1) {
      const std::string line = log.substr(start, end - start);
      if (line.starts_with(place) && line.find(text) != std::string::npos) return;
    }
    ADD_FAILURE() << "no line \"" << place << "..." << text << "\" in\n" << log;
  }

  ContextHolder context_ = makeContext();
};

TEST_F(ExplanationApi, IsSilentUnlessAsked) {
  EXPECT_EQ(buildLog(buildProgram(context_, kSource)), "");
}

TEST_F(ExplanationApi, SaysOfEachKernelHowItIsRun) {
  for (const char* options : {"-Rweft", "-cl-std=CL3.0 -Rweft -g"}) {
    const std::string log = buildLog(buildProgram(context_, kSource, options));
    expectLine(log, "<source>:4: remark: kernel 'sum': ", "[-Rweft]");
    expectLine(log, "<source>:1", "remark: kernel 'turn': ");
    expectLine(log, "<source>:19: remark: kernel 'some': barrier-loops", "[-Rweft]");
    expectLine(log, "<source>:22:7: remark: kernel 'some'", "at <source>:23:5");
  }
}

TEST_F(ExplanationApi, KnowsTheLinesOfIncludedAndRenamedCode) {
  const std::string source = "#line 100 \"parts/some.cl\"\n" + std::string(kSource);
  const std::string log = buildLog(buildProgram(context_, source, "-Rweft"));
  expectLine(log, "parts/some.cl:121:7: remark: kernel 'some'", "at parts/some.cl:122:5");
}

TEST_F(ExplanationApi, CodeThatIsNotOptimisedSaysSo) {
  const std::string log = buildLog(buildProgram(context_, kSource, "-Rweft -cl-opt-disable"));
  expectLine(log, "<source>:4: remark: kernel 'sum'", "");
}

TEST_F(ExplanationApi, LinksAreExplained) {
  const ProgramHolder object = makeProgram(context_, kSource);
  ASSERT_EQ(clCompileProgram(object, 0, nullptr, "-Rweft", 0, nullptr, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(buildLog(object), "");
  const cl_program inputs[] = {object};
  cl_int error = 1;
  const ProgramHolder linked(
      clLinkProgram(context_, 0, nullptr, "-Rweft", 1, inputs, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  expectLine(buildLog(linked), "<source>:22:7: remark: kernel 'some'", "at <source>:23:5");
}

TEST_F(ExplanationApi, ExplainedKernelsRun) {
  const ProgramHolder program = buildProgram(context_, kSource, "-Rweft");
  const KernelHolder kernel = makeKernel(program, "turn");
  std::vector<float> values(64);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const MemoryHolder buffer = makeBuffer(context_, values);
  const QueueHolder queue = makeQueue(context_);
  const cl_mem handle = buffer;
  ASSERT_EQ(clSetKernelArg(kernel, 0, sizeof handle, &handle), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(kernel, 1, 64 * sizeof(float), nullptr), CL_SUCCESS);
  const size_t size[2] = {16, 4};
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, size, size, 0, nullptr, nullptr),
            CL_SUCCESS);
  std::vector<float> result(64);
  ASSERT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 256, result.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(result[i], values[63 - i]);
}

}  // namespace
}  // namespace weft::test
