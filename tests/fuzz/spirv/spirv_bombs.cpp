// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Modules of SPIR-V that keep to the rules and are made to take time, memory or stack: each is
// refused, or built and run, soon.
#include <functional>

#include "frontend/spirv/read_module.h"
#include "harness.h"
#include "support/spirv_samples.h"
#include "support/spirv_tools.h"

namespace weft::test {
namespace {

using namespace samples;

constexpr int kMany = 100000;

std::string id(std::string_view name, int number) {
  return "%" + std::string(name) + std::to_string(number);
}

/// `line` for each number below `count`.
std::string lines(int count, const std::function<std::string(int)>& line) {
  std::string text;
  for (int i = 0; i < count; ++i) text += line(i) + "\n";
  return text;
}

/// A kernel of one buffer, with instructions before it stores %x.
std::string kernel(const std::string& body, std::string_view annotations = "",
                   const std::string& types = "", const std::string& variables = "") {
  return module(
      "%type = OpTypeFunction %void %globalInt\n"
      "%k = OpFunction %void None %type\n"
      "%r = OpFunctionParameter %globalInt\n"
      "%entry = OpLabel\n" +
          variables + "%n = OpLoad %int %r Aligned 4\n" + body +
          "OpStore %r %x Aligned 4\n"
          "OpReturn\n"
          "OpFunctionEnd\n",
      annotations, types);
}

std::string refusal(const std::string& words) {
  const auto read = compiler::spirv::readModule({words, {}}, {}, false);
  return read ? std::string() : read.error();
}

/// Builds what is given and runs what comes of it, in the code that the library chooses. The
/// buffer's number, which is 5 before; nothing when the module is refused, with a log.
std::optional<int> result(const std::string& text) {
  const std::string words = assemble(text);
  auto built = compilerUnderTest().buildIl({words, {}}, "");
  if (!built) {
    EXPECT_NE(built.error().log, "");
    EXPECT_EQ(built.error().log.find("internal"), std::string::npos) << built.error().log;
    return std::nullopt;
  }
  std::vector<int> r = {5};
  Launch launch(built->program, "k");
  launch.range(1).buffer(r);
  std::optional<int> number;
  launch.in(launch.modes().back(), [&](const Outcome&) { number = r[0]; });
  return number;
}

TEST(SpirvBombs, ChainsOfPointersIntoWorkItemVariables) {
  const std::string types = lines(kMany, [](int i) {
    const std::string last = i == 0 ? "%id" : id("p", i - 1);
    return id("p", i) + " = OpSpecConstantOp %inputIds Bitcast " + last;
  });
  const auto x = result(kernel("%ids = OpLoad %v3long " + id("p", kMany - 1) +
                                   " Aligned 32\n%i = OpCompositeExtract %long %ids 0\n"
                                   "%x = OpUConvert %int %i\n",
                               "", types));
  EXPECT_EQ(x.value_or(0), 0);
}

TEST(SpirvBombs, ChainsOfConstants) {
  const std::string types =
      "%s0 = OpSpecConstant %int 1\n" + lines(kMany, [](int i) {
        return id("s", i + 1) + " = OpSpecConstantOp %int IAdd " + id("s", i) + " %c1";
      });
  const auto x = result(kernel("%x = OpIAdd %int %n " + id("s", kMany) + "\n", "", types));
  EXPECT_EQ(x.value_or(kMany + 6), kMany + 6);
}

TEST(SpirvBombs, ChainsOfOperations) {
  const std::string body = "%x0 = OpIAdd %int %n %c1\n" + lines(kMany, [](int i) {
                             return id("x", i + 1) +
                                    (i % 3 ? " = OpIMul %int " : " = OpBitwiseXor %int ") +
                                    id("x", i) + " " + (i % 3 ? "%n" : "%c7");
                           });
  result(kernel(body + "%x = OpIAdd %int %n " + id("x", kMany) + "\n"));
}

TEST(SpirvBombs, LargeValues) {
  const std::string types =
      "%length = OpConstant %int 0x4000000\n"
      "%large = OpTypeArray %int %length\n"
      "%place = OpTypePointer Function %large\n"
      "%global = OpTypePointer CrossWorkgroup %large\n"
      "%none = OpConstantNull %large\n";
  // Never done: the buffer is smaller.
  EXPECT_EQ(result(kernel("%to = OpBitcast %global %r\n%is = OpIEqual %bool %n %c7\n"
                          "OpSelectionMerge %done None\nOpBranchConditional %is %do %done\n"
                          "%do = OpLabel\nOpStore %to %none Aligned 4\nOpBranch %done\n"
                          "%done = OpLabel\n%x = OpIAdd %int %n %c1\n",
                          "", types))
                .value_or(6),
            6);
  const auto x = result(
      kernel("%part = OpInBoundsAccessChain %privateInt %v %c7\n%x = OpLoad %int %part Aligned 4\n",
             "", types, "%v = OpVariable %place Function %none\n"));
  EXPECT_EQ(x.value_or(0), 0);
}

TEST(SpirvBombs, ManyLargeValues) {
  const std::string types =
      "%length = OpConstant %int 4000\n"
      "%large = OpTypeArray %int %length\n"
      "%place = OpTypePointer Function %large\n";
  result(kernel(lines(kMany,
                      [](int i) {
                        return id("v", i) + " = OpLoad %large %v Aligned 4\nOpStore %v " +
                               id("v", i) + " Aligned 4";
                      }) +
                    "%x = OpIAdd %int %n %c1\n",
                "", types, "%v = OpVariable %place Function\n"));
}

TEST(SpirvBombs, ConstantsOfSharedParts) {
  for (const char* storage : {"CrossWorkgroup", "UniformConstant"}) {
    for (const int levels : {10, 18, 27, 30}) {
      const std::string types =
          "%t0 = OpTypeStruct %int %int\n%n0 = OpConstantComposite %t0 %c1 %c2\n" +
          lines(levels,
                [](int i) {
                  return id("t", i + 1) + " = OpTypeStruct " + id("t", i) + " " + id("t", i) +
                         "\n" + id("n", i + 1) + " = OpConstantComposite " + id("t", i + 1) + " " +
                         id("n", i) + " " + id("n", i);
                }) +
          "%pointer = OpTypePointer " + storage + " " + id("t", levels) +
          "\n%ints = OpTypePointer " + storage + " %int\n%v = OpVariable %pointer " + storage +
          " " + id("n", levels) + "\n";
      const auto x =
          result(kernel("%at = OpBitcast %ints %v\n%part = OpInBoundsPtrAccessChain %ints %at %c3\n"
                        "%x = OpLoad %int %part Aligned 4\n",
                        "", types));
      EXPECT_EQ(x.value_or(2), 2) << levels;
      if (levels == 10) EXPECT_TRUE(x);
    }
  }
}

TEST(SpirvBombs, EdgesOfSwitchesIntoPhis) {
  constexpr int kCases = 20000;
  constexpr int kPhis = 20000;
  std::string body = "OpSwitch %n %done";
  for (int i = 0; i < kCases; ++i) body += " " + std::to_string(i) + " %done";
  body += "\n%done = OpLabel\n" +
          lines(kPhis, [](int i) { return id("p", i) + " = OpPhi %int %n %entry"; });
  body += "%x = OpIAdd %int " + id("p", kPhis - 1) + " " + id("p", 3) + "\n";
  EXPECT_EQ(result(kernel(body)).value_or(10), 10);
}

TEST(SpirvBombs, LargeSwitches) {
  constexpr int kCases = 30000;
  std::string body = "OpSwitch %n %other";
  for (int i = 0; i < kCases; ++i) body += " " + std::to_string(i * 7) + " " + id("b", i);
  body += "\n" + lines(kCases, [](int i) {
            return id("b", i) + " = OpLabel\n" + id("y", i) + " = OpIMul %int %n " +
                   (i % 2 ? "%c3" : "%c7") + "\nOpBranch %done";
          });
  body += "%other = OpLabel\nOpBranch %done\n%done = OpLabel\n%x = OpPhi %int %n %other";
  for (int i = 0; i < kCases; ++i) body += " " + id("y", i) + " " + id("b", i);
  EXPECT_EQ(result(kernel(body + "\n")).value_or(5), 5);
}

TEST(SpirvBombs, DeeplyNestedBranches) {
  constexpr int kDepth = 20000;
  std::string body = "%is = OpIEqual %bool %n %c7\nOpBranch %h0\n" + lines(kDepth, [](int i) {
                       return id("h", i) + " = OpLabel\nOpSelectionMerge " + id("m", i) +
                              " None\nOpBranchConditional %is " + id("h", i + 1) + " " + id("m", i);
                     });
  body += id("h", kDepth) + " = OpLabel\nOpBranch " + id("m", kDepth - 1) + "\n";
  for (int i = kDepth - 1; i > 0; --i)
    body += id("m", i) + " = OpLabel\n" + "OpBranch " + id("m", i - 1) + "\n";
  body += "%m0 = OpLabel\n%x = OpIAdd %int %n %c1\n";
  EXPECT_EQ(result(kernel(body)).value_or(6), 6);
}

TEST(SpirvBombs, DeeplyNestedLoops) {
  constexpr int kDepth = 2000;
  std::string body = "%is = OpIEqual %bool %n %c7\nOpBranch %h0\n" + lines(kDepth, [](int i) {
                       return id("h", i) + " = OpLabel\nOpBranchConditional %is " + id("h", i + 1) +
                              " " + id("m", i);
                     });
  body += id("h", kDepth) + " = OpLabel\nOpBranch " + id("m", kDepth - 1) + "\n";
  for (int i = kDepth - 1; i > 0; --i)
    body += id("m", i) + " = OpLabel\nOpBranchConditional %is " + id("h", i) + " " +
            id("m", i - 1) + "\n";
  body += "%m0 = OpLabel\n%x = OpIAdd %int %n %c1\n";
  EXPECT_EQ(result(kernel(body)).value_or(6), 6);
}

TEST(SpirvBombs, ManyBlocks) {
  constexpr int kBlocks = 20000;
  const std::string body =
      "OpBranch %b0\n" + lines(kBlocks, [](int i) {
        return id("b", i) + " = OpLabel\n" + id("y", i) + " = OpLoad %int %r Volatile\n" +
               id("is", i) + " = OpIEqual %bool " + id("y", i) + " %c7\nOpBranchConditional " +
               id("is", i) + " %end " + id("b", i + 1);
      });
  const std::string text = kernel(body + id("b", kBlocks) +
                                  " = OpLabel\nOpBranch %end\n%end = OpLabel\n"
                                  "%x = OpIAdd %int %n %c1\n");
  EXPECT_EQ(result(text).value_or(6), 6);
  const std::string words = assemble(text);
  auto built = compilerUnderTest().buildIl({words, {}}, "");
  ASSERT_TRUE(built) << built.error().log;
  EXPECT_NE(built->log.find("'k' is so large"), std::string::npos) << built->log;
}

/// Functions f0 to f`count` - 1 of an int, each made by `body`, and a kernel that calls the first.
std::string functions(int count, const std::function<std::string(int)>& body) {
  const std::string text = lines(count, [&](int i) {
    const std::string number = std::to_string(i);
    return id("f", i) + " = OpFunction %int None %helper\n" + id("p", i) +
           " = OpFunctionParameter %int\n" + id("e", i) + " = OpLabel\n" + body(i) +
           "OpReturnValue " + id("y", i) + "\nOpFunctionEnd";
  });
  return kernel("%x = OpFunctionCall %int %f0 %n\n", "", "%helper = OpTypeFunction %int %int\n") +
         text;
}

TEST(SpirvBombs, ChainsOfFunctions) {
  constexpr int kCalls = 20000;
  EXPECT_EQ(result(functions(kCalls,
                             [](int i) {
                               return i == kCalls - 1
                                          ? id("y", i) + " = OpIAdd %int %c1 " + id("p", i) + "\n"
                                          : id("y", i) + " = OpFunctionCall %int " +
                                                id("f", i + 1) + " " + id("p", i) + "\n";
                             }))
                .value_or(6),
            6);
}

TEST(SpirvBombs, CallsThatDouble) {
  constexpr int kCalls = 26;
  result(functions(kCalls, [](int i) {
    if (i == kCalls - 1) return id("y", i) + " = OpIMul %int %c3 " + id("p", i) + "\n";
    const std::string call = " = OpFunctionCall %int " + id("f", i + 1) + " ";
    return id("a", i) + call + id("p", i) + "\n" + id("b", i) + call + id("a", i) + "\n" +
           id("y", i) + " = OpIAdd %int " + id("a", i) + " " + id("b", i) + "\n";
  }));
}

TEST(SpirvBombs, FunctionsThatCallThemselves) {
  EXPECT_EQ(result(functions(2,
                             [](int i) {
                               return id("y", i) + " = OpFunctionCall %int " + id("f", 1 - i) +
                                      " " + id("p", i) + "\n";
                             })),
            std::nullopt);
  std::string self = kernel("%x = OpIAdd %int %n %c1\n%again = OpFunctionCall %void %k %r\n");
  EXPECT_EQ(result(self), std::nullopt);
}

TEST(SpirvBombs, ManyFunctions) {
  EXPECT_EQ(result(functions(kMany / 4,
                             [](int i) {
                               return id("y", i) + " = OpIAdd %int %c1 " + id("p", i) + "\n";
                             }))
                .value_or(6),
            6);
}

TEST(SpirvBombs, NestedTypes) {
  for (const int depth : {200, 1000, kMany}) {
    const std::string types = "%t0 = OpTypeStruct %int\n" + lines(depth, [](int i) {
                                return id("t", i + 1) + " = OpTypeStruct " + id("t", i);
                              });
    result(kernel("%v = OpUndef " + id("t", depth) + "\n%x = OpIAdd %int %n %c1\n", "", types));
  }
}

TEST(SpirvBombs, TypesThatHoldThemselves) {
  const char* const types[] = {
      "OpTypeForwardPointer %p CrossWorkgroup\n%t = OpTypeStruct %p\n%p = OpTypePointer "
      "CrossWorkgroup %t\n",
      "%t = OpTypeStruct %t\n%p = OpTypePointer CrossWorkgroup %t\n",
      "%t = OpTypeArray %t %l1\n%p = OpTypePointer CrossWorkgroup %t\n",
      "%p = OpTypePointer CrossWorkgroup %p\n",
      "OpTypeForwardPointer %p CrossWorkgroup\n%p = OpTypePointer CrossWorkgroup %p\n",
      "OpTypeForwardPointer %p CrossWorkgroup\n%q = OpTypePointer CrossWorkgroup %p\n%p = "
      "OpTypePointer CrossWorkgroup %q\n",
      "%t = OpTypeFunction %t %t\n%p = OpTypePointer CrossWorkgroup %t\n",
      "%t = OpTypeStruct %s\n%s = OpTypeStruct %t\n%p = OpTypePointer CrossWorkgroup %s\n",
  };
  for (const char* type : types) {
    for (const char* use : {"%y = OpLoad %p %at Aligned 8\n", "%y = OpAccessChain %p %at %c0\n",
                            "%y = OpInBoundsPtrAccessChain %p %at %c0 %c0 %c0\n",
                            "OpCopyMemory %at %at\n", "%y = OpCopyObject %p %at\n"})
      result(kernel("%at = OpBitcast %p %r\n" + std::string(use) + "%x = OpIAdd %int %n %c1\n", "",
                    type));
  }
}

TEST(SpirvBombs, LargeStructures) {
  std::string members;
  for (int i = 0; i < 60000; ++i) members += i % 2 ? " %int" : " %char";
  const std::string types = "%t = OpTypeStruct" + members +
                            "\n%place = OpTypePointer Function %t\n"
                            "%many = OpConstant %int 1000\n%u = OpTypeArray %t %many\n"
                            "%other = OpTypePointer Function %u\n";
  result(
      kernel("%part = OpInBoundsAccessChain %privateInt %v %c7 %c7\n"
             "OpCopyMemory %v %v\n%x = OpLoad %int %part Aligned 4\n",
             "", types, "%v = OpVariable %other Function\n"));
}

TEST(SpirvBombs, ManyParameters) {
  std::string types, parameters;
  for (int i = 0; i < 20000; ++i) {
    types += " %globalInt";
    parameters += id("p", i) + " = OpFunctionParameter %globalInt\n";
  }
  const std::string words = assemble(module("%type = OpTypeFunction %void" + types +
                                            "\n%k = OpFunction %void None %type\n" + parameters +
                                            "%entry = OpLabel\nOpReturn\nOpFunctionEnd\n"));
  auto built = compilerUnderTest().buildIl({words, {}}, "");
  EXPECT_TRUE(built || !built.error().log.empty());
}

TEST(SpirvBombs, LargeVariables) {
  std::string types =
      "%length = OpConstant %int 0x10000000\n"
      "%large = OpTypeArray %int %length\n"
      "%global = OpTypePointer CrossWorkgroup %large\n";
  for (const int count : {1, 64, 10000}) {
    const std::string variables =
        lines(count, [](int i) { return id("v", i) + " = OpVariable %global CrossWorkgroup"; });
    const std::string words =
        assemble(kernel("%to = OpInBoundsAccessChain %globalInt " + id("v", count - 1) +
                            " %c7\n%x = OpLoad %int %to Aligned 4\n",
                        "", types + variables));
    auto built = compilerUnderTest().buildIl({words, {}}, "");
    EXPECT_TRUE(built || !built.error().log.empty());
  }
}

TEST(SpirvBombs, LongNames) {
  const std::string name(200000, 'n');
  const std::string words =
      assemble(module(kAdd, "OpName %a \"" + name + "\"\nOpDecorate %k LinkageAttributes \"" +
                                name + "\" Export\n"));
  EXPECT_EQ(refusal(words), "");
  auto built = compilerUnderTest().buildIl({words, {}}, "");
  EXPECT_TRUE(built) << built.error().log.substr(0, 1000);
}

TEST(SpirvBombs, PrintsOfEverything) {
  const std::string types =
      "%percent = OpConstant %char 37\n%letter = OpConstant %char 100\n"
      "%length = OpConstant %int 2000\n%text = OpTypeArray %char %length\n"
      "%textPointer = OpTypePointer UniformConstant %text\n"
      "%charPointer = OpTypePointer UniformConstant %char\n"
      "%words = OpConstantComposite %text" +
      [] {
        std::string all;
        for (int i = 0; i < 2000; ++i) all += i % 2 ? " %letter" : " %percent";
        return all;
      }() +
      "\n%format = OpVariable %textPointer UniformConstant %words\n";
  std::string arguments;
  for (int i = 0; i < 1000; ++i) arguments += " %n";
  for (const std::string& given : {std::string(), std::string(" %n"), arguments})
    result(
        kernel("%first = OpInBoundsPtrAccessChain %charPointer %format %c0 %c0\n"
               "%x = OpExtInst %int %std printf %first" +
                   given + "\n",
               "", types));
}

}  // namespace
}  // namespace weft::test
