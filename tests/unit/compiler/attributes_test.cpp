// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A required sub-group size, on devices that take one and on others.
#include "compiler_fixture.h"

namespace weft::compiler::testing {
namespace {

std::string kernelOf(int size) {
  return "kernel __attribute__((intel_reqd_sub_group_size(" + std::to_string(size) +
         "))) void k(global int* out) { out[get_global_id(0)] = 1; }\n";
}

TEST(RequiredSubGroupSize, HasToBeOneOfTheDevices) {
  CompilerOptions options = deviceOptions();
  options.extensions.push_back("cl_intel_required_subgroup_size");
  const auto compiler = createCompiler(options);
  for (const int size : {8, 16, 32, 64}) {
    const Ref<Program> program = programOf(compiler->build(kernelOf(size), "-Werror"));
    ASSERT_TRUE(program);
    EXPECT_EQ(program->kernels()[0].subGroupSize, size);
    EXPECT_EQ(program->kernels()[0].attributes,
              "intel_reqd_sub_group_size(" + std::to_string(size) + ")");
  }
  for (const int size : {1, 4, 24, 128, 1 << 30}) {
    const std::string log = failureLog(compiler->build(kernelOf(size), ""), ErrorKind::SourceError);
    EXPECT_NE(log.find("no sub-groups of " + std::to_string(size) + ", only of 8, 16, 32, 64"),
              std::string::npos)
        << log;
  }
}

TEST(RequiredSubGroupSize, IsUnknownToOtherDevices) {
  const auto compiler = createCompiler(deviceOptions());
  const auto built = compiler->build(kernelOf(7), "");
  ASSERT_TRUE(built);
  EXPECT_NE(built->log.find("unknown attribute"), std::string::npos) << built->log;
  EXPECT_EQ(built->program->kernels()[0].subGroupSize, 0u);
  EXPECT_EQ(built->program->kernels()[0].attributes, "");
  failureLog(compiler->build(kernelOf(7), "-Werror"), ErrorKind::SourceError);
}

}  // namespace
}  // namespace weft::compiler::testing
