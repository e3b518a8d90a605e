// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Versions of SPIR-V, and what OpenCL 3.1 has in each of them with an extension or without.
#include "harness.h"
#include "support/spirv_samples.h"
#include "support/spirv_tools.h"

namespace weft::test {
namespace {

/// A kernel over two buffers of numbers of one type: %y, stored, is made of %x, loaded, and %n, the
/// item's number.
std::string kernel(const std::string& head, const std::string& type, const std::string& body) {
  return "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\nOpCapability Int16\n"
         "OpCapability Int8\nOpCapability Float64\nOpCapability Float16\n" +
         head +
         "%std = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel Physical64 OpenCL\n"
         "OpEntryPoint Kernel %k \"k\" %id\n"
         "OpDecorate %id BuiltIn GlobalInvocationId\n"
         "OpDecorate %format Constant\n"
         "%void = OpTypeVoid\n%char = OpTypeInt 8 0\n%short = OpTypeInt 16 0\n"
         "%int = OpTypeInt 32 0\n%long = OpTypeInt 64 0\n%half = OpTypeFloat 16\n"
         "%float = OpTypeFloat 32\n%double = OpTypeFloat 64\n%v3long = OpTypeVector %long 3\n"
         "%c0 = OpConstant %int 0\n%c1 = OpConstant %int 1\n%c3 = OpConstant %int 3\n"
         "%c4 = OpConstant %int 4\n%c8 = OpConstant %int 8\n%subGroup = OpConstant %int 3\n"
         "%percent = OpConstant %char 37\n%z = OpConstant %char 122\n%d = OpConstant %char 100\n"
         "%space = OpConstant %char 32\n%t = OpConstant %char 116\n%hex = OpConstant %char 120\n"
         "%end = OpConstant %char 0\n%l9 = OpConstant %long 9\n"
         "%text = OpTypeArray %char %l9\n%textPlace = OpTypePointer UniformConstant %text\n"
         "%charPlace = OpTypePointer UniformConstant %char\n"
         "%words = OpConstantComposite %text %percent %z %d %space %percent %t %hex %space %end\n"
         "%format = OpVariable %textPlace UniformConstant %words\n"
         "%inputIds = OpTypePointer Input %v3long\n%id = OpVariable %inputIds Input\n"
         "%place = OpTypePointer CrossWorkgroup " +
         type +
         "\n%type = OpTypeFunction %void %place %place\n"
         "%k = OpFunction %void None %type\n%a = OpFunctionParameter %place\n"
         "%r = OpFunctionParameter %place\n%entry = OpLabel\n%ids = OpLoad %v3long %id Aligned 32\n"
         "%i = OpCompositeExtract %long %ids 0\n%n = OpUConvert %int %i\n"
         "%from = OpInBoundsPtrAccessChain %place %a %i\n%x = OpLoad " +
         type + " %from Aligned 1\n" + body +
         "%to = OpInBoundsPtrAccessChain %place %r %i\nOpStore %to %y Aligned 1\n"
         "OpReturn\nOpFunctionEnd\n";
}

constexpr uint32_t version(uint32_t minor) { return 0x00010000 + (minor << 8); }

/// Runs it over 64 items that have their numbers, and compares with what `expected` makes of these.
template <class T, class Expected>
void run(const std::string& text, uint32_t minor, Expected&& expected) {
  const std::string words = assemble(text, version(minor));
  const Program program = words.empty() ? nullptr : buildIl({words, {}});
  std::vector<T> a(64), r(64), all(64);
  for (int i = 0; i < 64; ++i) {
    a[static_cast<size_t>(i)] = static_cast<T>(i * 3);
    all[static_cast<size_t>(i)] = static_cast<T>(expected(i));
  }
  Launch(program, "k").range({64}, {64}).buffer(a).buffer(r).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(r, all) << text;
  });
}

