// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Programs made from SPIR-V. The modules are written in assembly, as small as can be.
#include <algorithm>
#include <array>
#include <bit>

#include "harness.h"
#include "support/spirv_samples.h"
#include "support/spirv_tools.h"

namespace weft::test {
namespace {

using namespace samples;

Program program(std::string_view body, std::string_view annotations = "",
                std::string_view types = "") {
  const std::string words = assemble(module(body, annotations, types));
  return words.empty() ? nullptr : buildIl({words, {}});
}

std::vector<int> numbers(size_t count) {
  std::vector<int> result(count);
  for (size_t i = 0; i < count; ++i) result[i] = static_cast<int>(i * 7919 % 1009);
  return result;
}

TEST(Spirv, Add) {
  const Program p = program(kAdd);
  std::vector<int> a = numbers(1000);
  std::vector<int> r(a.size());
  std::vector<int> expected = a;
  for (int& x : expected) x += 3;
  Launch(p, "k").range(a.size()).buffer(a).buffer(r).inEveryForm(
      [&](const Outcome&) { EXPECT_EQ(r, expected); });
}

TEST(Spirv, OtherOrderOfBytes) {
  std::string words = assemble(module(kAdd));
  for (size_t i = 0; i + 3 < words.size(); i += 4) {
    std::swap(words[i], words[i + 3]);
    std::swap(words[i + 1], words[i + 2]);
  }
  EXPECT_NE(buildIl({words, {}}), nullptr);
}

TEST(Spirv, ArgumentsComeFromTheModule) {
  const Program p = program(R"(
%pair = OpTypeStruct %int %float4
%pairPointer = OpTypePointer Function %pair
%constantFloat = OpTypePointer UniformConstant %float
%localFloat4 = OpTypePointer Workgroup %float4
%type = OpTypeFunction %void %globalInt %constantFloat %localFloat4 %pairPointer %float4 %char
%k = OpFunction %void None %type
%p0 = OpFunctionParameter %globalInt
%p1 = OpFunctionParameter %constantFloat
%p2 = OpFunctionParameter %localFloat4
%p3 = OpFunctionParameter %pairPointer
%p4 = OpFunctionParameter %float4
%p5 = OpFunctionParameter %char
%entry = OpLabel
OpReturn
OpFunctionEnd
)",
                            R"(
OpExecutionMode %k LocalSize 8 4 2
OpExecutionMode %k VecTypeHint 262149
OpDecorate %p3 FuncParamAttr ByVal
)");
  const compiler::KernelInfo* info = kernelInfo(p, "k");
  ASSERT_NE(info, nullptr);
  using Kind = compiler::ArgumentKind;
  ASSERT_EQ(info->arguments.size(), 6u);
  const Kind kinds[] = {Kind::GlobalPointer, Kind::ConstantPointer, Kind::LocalPointer,
                        Kind::Value,         Kind::Value,           Kind::Value};
  const uint32_t sizes[] = {8, 8, 0, 32, 16, 1};
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(info->arguments[i].kind, kinds[i]) << i;
    EXPECT_EQ(info->arguments[i].size, sizes[i]) << i;
  }
  EXPECT_EQ(info->arguments[2].alignment, 16u);
  EXPECT_EQ(info->reqdWorkGroupSize, (std::array<uint32_t, 3>{8, 4, 2}));
  EXPECT_EQ(info->attributes, "") << "which are qualifiers of OpenCL C";
  EXPECT_TRUE(info->raggedGroups);
  EXPECT_FALSE(info->hasArgumentNames);
}

// A loop whose phis come before what they take, a switch, and branches that meet.
TEST(Spirv, ControlFlow) {
  const Program p = program(kLoop);
  std::vector<int> r(100);
  std::vector<int> expected(r.size());
  for (int i = 0; i < 100; ++i)
    for (int n = 0; n < i; ++n)
      expected[static_cast<size_t>(i)] = (i & 3) == 0   ? expected[static_cast<size_t>(i)] + 1
                                         : (i & 3) == 2 ? expected[static_cast<size_t>(i)] + n
                                                        : expected[static_cast<size_t>(i)] ^ n;
  Launch(p, "k").range(r.size()).buffer(r).inEveryForm(
      [&](const Outcome&) { EXPECT_EQ(r, expected); });
}

// One block twice before another, which a phi may say once or twice; a pointer as two words.
TEST(Spirv, EdgesOfOneBlock) {
  for (const char* pairs : {"%c1 %entry %c2 %other", "%c1 %entry %c1 %entry %c2 %other"}) {
    const Program p = program(R"(
%int2 = OpTypeVector %int 2
%type = OpTypeFunction %void %globalInt
%k = OpFunction %void None %type
%r = OpFunctionParameter %globalInt
%entry = OpLabel
%ids = OpLoad %v3long %id Aligned 32
%i = OpCompositeExtract %long %ids 0
%words = OpBitcast %int2 %r
%again = OpBitcast %globalInt %words
%to = OpInBoundsPtrAccessChain %globalInt %again %i
OpSwitch %i %other 3 %done 5 %done
%other = OpLabel
OpBranch %done
%done = OpLabel
%x = OpPhi %int )" + std::string(pairs) +
                              R"(
OpStore %to %x Aligned 4
OpReturn
OpFunctionEnd
)");
    std::vector<int> r(8);
    const std::vector<int> expected = {2, 2, 2, 1, 2, 1, 2, 2};
    Launch(p, "k").range(r.size()).buffer(r).inEveryForm(
        [&](const Outcome&) { EXPECT_EQ(r, expected); });
  }
}

