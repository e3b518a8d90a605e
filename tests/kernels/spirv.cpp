// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Programs made from SPIR-V. The modules are written in assembly, as small as can be.
#include <cstdlib>
#include <random>

#include "frontend/spirv/read_module.h"
#include "harness.h"
#include "support/spirv_tools.h"

namespace weft::test {
namespace {

/// What all modules begin with, and types that most of them use.
constexpr std::string_view kHead = R"(
OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Int64
OpCapability Int8
OpCapability Int16
OpCapability Float64
OpCapability Float16
OpCapability Vector16
OpCapability GenericPointer
OpCapability Groups
%std = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
)";
constexpr std::string_view kTypes = R"(
%void = OpTypeVoid
%bool = OpTypeBool
%char = OpTypeInt 8 0
%short = OpTypeInt 16 0
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%v3long = OpTypeVector %long 3
%float4 = OpTypeVector %float 4
%int4 = OpTypeVector %int 4
%globalInt = OpTypePointer CrossWorkgroup %int
%globalFloat = OpTypePointer CrossWorkgroup %float
%localInt = OpTypePointer Workgroup %int
%genericInt = OpTypePointer Generic %int
%privateInt = OpTypePointer Function %int
%inputIds = OpTypePointer Input %v3long
%inputLong = OpTypePointer Input %long
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c2 = OpConstant %int 2
%c3 = OpConstant %int 3
%c7 = OpConstant %int 7
%l0 = OpConstant %long 0
%l1 = OpConstant %long 1
%scopeWorkgroup = OpConstant %int 2
%scopeDevice = OpConstant %int 1
%localSeqCst = OpConstant %int 0x110
%globalRelaxed = OpConstant %int 0
%id = OpVariable %inputIds Input
%localId = OpVariable %inputIds Input
)";
constexpr std::string_view kIds = R"(
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %localId BuiltIn LocalInvocationId
)";

/// A module with one kernel `k`.
std::string module(std::string_view body, std::string_view annotations = "",
                   std::string_view types = "") {
  return std::string(kHead) + "OpEntryPoint Kernel %k \"k\" %id %localId\n" +
         std::string(annotations) + std::string(kIds) + std::string(kTypes) + std::string(types) +
         std::string(body);
}

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

constexpr std::string_view kAdd = R"(
%type = OpTypeFunction %void %globalInt %globalInt
%k = OpFunction %void None %type
%a = OpFunctionParameter %globalInt
%r = OpFunctionParameter %globalInt
%entry = OpLabel
%ids = OpLoad %v3long %id Aligned 32
%i = OpCompositeExtract %long %ids 0
%from = OpInBoundsPtrAccessChain %globalInt %a %i
%x = OpLoad %int %from Aligned 4
%sum = OpIAdd %int %x %c3
%to = OpInBoundsPtrAccessChain %globalInt %r %i
OpStore %to %sum Aligned 4
OpReturn
OpFunctionEnd
)";

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
  EXPECT_EQ(info->attributes, "vec_type_hint(float4) reqd_work_group_size(8,4,2)");
  EXPECT_TRUE(info->raggedGroups);
  EXPECT_FALSE(info->hasArgumentNames);
}

constexpr std::string_view kLoop = R"(
%type = OpTypeFunction %void %globalInt
%k = OpFunction %void None %type
%r = OpFunctionParameter %globalInt
%entry = OpLabel
%ids = OpLoad %v3long %id Aligned 32
%i = OpCompositeExtract %long %ids 0
%n = OpUConvert %int %i
%kind = OpBitwiseAnd %int %n %c3
OpBranch %head
%head = OpLabel
%count = OpPhi %int %c0 %entry %next %latch
%sum = OpPhi %int %c0 %entry %more %latch
%again = OpSLessThan %bool %count %n
OpLoopMerge %done %latch None
OpBranchConditional %again %body %done
%body = OpLabel
OpSelectionMerge %latch None
OpSwitch %kind %other 0 %zero 2 %two 4294967295 %two
%zero = OpLabel
%a = OpIAdd %int %sum %c1
OpBranch %latch
%two = OpLabel
%b = OpIAdd %int %sum %count
OpBranch %latch
%other = OpLabel
%c = OpBitwiseXor %int %sum %count
OpBranch %latch
%latch = OpLabel
%more = OpPhi %int %a %zero %b %two %c %other
%next = OpIAdd %int %count %c1
OpBranch %head
%done = OpLabel
%to = OpInBoundsPtrAccessChain %globalInt %r %i
OpStore %to %sum Aligned 4
OpReturn
OpFunctionEnd
)";

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

