// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What compilers of other languages write into modules: SYCL's, HIP's and Julia's.
#include <array>
#include <bit>
#include <cmath>

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>

#include "frontend/spirv/read_module.h"
#include "harness.h"
#include "support/spirv_samples.h"
#include "support/spirv_tools.h"

namespace weft::test {
namespace {

/// `head`: capabilities and what follows the memory model; `k` is the kernel.
std::string module(std::string_view capabilities, std::string_view annotations,
                   std::string_view body) {
  return R"(
OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Int64
OpCapability Int16
OpCapability Int8
OpCapability Float64
OpCapability GenericPointer
)" + std::string(capabilities) +
         R"(
%std = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %id
)" + std::string(annotations) +
         R"(
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %id Constant
OpDecorate %id LinkageAttributes "__spirv_BuiltInGlobalInvocationId" Import
%void = OpTypeVoid
%bool = OpTypeBool
%char = OpTypeInt 8 0
%short = OpTypeInt 16 0
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%v3long = OpTypeVector %long 3
%globalIds = OpTypePointer CrossWorkgroup %v3long
%globalChar = OpTypePointer CrossWorkgroup %char
%globalShort = OpTypePointer CrossWorkgroup %short
%globalInt = OpTypePointer CrossWorkgroup %int
%globalLong = OpTypePointer CrossWorkgroup %long
%globalFloat = OpTypePointer CrossWorkgroup %float
%globalDouble = OpTypePointer CrossWorkgroup %double
%localInt = OpTypePointer Workgroup %int
%privateInt = OpTypePointer Function %int
%genericInt = OpTypePointer Generic %int
%genericChar = OpTypePointer Generic %char
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c2 = OpConstant %int 2
%c3 = OpConstant %int 3
%l0 = OpConstant %long 0
%l1 = OpConstant %long 1
%l2 = OpConstant %long 2
%l8 = OpConstant %long 8
%id = OpVariable %globalIds CrossWorkgroup
)" + std::string(body);
}

Program program(std::string_view capabilities, std::string_view annotations,
                std::string_view body) {
  const std::string words = assemble(module(capabilities, annotations, body));
  return words.empty() ? nullptr : buildIl({words, {}});
}

constexpr std::string_view kItem = R"(
%entry = OpLabel
%ids = OpLoad %v3long %id Aligned 32
%i = OpCompositeExtract %long %ids 0
%n = OpUConvert %int %i
)";
constexpr std::string_view kEnd = "OpReturn\nOpFunctionEnd\n";

// A work-item variable in global memory, of which code takes parts by their bytes; constants do
// so outside of functions.
TEST(SpirvProducers, PartsOfWorkItemVariables) {
  const Program p = program("", "", R"(
%bytes = OpSpecConstantOp %globalChar Bitcast %id
%second = OpSpecConstantOp %globalChar InBoundsPtrAccessChain %bytes %l8
%type = OpTypeFunction %void %globalLong
%k = OpFunction %void None %type
%r = OpFunctionParameter %globalLong
%entry = OpLabel
%x = OpBitcast %globalLong %id
%first = OpLoad %long %x Aligned 8
%asLong = OpBitcast %globalLong %second
%y = OpLoad %long %asLong Aligned 8
%next = OpInBoundsPtrAccessChain %globalLong %x %l2
%z = OpLoad %long %next Aligned 8
%member = OpInBoundsAccessChain %globalLong %id %c1
%again = OpLoad %long %member Aligned 8
%row = OpIMul %long %again %l8
%at = OpIAdd %long %row %first
%sum = OpIAdd %long %y %z
%both = OpIAdd %long %sum %at
%to = OpInBoundsPtrAccessChain %globalLong %r %at
OpStore %to %both Aligned 8
)" + std::string(kEnd));
  std::vector<uint64_t> r(24), wanted(24);
  for (size_t i = 0; i < r.size(); ++i) wanted[i] = i + i / 8;
  Launch(p, "k").range({8, 3}, {4, 1}).buffer(r).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(r, wanted);
  });
}