// Local memory, a barrier, a generic pointer and atomics, through a function that comes later.
TEST(Spirv, GroupMemory) {
  const Program p = program(kGroup, "", kGroupTypes);
  std::vector<int> r(256);
  std::vector<int> total(1);
  std::vector<int> expected(r.size());
  int sum = 0;
  for (int i = 0; i < 256; ++i) sum += expected[static_cast<size_t>(i)] = (i ^ 1) * 2;
  Launch(p, "k").range({256}, {64}).buffer(r).buffer(total).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(r, expected);
    EXPECT_EQ(total[0], sum);
  });
}

// The address of a work-item variable, taken apart and passed on.
TEST(Spirv, AddressesOfWorkItemVariables) {
  const Program p = program(R"(
%genericLong = OpTypePointer Generic %long
%type = OpTypeFunction %void %globalInt
%k = OpFunction %void None %type
%r = OpFunctionParameter %globalInt
%entry = OpLabel
%place = OpInBoundsAccessChain %inputLong %id %l0
%i = OpLoad %long %place Aligned 8
%n = OpUConvert %int %i
%to = OpInBoundsPtrAccessChain %globalInt %r %i
OpStore %to %n Aligned 4
OpReturn
OpFunctionEnd
)");
  std::vector<int> r(77);
  std::vector<int> expected(r.size());
  for (size_t i = 0; i < r.size(); ++i) expected[i] = static_cast<int>(i);
  Launch(p, "k").range(r.size()).buffer(r).inEveryForm(
      [&](const Outcome&) { EXPECT_EQ(r, expected); });
}

TEST(Spirv, SpecializationConstants) {
  const std::string words = assemble(module(kSpecialized, kSpecIds));
  const auto constants = compilerUnderTest().describeIl(words);
  ASSERT_TRUE(constants);
  const std::vector<compiler::SpecializationConstant> all = {{3, 4}, {1000, 8}, {0, 1}};
  EXPECT_EQ(*constants, all);
  struct Try {
    std::vector<compiler::SpecializationValue> values;
    int expected;
  };
  const Try tries[] = {{{}, 10},
                       {{{3, 21}}, 42},
                       {{{0, 0}}, 7},
                       {{{0, 0}, {1000, 0x100000009}}, 9},
                       {{{99, 1}}, 10}};
  for (const Try& t : tries) {
    const Program p = buildIl({words, t.values});
    std::vector<int> r(1);
    Launch(p, "k").range(1).buffer(r).inEveryForm(
        [&](const Outcome&) { EXPECT_EQ(r[0], t.expected); });
  }
}

TEST(Spirv, LinksWithSource) {
  const std::string words = assemble(module(R"(
%helperType = OpTypeFunction %int %int
%type = OpTypeFunction %void %globalInt
%helper = OpFunction %int None %helperType
%x = OpFunctionParameter %int
OpFunctionEnd
%k = OpFunction %void None %type
%r = OpFunctionParameter %globalInt
%entry = OpLabel
%y = OpFunctionCall %int %helper %c7
OpStore %r %y Aligned 4
OpReturn
OpFunctionEnd
)",
                                            "OpDecorate %helper LinkageAttributes \"f\" Import\n"));
  compiler::Compiler& compiler = compilerUnderTest();
  auto il = compiler.compileIl({words, {}}, "");
  auto c = compiler.compile("int f(int x) { return x * 6; }", "", {});
  ASSERT_TRUE(il) << il.error().log;
  ASSERT_TRUE(c) << c.error().log;
  const Program objects[] = {il->program, c->program};
  auto linked = compiler.link(objects, "");
  ASSERT_TRUE(linked) << linked.error().log;
  std::vector<int> r(1);
  Launch(linked->program, "k").range(1).buffer(r).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(r[0], 42);
  });
}

/// kAdd with a call of a function of LLVM's, of `count` ints, in place of the sum: of a[i], 3
/// and 7.
std::string callOfLlvm(const std::string& name, int count) {
  std::string declaration = "%helperType = OpTypeFunction %int", parameters, arguments;
  for (int k = 0; k < count; ++k) {
    declaration += " %int";
    parameters += "%p" + std::to_string(k) + " = OpFunctionParameter %int\n";
    arguments += std::array{" %x", " %c3", " %c7"}[k];
  }
  std::string body(kAdd);
  const auto replace = [&](std::string_view what, const std::string& by) {
    body.replace(body.find(what), what.size(), by);
  };
  replace("%k = OpFunction", declaration + "\n%helper = OpFunction %int None %helperType\n" +
                                 parameters + "OpFunctionEnd\n%k = OpFunction");
  replace("OpIAdd %int %x %c3", "OpFunctionCall %int %helper" + arguments);
  return assemble(module(body, "OpDecorate %helper LinkageAttributes \"" + name + "\" Import\n"));
}

