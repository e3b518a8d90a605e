// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler_fixture.h"

namespace weft::compiler::testing {
namespace {

class IncludeTest : public ::testing::Test {
 protected:
  std::unique_ptr<Compiler> compiler_ = createCompiler(deviceOptions());
  PrivateDirectory directory_;
};

TEST_F(IncludeTest, DirectoriesOfTheOptions) {
  directory_.write("value.h", "#define VALUE 7\n");
  directory_.write("with space/other.h", "#include \"nested/deep.h\"\n");
  directory_.write("with space/nested/deep.h", "#define OTHER 8\n");
  const std::string source =
      "#include <value.h>\n#include \"other.h\"\n"
      "#if VALUE != 7 || OTHER != 8\n#error wrong\n#endif\nkernel void k() {}";
  const std::string options =
      "-I" + directory_.path() + " -I \"" + (directory_ / "with space") + "\"";
  const auto result = compiler_->build(source, options);
  EXPECT_TRUE(result) << result.error().log;
  failureLog(compiler_->build(source, ""), ErrorKind::SourceError);
}

TEST_F(IncludeTest, TheFirstDirectoryWins) {
  directory_.write("a/which.h", "#define WHICH 1\n");
  directory_.write("b/which.h", "#define WHICH 2\n");
  const std::string source = "#include \"which.h\"\n#if WHICH != 2\n#error wrong\n#endif\n";
  EXPECT_TRUE(
      compiler_->compile(source, "-I" + (directory_ / "b") + " -I" + (directory_ / "a"), {}));
  failureLog(compiler_->compile(source, "-I" + (directory_ / "a") + " -I" + (directory_ / "b"), {}),
             ErrorKind::SourceError);
}

TEST_F(IncludeTest, HeadersOfTheCallComeBeforeTheDisk) {
  directory_.write("which.h", "#error from disk\n");
  const EmbeddedHeader headers[] = {
      {"which.h", "#include \"sub/inner.h\"\n"},
      {"sub/inner.h", "#include \"beside.h\"\n"},
      {"sub/beside.h", "#define INNER 1\n"},
  };
  for (const char* form : {"\"which.h\"", "<which.h>", "\"./which.h\"", "\"sub/../which.h\""}) {
    const std::string source =
        std::string("#include ") + form + "\n#ifndef INNER\n#error missing\n#endif\n";
    const auto result = compiler_->compile(source, "-I" + directory_.path(), headers);
    EXPECT_TRUE(result) << form << ": " << result.error().log;
  }
}

/// Their declarations are there for those who use them, wherever the name stands.
TEST_F(IncludeTest, HeadersMayUseIntelsSubGroups) {
  CompilerOptions options = deviceOptions();
  options.extensions.emplace_back("cl_intel_subgroups");
  const auto compiler = createCompiler(options);
  directory_.write("block.h", "#define READ(p) intel_sub_group_block_read(p)\n");
  const std::string kernel = "kernel void k(global uint* a) { a[0] = READ(a); }";
  const EmbeddedHeader headers[] = {{"given.h", "#define READ(p) intel_sub_group_block_read(p)\n"}};
  EXPECT_TRUE(compiler->compile("#include \"block.h\"\n" + kernel, "-I" + directory_.path(), {}));
  EXPECT_TRUE(compiler->compile("#include \"given.h\"\n" + kernel, "", headers));
  EXPECT_TRUE(compiler->compile(kernel, "-DREAD=intel_sub_group_block_read", {}));
  const std::string log =
      failureLog(compiler->compile("kernel void k() { intel_sub_group_nothing(); }", "", {}),
                 ErrorKind::SourceError);
  EXPECT_NE(log.find("intel_sub_group_nothing"), std::string::npos) << log;
}

TEST_F(IncludeTest, ErrorsInHeadersNameThem) {
  const EmbeddedHeader headers[] = {{"bad.h", "int x = ;\n"}};
  const std::string log =
      failureLog(compiler_->compile("#include \"bad.h\"\n", "", headers), ErrorKind::SourceError);
  EXPECT_NE(log.find("bad.h:1"), std::string::npos) << log;
}

TEST_F(IncludeTest, DevicesAndFoldersCannotBeIncluded) {
  for (const char* path : {"/dev/zero", "/dev/stdin", "/"}) {
    SCOPED_TRACE(path);
    failureLog(compiler_->compile(std::string("#include \"") + path + "\"\n", "", {}),
               ErrorKind::SourceError);
  }
  ASSERT_EQ(::mkfifo((directory_ / "pipe").c_str(), 0600), 0);
  failureLog(compiler_->compile("#include \"pipe\"\n", "-I" + directory_.path(), {}),
             ErrorKind::SourceError);
}

TEST_F(IncludeTest, SelfInclusionEnds) {
  const EmbeddedHeader headers[] = {{"loop.h", "#include \"loop.h\"\n"}};
  failureLog(compiler_->compile("#include \"loop.h\"\n", "", headers), ErrorKind::SourceError);
}

TEST_F(IncludeTest, FirstOfTwoHeadersWithOneNameCounts) {
  const EmbeddedHeader headers[] = {
      {"a.h", "#define V 1\n"}, {"./a.h", "#define V 2\n"}, {"a.h", "#error later\n"}};
  const auto result = compiler_->compile(
      "#include <a.h>\n#if V != 1\n#error not the first\n#endif\nkernel void k() {}", "", headers);
  EXPECT_TRUE(result) << result.error().log;
}

}  // namespace
}  // namespace weft::compiler::testing