TEST(SpirvProducers, MemoryOfGenericPointersAndSizes) {
  const Program p = program("", "", R"(
%local = OpVariable %localInt Workgroup
%pair = OpTypeStruct %long %char
%globalPair = OpTypePointer CrossWorkgroup %pair
%type = OpTypeFunction %void %globalInt
%k = OpFunction %void None %type
%r = OpFunctionParameter %globalInt
)" + std::string(kItem) + R"(
%asPair = OpBitcast %globalPair %r
%size = OpSizeOf %int %asPair
%near = OpPtrCastToGeneric %genericInt %local
%far = OpPtrCastToGeneric %genericInt %r
%nearIs = OpGenericPtrMemSemantics %int %near
%farIs = OpGenericPtrMemSemantics %int %far
%all = OpIAdd %int %nearIs %farIs
%sum = OpIAdd %int %all %nearIs
%withSize = OpIAdd %int %sum %size
%to = OpInBoundsPtrAccessChain %globalInt %r %i
OpStore %to %withSize Aligned 4
)" + std::string(kEnd));
  std::vector<int> r(33);
  Launch(p, "k").range({33}, {11}).buffer(r).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(r, std::vector<int>(33, 2 * 0x100 + 0x200 + 16));
  });
}

// A structure that holds a pointer to such structures, which is declared before it.
TEST(SpirvProducers, ListsOfNodes) {
  const Program p = program("", "", R"(
OpTypeForwardPointer %globalNode CrossWorkgroup
%node = OpTypeStruct %int %globalNode
%globalNode = OpTypePointer CrossWorkgroup %node
%globalLink = OpTypePointer CrossWorkgroup %globalNode
%type = OpTypeFunction %void %globalNode %globalInt
%k = OpFunction %void None %type
%nodes = OpFunctionParameter %globalNode
%r = OpFunctionParameter %globalInt
)" + std::string(kItem) + R"(
%place = OpIMul %long %i %l2
%next = OpIAdd %long %place %l1
%one = OpInBoundsPtrAccessChain %globalNode %nodes %place
%other = OpInBoundsPtrAccessChain %globalNode %nodes %next
%oneLink = OpInBoundsPtrAccessChain %globalLink %nodes %place %c1
%otherLink = OpInBoundsPtrAccessChain %globalLink %nodes %next %c1
OpStore %oneLink %other Aligned 8
OpStore %otherLink %one Aligned 8
%second = OpLoad %globalNode %oneLink Aligned 8
%secondLink = OpInBoundsPtrAccessChain %globalLink %second %l0 %c1
%first = OpLoad %globalNode %secondLink Aligned 8
%firstValue = OpInBoundsPtrAccessChain %globalInt %first %l0 %c0
%secondValue = OpInBoundsPtrAccessChain %globalInt %second %l0 %c0
%x = OpLoad %int %firstValue Aligned 4
%y = OpLoad %int %secondValue Aligned 4
%difference = OpISub %int %x %y
%to = OpInBoundsPtrAccessChain %globalInt %r %i
OpStore %to %difference Aligned 4
)" + std::string(kEnd));
  struct Node {
    int value = 0;
    uint64_t next = 0;
  };
  std::vector<Node> nodes(200);
  for (size_t i = 0; i < nodes.size(); ++i) nodes[i].value = static_cast<int>(i * i);
  std::vector<int> r(100), expected(r.size());
  for (int i = 0; i < 100; ++i) expected[static_cast<size_t>(i)] = -4 * i - 1;
  Launch(p, "k").range(r.size()).buffer(nodes).buffer(r).unordered().inEveryForm(
      [&](const Outcome&) { EXPECT_EQ(r, expected); });
}