TEST(SpirvVersions, All) {
  for (uint32_t minor = 0; minor <= 6; ++minor)
    run<int>(kernel("", "%int", "%y = OpIAdd %int %x %n\n"), minor, [](int i) { return i * 4; });
}

// In 1.3, of every type that there is, without cl_khr_subgroup_extended_types' name.
TEST(SpirvVersions, ShufflesOfAllTypes) {
  const std::string head =
      "OpCapability GroupNonUniformShuffle\nOpCapability GroupNonUniformShuffleRelative\n";
  const auto neighbour = [](int i) { return (i ^ 1) * 3; };
  const auto body = [](const std::string& type) {
    return "%y = OpGroupNonUniformShuffleXor " + type + " %subGroup %x %c1\n";
  };
  run<int8_t>(kernel(head, "%char", body("%char")), 3, neighbour);
  run<int16_t>(kernel(head, "%short", body("%short")), 3, neighbour);
  run<int32_t>(kernel(head, "%int", body("%int")), 3, neighbour);
  run<int64_t>(kernel(head, "%long", body("%long")), 3, neighbour);
  run<float>(kernel(head, "%float", body("%float")), 3, neighbour);
  run<double>(kernel(head, "%double", body("%double")), 3, neighbour);
  // The bits of a half are as good as a half.
  run<uint16_t>(kernel(head, "%short",
                       "%h = OpBitcast %half %x\n"
                       "%s = OpGroupNonUniformShuffleXor %half %subGroup %h %c1\n"
                       "%y = OpBitcast %short %s\n"),
                3, neighbour);
}

TEST(SpirvVersions, ProductsOfBytes) {
  const auto expected = [](int i) {
    const int bytes = i * 3;
    return (bytes & 0x7f) * 3 + (bytes & 0x80 ? -128 * 3 : 0);
  };
  const std::string capabilities =
      "OpCapability DotProduct\nOpCapability DotProductInput4x8BitPacked\n";
  run<int>(kernel(capabilities, "%int", "%y = OpSDot %int %x %c3 PackedVectorFormat4x8Bit\n"), 6,
           expected);
  run<int>(kernel(capabilities + "OpExtension \"SPV_KHR_integer_dot_product\"\n", "%int",
                  "%y = OpSDot %int %x %c3 PackedVectorFormat4x8Bit\n"),
           0, expected);
}

TEST(SpirvVersions, BitInstructions) {
  run<int>(kernel("OpCapability BitInstructions\nOpExtension \"SPV_KHR_bit_instructions\"\n",
                  "%int", "%y = OpBitFieldInsert %int %x %c1 %c4 %c8\n"),
           0, [](int i) { return ((i * 3) & ~0xff0) | 0x10; });
}

TEST(SpirvVersions, RotationsOfClusters) {
  run<int>(kernel("OpCapability GroupNonUniformRotateKHR\n"
                  "OpExtension \"SPV_KHR_subgroup_rotate\"\n",
                  "%int", "%y = OpGroupNonUniformRotateKHR %int %subGroup %x %c1 %c4\n"),
           3, [](int i) { return ((i & ~3) | ((i + 1) & 3)) * 3; });
}

TEST(SpirvVersions, PrintsSizesAndDifferences) {
  const std::string words =
      assemble(kernel("", "%long",
                      "%first = OpInBoundsPtrAccessChain %charPlace %format %c0 %c0\n"
                      "%many = OpExtInst %int %std printf %first %x %x\n"
                      "%y = OpUConvert %long %many\n"));
  const Program program = words.empty() ? nullptr : buildIl({words, {}});
  std::vector<int64_t> a = {-5000000000}, r(1);
  Launch(program, "k").range(1).buffer(a).buffer(r).inEveryForm([&](const Outcome& outcome) {
    EXPECT_EQ(outcome.printed, "-5000000000 fffffffed5fa0e00 ");
    EXPECT_EQ(r[0], 0);
  });
}

}  // namespace
}  // namespace weft::test