constexpr std::string_view kGroupTypes = "%length = OpConstant %long 64\n";
constexpr std::string_view kGroup = R"(
%array = OpTypeArray %int %length
%localArray = OpTypePointer Workgroup %array
%cells = OpVariable %localArray Workgroup
%helperType = OpTypeFunction %int %genericInt
%type = OpTypeFunction %void %globalInt %globalInt
%k = OpFunction %void None %type
%r = OpFunctionParameter %globalInt
%total = OpFunctionParameter %globalInt
%entry = OpLabel
%ids = OpLoad %v3long %id Aligned 32
%i = OpCompositeExtract %long %ids 0
%lids = OpLoad %v3long %localId Aligned 32
%l = OpCompositeExtract %long %lids 0
%cell = OpInBoundsPtrAccessChain %localInt %cells %l0 %l
%n = OpUConvert %int %i
OpStore %cell %n Aligned 4
OpControlBarrier %scopeWorkgroup %scopeWorkgroup %localSeqCst
%flipped = OpBitwiseXor %long %l %l1
%other = OpInBoundsPtrAccessChain %localInt %cells %l0 %flipped
%generic = OpPtrCastToGeneric %genericInt %other
%x = OpFunctionCall %int %helper %generic
%to = OpInBoundsPtrAccessChain %globalInt %r %i
OpStore %to %x Aligned 4
%old = OpAtomicIAdd %int %total %scopeDevice %globalRelaxed %x
OpReturn
OpFunctionEnd
%helper = OpFunction %int None %helperType
%pointer = OpFunctionParameter %genericInt
%start = OpLabel
%y = OpLoad %int %pointer Aligned 4
%doubled = OpShiftLeftLogical %int %y %c1
OpReturnValue %doubled
OpFunctionEnd
)";

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

constexpr std::string_view kSpecialized = R"(
%factor = OpSpecConstant %int 5
%wide = OpSpecConstant %long 7
%on = OpSpecConstantTrue %bool
%twice = OpSpecConstantOp %int IMul %factor %c2
%half64 = OpSpecConstantOp %int UConvert %wide
%picked = OpSpecConstantOp %int Select %on %twice %half64
%type = OpTypeFunction %void %globalInt
%k = OpFunction %void None %type
%r = OpFunctionParameter %globalInt
%entry = OpLabel
OpStore %r %picked Aligned 4
OpReturn
OpFunctionEnd
)";
constexpr std::string_view kSpecIds = R"(
OpDecorate %factor SpecId 3
OpDecorate %wide SpecId 1000
OpDecorate %on SpecId 0
)";

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

/// Wrong bits, words in another's place, and words of other instructions.
std::string mutate(std::string words, std::mt19937& random) {
  const auto below = [&](size_t limit) { return random() % limit; };
  for (size_t n = 1 + below(3); n > 0; --n) {
    const size_t count = words.size() / 4;
    const size_t at = 20 + below(words.size() - 20);
    const size_t word = 4 * (5 + below(count - 5));
    const size_t other = 4 * (5 + below(count - 5));
    switch (below(5)) {
      case 0:
        words[at] = static_cast<char>(words[at] ^ (1 << below(8)));
        break;
      case 1:
        std::swap_ranges(words.begin() + static_cast<ptrdiff_t>(word),
                         words.begin() + static_cast<ptrdiff_t>(word) + 4,
                         words.begin() + static_cast<ptrdiff_t>(other));
        break;
      case 2:
        words.replace(word, 4, words.substr(other, 4));
        break;
      case 3:
        words[word] = static_cast<char>(below(64));  // another id, or another instruction
        break;
      default:
        words.resize(words.size() - 4 * below(2));
        break;
    }
  }
  return words;
}

// The reader alone, and with all that follows.
TEST(Spirv, Mutated) {
  const std::string seeds[] = {assemble(module(kAdd)), assemble(module(kSpecialized, kSpecIds)),
                               assemble(module(kLoop)), assemble(module(kGroup, "", kGroupTypes))};
  const char* asked = std::getenv("WEFT_TEST_MUTANTS");
  const int count = asked ? std::atoi(asked) : 8000;
  int taken = 0;
  for (int i = 0; i < count; ++i) {
    std::mt19937 random(static_cast<unsigned>(i));
    const std::string words = mutate(seeds[i % 4], random);
    taken += refusal(words).empty() ? 1 : 0;
    if (i % 4 == 0) survive(words);
  }
  EXPECT_GT(taken, count / 100);
}

}  // namespace
}  // namespace weft::test