// SPV_EXT_relaxed_printf_string_address_space: the format and the string are in global memory, and
// generic pointers lead to them.
TEST(SpirvProducers, PrintsByFormatsInGlobalMemory) {
  const Program p = program("", "OpDecorate %format Constant\nOpDecorate %text Constant\n", R"(
%c5 = OpConstant %int 5
%percent = OpConstant %char 37
%letterD = OpConstant %char 100
%letterS = OpConstant %char 115
%letterA = OpConstant %char 97
%newline = OpConstant %char 10
%zero = OpConstant %char 0
%c6 = OpConstant %int 6
%char6 = OpTypeArray %char %c6
%char2 = OpTypeArray %char %c2
%globalChar6 = OpTypePointer CrossWorkgroup %char6
%globalChar2 = OpTypePointer CrossWorkgroup %char2
%formatValue = OpConstantComposite %char6 %percent %letterD %percent %letterS %newline %zero
%textValue = OpConstantComposite %char2 %letterA %zero
%format = OpVariable %globalChar6 CrossWorkgroup %formatValue
%text = OpVariable %globalChar2 CrossWorkgroup %textValue
%type = OpTypeFunction %void
%k = OpFunction %void None %type
)" + std::string(kItem) + R"(
%formatStart = OpInBoundsPtrAccessChain %globalChar %format %c0 %c0
%formatAt = OpPtrCastToGeneric %genericChar %formatStart
%textStart = OpInBoundsPtrAccessChain %globalChar %text %c0 %c0
%textAt = OpPtrCastToGeneric %genericChar %textStart
%printed = OpExtInst %int %std printf %formatAt %n %textAt
)" + std::string(kEnd));
  Launch(p, "k").range({3}, {3}).inEveryForm([&](const Outcome& outcome) {
    std::string all;
    for (const char c : outcome.printed)
      if (c != '\n') all += c;
    EXPECT_EQ(all.size(), 6u) << outcome.printed;
    for (const char* line : {"0a", "1a", "2a"})
      EXPECT_NE(all.find(line), std::string::npos) << outcome.printed;
  });
}

float ofBits(uint32_t bits) { return std::bit_cast<float>(bits); }

// SPV_INTEL_bfloat16_conversion, of scalars and vectors. The numbers are newer than the assembler.
TEST(SpirvProducers, Bfloats) {
  const Program p = program("OpCapability !6115\nOpExtension \"SPV_INTEL_bfloat16_conversion\"", "",
                            R"(
%float2 = OpTypeVector %float 2
%short2 = OpTypeVector %short 2
%type = OpTypeFunction %void %globalFloat %globalShort %globalFloat
%k = OpFunction %void None %type
%in = OpFunctionParameter %globalFloat
%halves = OpFunctionParameter %globalShort
%back = OpFunctionParameter %globalFloat
)" + std::string(kItem) + R"(
%from = OpInBoundsPtrAccessChain %globalFloat %in %i
%x = OpLoad %float %from Aligned 4
OpNop
!0x000417e4 %short %small %x
OpNop
!0x000417e5 %float %wide %small
%xx = OpCompositeConstruct %float2 %x %x
OpNop
!0x000417e4 %short2 %small2 %xx
OpNop
!0x000417e5 %float2 %wide2 %small2
%other = OpCompositeExtract %float %wide2 1
%shortAt = OpInBoundsPtrAccessChain %globalShort %halves %i
OpStore %shortAt %small Aligned 2
%minus = OpFNegate %float %other
%isSame = OpFOrdEqual %bool %wide %other
%picked = OpSelect %float %isSame %wide %minus
%to = OpInBoundsPtrAccessChain %globalFloat %back %i
OpStore %to %picked Aligned 4
)" + std::string(kEnd));
  std::vector<float> in = {1,
                           -2.5F,
                           ofBits(0x3f808000),  // a tie, to even
                           ofBits(0x3f818000),
                           ofBits(0x3f808001),
                           ofBits(0x7f7fffff),  // rounds to infinity
                           INFINITY,
                           -0.0F,
                           ofBits(0x00018000)};
  const std::vector<uint16_t> wanted = {0x3f80, 0xc020, 0x3f80, 0x3f82, 0x3f81,
                                        0x7f80, 0x7f80, 0x8000, 0x0002};
  std::vector<uint16_t> halves(in.size());
  std::vector<float> back(in.size());
  Launch(p, "k").range(in.size()).buffer(in).buffer(halves).buffer(back).inEveryForm(
      [&](const Outcome&) {
        EXPECT_EQ(halves, wanted);
        for (size_t i = 0; i < in.size(); ++i)
          EXPECT_EQ(std::bit_cast<uint32_t>(back[i]), uint32_t{wanted[i]} << 16) << i;
      });
  std::vector<float> nans = {ofBits(0x7f800001), ofBits(0xffc00000)};
  Launch(p, "k").range(2).buffer(nans).buffer(halves).buffer(back).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(halves[0], 0x7fc0);
    EXPECT_EQ(halves[1], 0xffc0);
  });
}