TEST(Spirv, FunctionsThatTranslatorsLeaveToLlvm) {
  struct Case {
    const char* name;
    int count;
    uint32_t (*expected)(uint32_t);
  };
  // a[i] goes up to the sign bit: what is saturated and what is signed can be told.
  constexpr Case kCases[] = {
      {"llvm.bitreverse.i32", 1,
       [](uint32_t x) {
         uint32_t r = 0;
         for (int bit = 0; bit < 32; ++bit) r |= (x >> bit & 1) << (31 - bit);
         return r;
       }},
      {"llvm.bswap.i32", 1, [](uint32_t x) { return __builtin_bswap32(x); }},
      {"llvm.ctpop.i32", 1, [](uint32_t x) { return static_cast<uint32_t>(std::popcount(x)); }},
      {"llvm.fshl.i32", 3, [](uint32_t x) { return x << 7; }},
      {"llvm.fshr.i32", 3, [](uint32_t x) { return x << 25; }},
      {"llvm.sadd.sat.i32", 2,
       [](uint32_t x) { return x <= INT32_MAX && x > INT32_MAX - 3 ? INT32_MAX : x + 3; }},
      {"llvm.scmp.i32.i32", 2,
       [](uint32_t x) {
         const auto n = static_cast<int32_t>(x);
         return static_cast<uint32_t>((n > 3) - (n < 3));
       }},
      {"llvm.smax.i32", 2,
       [](uint32_t x) { return static_cast<uint32_t>(std::max(static_cast<int32_t>(x), 3)); }},
      {"llvm.smin.i32", 2,
       [](uint32_t x) { return static_cast<uint32_t>(std::min(static_cast<int32_t>(x), 3)); }},
      {"llvm.sshl.sat.i32", 2,
       [](uint32_t x) {
         const int64_t wide = int64_t{static_cast<int32_t>(x)} * 8;
         return static_cast<uint32_t>(std::clamp<int64_t>(wide, INT32_MIN, INT32_MAX));
       }},
      {"llvm.ssub.sat.i32", 2,
       [](uint32_t x) { return x - 0x80000000u < 3 ? 0x80000000u : x - 3; }},
      {"llvm.uadd.sat.i32", 2, [](uint32_t x) { return x > UINT32_MAX - 3 ? UINT32_MAX : x + 3; }},
      {"llvm.ucmp.i32.i32", 2, [](uint32_t x) { return static_cast<uint32_t>((x > 3) - (x < 3)); }},
      {"llvm.umax.i32", 2, [](uint32_t x) { return std::max(x, 3u); }},
      {"llvm.umin.i32", 2, [](uint32_t x) { return std::min(x, 3u); }},
      {"llvm.ushl.sat.i32", 2, [](uint32_t x) { return x >> 29 ? UINT32_MAX : x << 3; }},
      {"llvm.usub.sat.i32", 2, [](uint32_t x) { return x < 3 ? 0 : x - 3; }},
  };
  std::vector<int> a = numbers(1000);
  for (size_t i = 0; i < a.size(); i += 2)
    a[i] = static_cast<int>((i % 4 == 0 ? 0x80000000u : 0u) + static_cast<uint32_t>(i) / 4 - 5);
  for (const Case& t : kCases) {
    const std::string words = callOfLlvm(t.name, t.count);
    const Program p = buildIl({words, {}});
    ASSERT_TRUE(p) << t.name;
    std::vector<int> r(a.size()), expected(a.size());
    for (size_t i = 0; i < a.size(); ++i)
      expected[i] = static_cast<int>(t.expected(static_cast<uint32_t>(a[i])));
    Launch(p, "k").range(a.size()).buffer(a).buffer(r).inEveryForm(
        [&](const Outcome&) { EXPECT_EQ(r, expected) << t.name; });
  }
}

TEST(Spirv, OtherFunctionsOfLlvmAreRefused) {
  // Of another type than theirs, of one processor, with effects, of a wrong name, of a constant.
  const std::string wrong[] = {
      callOfLlvm("llvm.usub.sat.i64", 2),     callOfLlvm("llvm.usub.sat.i32", 1),
      callOfLlvm("llvm.usub.sat", 2),         callOfLlvm("llvm.x86.sse42.crc32.32.32", 2),
      callOfLlvm("llvm.readcyclecounter", 1), callOfLlvm("llvm.no.such.thing", 2),
      callOfLlvm("llvm.abs.i32", 2),
  };
  for (const std::string& words : wrong) {
    const auto built = compilerUnderTest().buildIl({words, {}}, "");
    ASSERT_FALSE(built);
    EXPECT_NE(built.error().log.find("SPIR-V word"), std::string::npos) << built.error().log;
  }
}

}  // namespace
}  // namespace weft::test
