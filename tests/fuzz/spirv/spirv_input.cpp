// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Modules of SPIR-V that are wrong, changed at random, or valid and made to do harm: a build ends
// soon, in a program or a log.
#include <cstdlib>
#include <random>

#include "frontend/spirv/read_module.h"
#include "harness.h"
#include "spirv_mutate.h"
#include "support/spirv_samples.h"
#include "support/spirv_tools.h"

namespace weft::test {
namespace {

using namespace samples;

/// What the reader says; empty when it takes the module.
std::string refusal(const std::string& words) {
  const auto read = compiler::spirv::readModule({words, {}}, {}, false);
  return read ? std::string() : read.error();
}

struct Wrong {
  const char* from;  ///< of the module that adds
  const char* to;
  const char* says;
};

// Every refusal names the instruction.
TEST(Spirv, RefusesByName) {
  const Wrong all[] = {
      {"OpCapability Groups", "OpCapability Shader", "OpCapability Shader is not supported"},
      {"Physical64", "Physical32", "OpMemoryModel has an addressing model"},
      {"OpReturn\n", "OpKill\n", "OpKill is not supported"},
      {"OpReturn\n", "", "OpLabel begins a block without an end"},
      {"OpReturn\n", "OpReturn\nOpReturn\n", "OpReturn stands behind the end of a block"},
      {"OpReturn\n", "OpBranch %sum\n", "OpBranch uses %"},
      {"OpIAdd %int %x", "OpFAdd %int %x", "OpFAdd has an operand of the wrong type"},
      {"OpIAdd %int %x", "OpIAdd %float %x", "OpIAdd has a result of the wrong type"},
      {"OpIAdd %int %x", "OpIAdd %int %ids", "OpIAdd has operands of different types"},
      {"OpIAdd %int %x", "OpIAdd %int %sum", "OpIAdd uses %"},
      {"OpLoad %int %from", "OpLoad %int %i", "OpLoad has an operand that is no pointer"},
      {"Aligned 4", "Aligned 3", "OpLoad has an alignment"},
      {"%ids 0", "%ids 7", "OpCompositeExtract has an index out of range"},
      {"OpConstant %int 3", "OpConstantNull %void", "OpConstantNull uses a type"},
      {"OpTypeVector %int 4", "OpTypeVector %int 5", "OpTypeVector has a number of components"},
      {"OpTypeInt 8 0", "OpTypeInt 24 0", "OpTypeInt has a width"},
      {"BuiltIn GlobalInvocationId", "BuiltIn FragCoord", "which is not supported"},
      {"Kernel %k", "GLCompute %k", "OpEntryPoint is of an execution model"},
      {"Kernel %k \"k\"", "Kernel %k \"llvm.x\"", "OpFunction has a name"},
      {"\"OpenCL.std\"", "\"GLSL.std.450\"", "asks for the set"},
  };
  for (const Wrong& wrong : all) {
    std::string text = module(kAdd);
    const size_t at = text.find(wrong.from);
    ASSERT_NE(at, std::string::npos) << wrong.from;
    text.replace(at, std::string_view(wrong.from).size(), wrong.to);
    const std::string words = assemble(text);
    const std::string log = refusal(words);
    EXPECT_NE(log.find(wrong.says), std::string::npos) << wrong.to << ": " << log;
    EXPECT_FALSE(compilerUnderTest().buildIl({words, {}}, "")) << wrong.to;
  }
}

// Types and constants that grow with each line: no time, no memory.
TEST(Spirv, Bombs) {
  std::string types = "%t0 = OpTypeStruct %int %int\n";
  std::string constants = "%n0 = OpConstantComposite %t0 %c1 %c2\n";
  for (int i = 1; i < 400; ++i) {
    const std::string last = std::to_string(i - 1), here = std::to_string(i);
    types += "%t" + here + " = OpTypeStruct %t" + last + " %t" + last + "\n";
    constants +=
        "%n" + here + " = OpConstantComposite %t" + here + " %n" + last + " %n" + last + "\n";
  }
  EXPECT_NE(refusal(assemble(module(kAdd, "", types + constants))), "");
  EXPECT_NE(refusal(assemble(module(kAdd, "",
                                    "%l = OpConstant %long 0x4000000000000000\n"
                                    "%t = OpTypeArray %int %l\n"))),
            "");
  std::string deep = "%t0 = OpTypeStruct %int\n";
  for (int i = 1; i < 1000; ++i)
    deep += "%t" + std::to_string(i) + " = OpTypeStruct %t" + std::to_string(i - 1) + "\n";
  EXPECT_NE(refusal(assemble(module(kAdd, "", deep))), "");
  // Groups that double what the group before decorates with.
  std::string doubling = "OpDecorate %g0 Restrict\n%g0 = OpDecorationGroup\n";
  for (int i = 1; i < 60; ++i) {
    const std::string last = "%g" + std::to_string(i - 1), here = "%g" + std::to_string(i);
    doubling += "OpGroupDecorate " + last + " " + here + " " + here + "\n";
    doubling += here + " = OpDecorationGroup\n";
  }
  EXPECT_NE(refusal(assemble(module(kAdd, doubling))), "");
  // Ids at the upper end of what there may be.
  EXPECT_EQ(refusal(assemble(module(kAdd, "", "%4194000 = OpConstant %int 9\n"))), "");
}

/// Builds whatever it is given; that it comes back is the test.
void survive(const std::string& words) {
  auto built = compilerUnderTest().buildIl({words, {}}, "");
  if (!built) {
    EXPECT_FALSE(built.error().log.empty());
  }
}

// Truncated at every word, and between words.
TEST(Spirv, Truncated) {
  const std::string words = assemble(module(kAdd));
  for (size_t length = 0; length < words.size(); length += length < 40 ? 1 : 4)
    survive(words.substr(0, length));
}

// The reader alone, and with all that follows.
TEST(Spirv, Mutated) {
  const std::vector<std::string> seeds = samples::all();
  const char* asked = std::getenv("WEFT_TEST_MUTANTS");
  const char* first = std::getenv("WEFT_TEST_MUTANT");
  const int begin = first ? std::atoi(first) : 0;
  const int count = asked ? std::atoi(asked) : first ? 1 : 8000;
  int taken = 0;
  for (int i = begin; i < begin + count; ++i) {
    std::mt19937 random(static_cast<unsigned>(i));
    const std::string words = mutate(seeds, seeds[static_cast<size_t>(i) % seeds.size()], random);
    taken += refusal(words).empty() ? 1 : 0;
    if (i % 4 == 0) survive(words);
  }
  EXPECT_GT(taken, count / 100);
}

}  // namespace
}  // namespace weft::test
