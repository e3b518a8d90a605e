// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdlib>
#include <random>

#include "compiler_fixture.h"
#include "driver/kernel_info_codec.h"
#include "driver/program_binary.h"
#include "pipeline/pipeline.h"
#include "weft/compiler/binary_tag.h"

namespace weft::compiler::testing {
namespace {

const char* const kSource =
    "kernel void a(global float* p, local int* scratch, int4 v) {\n"
    "  scratch[get_local_id(0)] = v.x;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  p[get_global_id(0)] = scratch[0];\n}\n"
    "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void b(constant int* c) {}\n";

class BinaryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    program_ = programOf(compiler_->build(kSource, "-cl-kernel-arg-info"));
    ASSERT_TRUE(program_);
    auto bytes = program_->serialize();
    ASSERT_TRUE(bytes);
    bytes_ = std::move(*bytes);
  }

  std::unique_ptr<Compiler> compiler_ = createCompiler(deviceOptions());
  Ref<Program> program_;
  std::vector<std::byte> bytes_;
};

/// Ends the process with 0 when the host has been limited.
[[noreturn]] void askForTheTagFirst() {
  const std::string tag = binaryTag(CpuLevel::V1);
  const bool isLimited = hostTarget().features.find("sse4") == std::string::npos;
  std::_Exit(isLimited && tag == binaryTag(CpuLevel::V1) ? 0 : 1);
}

// Applications ask for the version of the driver before there is a compiler.
TEST(BinaryTagDeathTest, LimitsTheHost) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(askForTheTagFirst(), ::testing::ExitedWithCode(0), "");
}

// INSERTQ takes a hundred times as long as the shuffle that it is taken for.
TEST(HostTarget, LeavesOutWhatIsSlow) {
  EXPECT_EQ(hostTarget().features.find("+sse4a"), std::string::npos);
}

TEST_F(BinaryTest, RoundTripKeepsEverything) {
  const auto other = createCompiler(deviceOptions());
  const auto loaded = other->load(bytes_);
  ASSERT_TRUE(loaded) << loaded.error().log;
  EXPECT_EQ((*loaded)->kind(), ProgramKind::Executable);
  ASSERT_EQ((*loaded)->kernels().size(), 2u);
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ((*loaded)->kernels()[i], program_->kernels()[i]);
  EXPECT_EQ(*(*loaded)->serialize(), bytes_);
  const auto variant = (*loaded)->variant(0, {.form = Form::Fibers});
  ASSERT_TRUE(variant) << variant.error().log;
}

TEST_F(BinaryTest, ObjectsAndLibrariesRoundTrip) {
  const Ref<Program> object =
      programOf(compiler_->compile("int f(int x) { return x; } kernel void k() { f(1); }", "", {}));
  const auto loaded = compiler_->load(*object->serialize());
  ASSERT_TRUE(loaded);
  EXPECT_EQ((*loaded)->kind(), ProgramKind::CompiledObject);
  const Ref<Program> inputs[] = {*loaded};
  EXPECT_TRUE(compiler_->link(inputs, ""));
}

TEST_F(BinaryTest, EveryTruncationIsRefused) {
  for (size_t size = 0; size < bytes_.size(); ++size) {
    const auto loaded = compiler_->load(std::span(bytes_).first(size));
    ASSERT_FALSE(loaded) << size;
    ASSERT_EQ(loaded.error().kind, ErrorKind::InvalidBinary);
  }
}

TEST_F(BinaryTest, EveryCorruptedByteIsRefused) {
  std::mt19937 random(1);
  for (size_t i = 0; i < bytes_.size(); ++i) {
    const std::byte old = bytes_[i];
    bytes_[i] ^= static_cast<std::byte>(1 + random() % 255);
    const auto loaded = compiler_->load(bytes_);
    bytes_[i] = old;
    ASSERT_FALSE(loaded) << i;
    ASSERT_EQ(loaded.error().kind, ErrorKind::InvalidBinary);
  }
}

