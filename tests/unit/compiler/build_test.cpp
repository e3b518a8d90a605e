// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler_fixture.h"

namespace weft::compiler::testing {
namespace {

class BuildTest : public ::testing::Test {
 protected:
  std::unique_ptr<Compiler> compiler_ = createCompiler(deviceOptions());
};

TEST_F(BuildTest, OneLineKernelBuildsWithItsInfo) {
  const Ref<Program> program = programOf(compiler_->build(kOneLine, ""));
  ASSERT_TRUE(program);
  EXPECT_EQ(program->kind(), ProgramKind::Executable);
  ASSERT_EQ(program->kernels().size(), 1u);
  const KernelInfo& kernel = program->kernels()[0];
  EXPECT_EQ(kernel.name, "one");
  ASSERT_EQ(kernel.arguments.size(), 1u);
  EXPECT_EQ(kernel.arguments[0].kind, ArgumentKind::GlobalPointer);
  EXPECT_EQ(kernel.arguments[0].size, 8u);
}

/// Runs a flat variant over `items` work-items with one buffer argument.
void runFlat(const Variant& variant, void* buffer, uint64_t items) {
  abi::Launch launch{};
  launch.workDim = 1;
  launch.subGroupSize = 16;
  for (int d = 0; d < 3; ++d) {
    launch.globalSize[d] = launch.enqueuedLocalSize[d] = launch.numGroups[d] = 1;
  }
  launch.globalSize[0] = launch.enqueuedLocalSize[0] = items;
  launch.arguments = &buffer;
  abi::Group group{};
  group.launch = &launch;
  for (int d = 0; d < 3; ++d) group.localSize[d] = group.boxEnd[d] = 1;
  group.localSize[0] = group.boxEnd[0] = items;
  variant.groupEntry(&group);
}

TEST_F(BuildTest, FlatVariantRuns) {
  const Ref<Program> program = programOf(compiler_->build(kOneLine, ""));
  ASSERT_TRUE(program);
  const auto variant = program->variant(0, {.form = Form::Flat});
  ASSERT_TRUE(variant) << variant.error().log;
  ASSERT_NE((*variant)->groupEntry, nullptr);
  alignas(128) int out[20] = {};
  runFlat(**variant, out, 16);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(out[i], i < 16 ? 42 : 0);
  // Asked again, the same code is given.
  EXPECT_EQ(*program->variant(0, {.form = Form::Flat}), *variant);
}

}  // namespace
}  // namespace weft::compiler::testing