// SPV_EXT_arithmetic_fence: what fast mathematics would cancel.
TEST(SpirvProducers, ArithmeticFences) {
  const Program p = program("OpCapability !6144\nOpExtension \"SPV_EXT_arithmetic_fence\"",
                            "OpDecorate %sum FPFastMathMode Fast\n"
                            "OpDecorate %rest FPFastMathMode Fast\n",
                            R"(
%type = OpTypeFunction %void %globalFloat %float
%k = OpFunction %void None %type
%r = OpFunctionParameter %globalFloat
%big = OpFunctionParameter %float
)" + std::string(kItem) + R"(
%to = OpInBoundsPtrAccessChain %globalFloat %r %i
%x = OpLoad %float %to Aligned 4
%sum = OpFAdd %float %x %big
!0x00041801 %float %fenced %sum
%rest = OpFSub %float %fenced %big
OpStore %to %rest Aligned 4
)" + std::string(kEnd));
  std::vector<float> r(40);
  Launch launch(p, "k");
  for (size_t i = 0; i < r.size(); ++i) r[i] = 1.0F + static_cast<float>(i % 4) / 8;
  launch.range(r.size()).buffer(r).value(0x1p24F).inEveryForm([&](const Outcome&) {
    // In 2^24's neighbourhood there are even numbers only.
    for (size_t i = 0; i < r.size(); ++i) EXPECT_EQ(r[i], i % 4 == 0 ? 0.0F : 2.0F) << i;
  });
}

constexpr std::string_view kFloatControls = "OpExtension \"SPV_KHR_float_controls\"\n";

std::string halving(std::string_view capabilities, std::string_view modes) {
  return module(std::string(capabilities) + std::string(kFloatControls), modes,
                R"(
%type = OpTypeFunction %void %globalFloat %globalDouble
%calledType = OpTypeFunction %float %float
%f2 = OpConstant %float 2
%d2 = OpConstant %double 2
%tiny = OpConstant %float 0x1p-126
%called = OpFunction %float None %calledType
%a = OpFunctionParameter %float
%calledEntry = OpLabel
%half = OpFDiv %float %tiny %f2
%part = OpFAdd %float %a %half
OpReturnValue %part
OpFunctionEnd
%k = OpFunction %void None %type
%r = OpFunctionParameter %globalFloat
%d = OpFunctionParameter %globalDouble
)" + std::string(kItem) +
                    R"(
%to = OpInBoundsPtrAccessChain %globalFloat %r %i
%x = OpLoad %float %to Aligned 4
%y = OpFDiv %float %x %f2
%z = OpFunctionCall %float %called %y
OpStore %to %z Aligned 4
%toDouble = OpInBoundsPtrAccessChain %globalDouble %d %i
%u = OpLoad %double %toDouble Aligned 8
%v = OpFDiv %double %u %d2
OpStore %toDouble %v Aligned 8
)" + std::string(kEnd));
}

TEST(SpirvProducers, DenormalNumbersAreFlushedWhereModesSaySo) {
  for (const bool flushes : {true, false}) {
    const std::string words =
        assemble(flushes ? halving("OpCapability DenormFlushToZero\n",
                                   "OpExecutionMode %k DenormFlushToZero 32\n"
                                   "OpExecutionMode %k DenormFlushToZero 64\n")
                         : halving("OpCapability DenormPreserve\n",
                                   "OpExecutionMode %k DenormPreserve 32\n"
                                   "OpExecutionMode %k DenormPreserve 64\n"));
    const Program p = buildIl({words, {}});
    ASSERT_NE(kernelInfo(p, "k"), nullptr);
    EXPECT_EQ(kernelInfo(p, "k")->denormsAreZero, flushes);
    std::vector<float> r(30, 0x1p-126F);
    std::vector<double> d(30, 0x1p-1022);
    Launch(p, "k").range(r.size()).buffer(r).buffer(d).inEveryForm([&](const Outcome&) {
      EXPECT_EQ(r, std::vector<float>(30, flushes ? 0 : 0x1p-126F));
      EXPECT_EQ(d, std::vector<double>(30, flushes ? 0 : 0x1p-1023));
    });
  }
}