TEST_F(BinaryTest, TrailingBytesAndForeignFilesAreRefused) {
  std::vector<std::byte> longer = bytes_;
  longer.push_back(std::byte{0});
  failureLog(compiler_->load(longer), ErrorKind::InvalidBinary);
  const std::string elf = std::string(
                              "\x7f"
                              "ELF") +
                          std::string(4096, '\0');
  failureLog(compiler_->load(std::as_bytes(std::span(elf))), ErrorKind::InvalidBinary);
  const std::string bitcode = std::string("BC\xC0\xDE") + std::string(100, 'x');
  failureLog(compiler_->load(std::as_bytes(std::span(bitcode))), ErrorKind::InvalidBinary);
}

TEST(ProgramBinaryTest, BinariesOfOtherHostsAreRefused) {
  ProgramImage image;
  const std::string bytes = encodeProgram(image, "this-host");
  const auto span = std::as_bytes(std::span(bytes));
  EXPECT_TRUE(decodeProgram(span, "this-host", nullptr));
  EXPECT_FALSE(decodeProgram(span, "that-host", nullptr));
}

TEST(KernelInfoCodecTest, AnyBytesAreSafe) {
  KernelInfo kernel;
  kernel.name = "k";
  kernel.arguments.resize(3);
  kernel.arguments[1].kind = ArgumentKind::GlobalPointer;
  kernel.arguments[1].size = 8;
  kernel.argumentBytes = 8;
  kernel.reductions.push_back({1, ReductionOperation::UMax, 8});
  kernel.barriers.push_back({"file.cl", 7});
  const std::vector<KernelInfo> kernels(2, kernel);
  std::string good;
  encodeKernels(kernels, good);
  const auto decoded = decodeKernels(std::as_bytes(std::span(good)));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, kernels);

  std::mt19937 random(2);
  for (int round = 0; round < 20000; ++round) {
    std::string bad = good;
    for (int i = 0; i < 3; ++i) bad[random() % bad.size()] = static_cast<char>(random());
    bad.resize(random() % (bad.size() + 1));
    (void)decodeKernels(std::as_bytes(std::span(bad)));
  }
  // A count that claims more than there is must not be believed.
  for (size_t i = 0; i + 8 <= good.size(); ++i) {
    std::string bad = good;
    std::memset(bad.data() + i, 0xff, 8);
    (void)decodeKernels(std::as_bytes(std::span(bad)));
  }
}

TEST(KernelInfoCodecTest, ReductionsIntoWhatIsNoMemoryAreRefused) {
  KernelInfo kernel;
  kernel.argumentBytes = 16;
  kernel.arguments.resize(2);
  for (ArgumentInfo& argument : kernel.arguments) argument.size = 8;
  kernel.arguments[0].kind = ArgumentKind::GlobalPointer;
  const auto decodes = [&](std::vector<Reduction> reductions) {
    kernel.reductions = std::move(reductions);
    std::string bytes;
    encodeKernels({&kernel, 1}, bytes);
    return decodeKernels(std::as_bytes(std::span(bytes))).has_value();
  };
  using Operation = ReductionOperation;
  EXPECT_TRUE(decodes({{0, Operation::UMax, 4}}));
  EXPECT_FALSE(decodes({{1, Operation::Add, 4}})) << "a value";
  EXPECT_FALSE(decodes({{2, Operation::Add, 4}})) << "no argument";
  EXPECT_FALSE(decodes({{0, Operation(8), 4}}));
  EXPECT_FALSE(decodes({{0, Operation::Add, 0}}));
  EXPECT_FALSE(decodes(std::vector<Reduction>(kMostReductions + 1, Reduction{})));
}

TEST(KernelInfoCodecTest, ArgumentsOutsideTheBlockAreRefused) {
  KernelInfo kernel;
  kernel.argumentBytes = 16;
  ArgumentInfo argument;
  argument.offset = argument.size = 8;
  kernel.arguments.push_back(argument);
  std::string bytes;
  encodeKernels({&kernel, 1}, bytes);
  EXPECT_TRUE(decodeKernels(std::as_bytes(std::span(bytes))));
  kernel.arguments[0].offset = 9;
  bytes.clear();
  encodeKernels({&kernel, 1}, bytes);
  EXPECT_FALSE(decodeKernels(std::as_bytes(std::span(bytes))));
}

}  // namespace
}  // namespace weft::compiler::testing
