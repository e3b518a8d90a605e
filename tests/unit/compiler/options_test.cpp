// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler_fixture.h"
#include "frontend/build_options.h"

namespace weft::compiler::testing {
namespace {

using Strings = std::vector<std::string>;

BuildOptions parsed(const char* text, OptionContext context = OptionContext::Compile) {
  auto options = parseBuildOptions(text, context);
  if (options) return *options;
  ADD_FAILURE() << text << ": " << options.error();
  return {};
}

TEST(OptionsTest, MacrosWithAndWithoutSpaceAndValues) {
  EXPECT_EQ(parsed("-DA -D B -DC=1 -D D=2").macros, (Strings{"-DA", "-DB", "-DC=1", "-DD=2"}));
  EXPECT_EQ(parsed("-DTEXT=\"a b\"").macros, (Strings{"-DTEXT=a b"}));
  EXPECT_EQ(parsed("\"-DTEXT=a b\"").macros, (Strings{"-DTEXT=a b"}));
  EXPECT_EQ(parsed("-DTEXT=\\\"quoted\\\"").macros, (Strings{"-DTEXT=\"quoted\""}));
  EXPECT_EQ(parsed("-DF(x)=x -UA").macros, (Strings{"-DF(x)=x", "-UA"}));
  EXPECT_EQ(parsed("-D EMPTY=").macros, (Strings{"-DEMPTY="}));
}

TEST(OptionsTest, IncludeDirectoriesWithSpaces) {
  EXPECT_EQ(parsed("-I OpenCL -I/usr/x").includeDirectories, (Strings{"OpenCL", "/usr/x"}));
  EXPECT_EQ(parsed("-I \"a b\" -I\"c d\"").includeDirectories, (Strings{"a b", "c d"}));
  EXPECT_EQ(parsed("-I a\\ b").includeDirectories, (Strings{"a b"}));
}

TEST(OptionsTest, EveryFlagSetsItsField) {
  const BuildOptions all = parsed(
      "-w -Werror -g -cl-opt-disable -cl-single-precision-constant -cl-denorms-are-zero "
      "-cl-fp32-correctly-rounded-divide-sqrt -cl-strict-aliasing -cl-mad-enable "
      "-cl-no-signed-zeros -cl-unsafe-math-optimizations -cl-finite-math-only "
      "-cl-fast-relaxed-math -cl-uniform-work-group-size -cl-no-subgroup-ifp "
      "-cl-kernel-arg-info");
  EXPECT_TRUE(all.noWarnings && all.warningsAsErrors && all.debugInfo && all.optDisable);
  EXPECT_TRUE(all.singlePrecisionConstant && all.denormsAreZero && all.strictAliasing);
  EXPECT_TRUE(all.correctlyRoundedDivideSqrt && all.madEnable && all.noSignedZeros);
  EXPECT_TRUE(all.unsafeMath && all.finiteMath && all.fastRelaxedMath && all.kernelArgInfo);
  EXPECT_TRUE(all.uniformWorkGroupSize && all.noSubgroupForwardProgress);
  const BuildOptions none = parsed("");
  EXPECT_FALSE(none.noWarnings || none.fastRelaxedMath || none.kernelArgInfo || none.optDisable);
}

TEST(OptionsTest, LanguageVersions) {
  EXPECT_EQ(parsed("").standard, LanguageStandard::Default);
  EXPECT_EQ(parsed("-cl-std=CL1.0").standard, LanguageStandard::C10);
  EXPECT_EQ(parsed("-cl-std=CL1.1").standard, LanguageStandard::C11);
  EXPECT_EQ(parsed("-cl-std=CL1.2").standard, LanguageStandard::C12);
  EXPECT_EQ(parsed("-cl-std=CL2.0").standard, LanguageStandard::C20);
  EXPECT_EQ(parsed("-cl-std=CL3.0").standard, LanguageStandard::C30);
  EXPECT_EQ(parsed("-cl-std=CLC++2021").standard, LanguageStandard::Cxx2021);
}

TEST(OptionsTest, WhiteSpaceOfAnyKindSeparates) {
  EXPECT_EQ(parsed("  -DA\t-DB\n-DC  ").macros, (Strings{"-DA", "-DB", "-DC"}));
}

TEST(OptionsTest, LinkerOptions) {
  const BuildOptions options = parsed(
      "-create-library -enable-link-options -cl-denorms-are-zero -cl-no-signed-zeroes "
      "-cl-unsafe-math-optimizations -cl-finite-math-only -cl-fast-relaxed-math",
      OptionContext::Link);
  EXPECT_TRUE(options.createLibrary && options.enableLinkOptions && options.fastRelaxedMath);
}

class BadOptionsTest : public ::testing::TestWithParam<const char*> {};

TEST_P(BadOptionsTest, AreRefused) {
  const auto compiler = createCompiler(deviceOptions());
  failureLog(compiler->checkOptions(GetParam(), false), ErrorKind::InvalidOptions);
  failureLog(compiler->build(kOneLine, GetParam()), ErrorKind::InvalidOptions);
  failureLog(compiler->compile(kOneLine, GetParam(), {}), ErrorKind::InvalidOptions);
}

INSTANTIATE_TEST_SUITE_P(Compile, BadOptionsTest,
                         ::testing::Values("-D", "-I", "-D 1x", "-D =3", "-foo", "foo.cl", "-",
                                           "--help", "-cl-std=CL9.9", "-cl-std=", "-cl-std",
                                           "-cl-unknown", "-x spir", "-spir-std=1.2", "-triple x86",
                                           "-create-library", "-enable-link-options", "-I \"open",
                                           "-o /tmp/x", "-Wl,-x", "-mllvm -debug", "-Xclang -x",
                                           "-include /etc/passwd", "-O9", "-fplugin=x.so"));

class BadLinkOptionsTest : public ::testing::TestWithParam<const char*> {};

TEST_P(BadLinkOptionsTest, AreRefused) {
  const auto compiler = createCompiler(deviceOptions());
  failureLog(compiler->checkOptions(GetParam(), true), ErrorKind::InvalidOptions);
  failureLog(compiler->link({}, GetParam()), ErrorKind::InvalidOptions);
}

INSTANTIATE_TEST_SUITE_P(Link, BadLinkOptionsTest,
                         ::testing::Values("-DA", "-w", "-cl-std=CL1.2", "-enable-link-options",
                                           "-foo", "\"", "-cl-mad-enable"));

}  // namespace
}  // namespace weft::compiler::testing