TEST(SpirvProducers, RefusesModesThatTheProcessorDoesNotHave) {
  struct Modes {
    const char* capabilities;
    const char* modes;
    const char* says;
  };
  const Modes all[] = {
      {"OpCapability RoundingModeRTZ\n", "OpExecutionMode %k RoundingModeRTZ 32\n",
       "RoundingModeRTZ"},
      {"OpCapability DenormFlushToZero\n", "OpExecutionMode %k DenormFlushToZero 16\n",
       "DenormFlushToZero for halves"},
      {"OpCapability DenormFlushToZero\nOpCapability DenormPreserve\n",
       "OpExecutionMode %k DenormFlushToZero 32\nOpExecutionMode %k DenormPreserve 64\n",
       "DenormPreserve beside DenormFlushToZero"},
  };
  for (const Modes& wrong : all) {
    const auto built =
        compilerUnderTest().buildIl({assemble(halving(wrong.capabilities, wrong.modes)), {}}, "");
    ASSERT_FALSE(built) << wrong.modes;
    EXPECT_NE(built.error().log.find(wrong.says), std::string::npos) << built.error().log;
  }
}

// SPV_INTEL_long_constant_composite: parts that one instruction has no room for.
TEST(SpirvProducers, ConstantsThatGoOn) {
  const std::string_view capability =
      "OpCapability LongConstantCompositeINTEL\n"
      "OpExtension \"SPV_INTEL_long_constant_composite\"\n";
  const std::string body = R"(
%c5 = OpConstant %int 5
%int5 = OpTypeArray %int %c5
%globalInt5 = OpTypePointer CrossWorkgroup %int5
%values = OpConstantComposite %int5 %c3 %c1
OpConstantCompositeContinuedINTEL %c2 %c0
OpConstantCompositeContinuedINTEL %c5
%table = OpVariable %globalInt5 CrossWorkgroup %values
%type = OpTypeFunction %void %globalInt
%k = OpFunction %void None %type
%r = OpFunctionParameter %globalInt
)" + std::string(kItem) + R"(
%from = OpInBoundsPtrAccessChain %globalInt %table %c0 %i
%x = OpLoad %int %from Aligned 4
%to = OpInBoundsPtrAccessChain %globalInt %r %i
OpStore %to %x Aligned 4
)" + std::string(kEnd);
  const Program p = program(capability, "OpDecorate %table Constant\n", body);
  std::vector<int> r(5);
  Launch(p, "k").range(5).buffer(r).inEveryForm(
      [&](const Outcome&) { EXPECT_EQ(r, (std::vector<int>{3, 1, 2, 0, 5})); });

  std::string wrong = body;
  wrong.replace(wrong.find("%values = OpConstantComposite"), 0,
                "OpConstantCompositeContinuedINTEL %c2\n");
  const auto built = compilerUnderTest().buildIl({assemble(module(capability, "", wrong)), {}}, "");
  ASSERT_FALSE(built);
  EXPECT_NE(built.error().log.find("goes on with nothing"), std::string::npos) << built.error().log;
}

// Promises about aliases, caches, registers and work-groups.
// Places and names from either set for debuggers: one leaves lines to OpLine, one has them itself.
TEST(SpirvProducers, SetsForDebuggers) {
  struct Set {
    const char *name, *function, *place;
  };
  const Set sets[] = {
      {"OpenCL.DebugInfo.100", "%name %void %source 7 1 %source %name FlagIsLocal 7 %k",
       "OpLine %file 7 3\n"},
      {"NonSemantic.Shader.DebugInfo.100", "%name %void %source %c7 %c1 %source %name %c0 %c7",
       "%d0 = OpExtInst %void %debug DebugFunctionDefinition %f %k\n"
       "%d1 = OpExtInst %void %debug DebugLine %source %c7 %c7 %c3 %c3\n"}};
  for (const Set& set : sets) {
    std::string text = samples::module(samples::kAdd, "",
                                       "%file = OpString \"a.cl\"\n%name = OpString \"here\"\n"
                                       "%source = OpExtInst %void %debug DebugSource %file\n"
                                       "%f = OpExtInst %void %debug DebugFunction " +
                                           std::string(set.function) + "\n");
    const auto put = [&](std::string_view before, const std::string& what) {
      const size_t at = text.find(before);
      ASSERT_NE(at, std::string::npos);
      text.insert(at, what);
    };
    put("OpMemoryModel", "%debug = OpExtInstImport \"" + std::string(set.name) + "\"\n");
    put("%sum = OpIAdd", set.place);
    const std::string words = assemble(text);
    const auto read = compiler::spirv::readModule({words, {}}, {}, false);
    ASSERT_TRUE(read) << read.error();
    const llvm::Function& kernel = *(*read)->module().getFunction("k");
    ASSERT_NE(kernel.getSubprogram(), nullptr) << set.name;
    EXPECT_EQ(kernel.getSubprogram()->getName(), "here") << set.name;
    bool seen = false;
    for (const llvm::BasicBlock& block : kernel)
      for (const llvm::Instruction& instruction : block) {
        if (instruction.getOpcode() != llvm::Instruction::Add) continue;
        seen = true;
        const llvm::DILocation* place = instruction.getDebugLoc();
        ASSERT_NE(place, nullptr) << set.name;
        EXPECT_EQ(place->getLine(), 7U);
        EXPECT_EQ(place->getColumn(), 3U);
        EXPECT_EQ(place->getFilename(), "a.cl");
      }
    EXPECT_TRUE(seen);
  }
}

// As #pragma unroll in OpenCL C. DontUnroll is what Clang writes of every loop at -O1.
TEST(SpirvProducers, LoopsThatAreToBeUnrolled) {
  for (const char* control : {"Unroll", "None", "DontUnroll"}) {
    std::string text = samples::module(samples::kLoop);
    const size_t at = text.find("%latch None\nOpBranchConditional");
    ASSERT_NE(at, std::string::npos);
    text.replace(at + 7, 4, control);
    const std::string words = assemble(text);
    const auto read = compiler::spirv::readModule({words, {}}, {}, false);
    ASSERT_TRUE(read) << read.error();
    unsigned hints = 0;
    for (const llvm::BasicBlock& block : *(*read)->module().getFunction("k"))
      hints += block.getTerminator()->hasMetadata("llvm.loop") ? 1 : 0;
    EXPECT_EQ(hints, std::string_view(control) == "Unroll" ? 1U : 0U) << control;
  }
}

TEST(SpirvProducers, TakesHints) {
  const Program p = program(R"(
OpCapability MemoryAccessAliasingINTEL
OpCapability KernelAttributesINTEL
OpCapability FPGALoopControlsINTEL
OpCapability !6441
OpCapability !6169
OpCapability !6187
OpExtension "SPV_INTEL_memory_access_aliasing"
OpExtension "SPV_INTEL_kernel_attributes"
OpExtension "SPV_INTEL_cache_controls"
)",
                            R"(
OpExecutionMode %k MaxWorkgroupSizeINTEL 64 1 1
OpDecorate %from !6442 !0 !1
)",
                            R"(
%domain = OpAliasDomainDeclINTEL
%scope = OpAliasScopeDeclINTEL %domain
%list = OpAliasScopeListDeclINTEL %scope
%type = OpTypeFunction %void %globalInt %globalInt
%k = OpFunction %void None %type
%a = OpFunctionParameter %globalInt
%r = OpFunctionParameter %globalInt
)" + std::string(kItem) + R"(
%from = OpInBoundsPtrAccessChain %globalInt %a %i
%x = OpLoad %int %from Aligned|AliasScopeINTELMask 4 %list
%to = OpInBoundsPtrAccessChain %globalInt %r %i
OpStore %to %x Aligned|NoAliasINTELMask 4 %list
)" + std::string(kEnd));
  std::vector<int> a(50), r(50);
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<int>(i * i);
  Launch(p, "k").range(50).buffer(a).buffer(r).inEveryForm(
      [&](const Outcome&) { EXPECT_EQ(r, a); });
}

}  // namespace
}  // namespace weft::test
