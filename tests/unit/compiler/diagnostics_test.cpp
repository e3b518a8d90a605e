// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>

#include "compiler_fixture.h"

namespace weft::compiler::testing {
namespace {

class DiagnosticsTest : public ::testing::Test {
 protected:
  std::unique_ptr<Compiler> compiler_ = createCompiler(deviceOptions());
};

TEST_F(DiagnosticsTest, ErrorsQuoteTheLine) {
  const std::string log = failureLog(
      compiler_->build("kernel void k(global int* p) {\n  *p = undeclared_thing;\n}\n", ""),
      ErrorKind::SourceError);
  EXPECT_NE(log.find("<source>:2:8: error:"), std::string::npos) << log;
  EXPECT_NE(log.find("*p = undeclared_thing;"), std::string::npos) << log;
  EXPECT_NE(log.find('^'), std::string::npos) << log;
}

TEST_F(DiagnosticsTest, WarningsOfGoodBuilds) {
  const char* source = "#warning look here\nkernel void k() {}\n";
  const auto warned = compiler_->build(source, "");
  ASSERT_TRUE(warned);
  EXPECT_NE(warned->log.find("look here"), std::string::npos) << warned->log;
  const auto silent = compiler_->build(source, "-w");
  ASSERT_TRUE(silent);
  EXPECT_EQ(silent->log, "");
  failureLog(compiler_->build(source, "-Werror"), ErrorKind::SourceError);
}

TEST_F(DiagnosticsTest, CleanBuildsHaveAnEmptyLog) {
  const auto result = compiler_->build(kOneLine, "");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->log, "");
}

TEST_F(DiagnosticsTest, UndefinedFunctionsAreNamed) {
  const std::string log = failureLog(
      compiler_->build("int missing(int); kernel void k(global int* p) { *p = missing(1); }", ""),
      ErrorKind::SourceError);
  EXPECT_NE(log.find("missing"), std::string::npos) << log;
}

TEST_F(DiagnosticsTest, EmptySourcesHaveNoKernels) {
  for (const char* source : {"", "\n", "int f(int x) { return x; }"}) {
    const Ref<Program> program = programOf(compiler_->build(source, ""));
    ASSERT_TRUE(program);
    EXPECT_TRUE(program->kernels().empty());
  }
}

TEST_F(DiagnosticsTest, FileScopeAssemblyIsRefused) {
  failureLog(compiler_->build("__asm__(\".globl main\"); kernel void k() {}", ""),
             ErrorKind::SourceError);
}

/// Builds with stdout and stderr going to a file; returns what was written there.
std::string outputDuring(Compiler& compiler, const std::string& source) {
  const PrivateDirectory directory;
  const std::string path = directory / "output";
  const int file = ::open(path.c_str(), O_CREAT | O_RDWR, 0600);
  const int oldOut = ::dup(1);
  const int oldErr = ::dup(2);
  ::dup2(file, 1);
  ::dup2(file, 2);
  (void)compiler.build(source, "");
  ::dup2(oldOut, 1);
  ::dup2(oldErr, 2);
  ::close(oldOut);
  ::close(oldErr);
  ::close(file);
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(DiagnosticsTest, NothingIsPrinted) {
  EXPECT_EQ(outputDuring(*compiler_, "kernel void k( { garbage"), "");
  EXPECT_EQ(outputDuring(*compiler_,
                         "#define A 1\n#pragma clang __debug macro A\n"
                         "#pragma clang __debug dump A\nkernel void k() {}"),
            "");
  EXPECT_EQ(outputDuring(*compiler_,
                         "kernel void k(global int* p) "
                         "{ __asm__ volatile(\"bogus %0\" : \"=r\"(*p)); }"),
            "");
}

TEST_F(DiagnosticsTest, DebugPragmasCannotCrash) {
  for (const char* what :
       {"crash", "parser_crash", "overflow_stack", "llvm_fatal_error", "llvm_unreachable", "assert",
        "handle_crash", "captured", "diag_mapping \"x\"", "dump k", "module_map", "sleep"}) {
    const std::string source = std::string("#pragma clang __debug ") + what + "\n" + kOneLine;
    EXPECT_TRUE(compiler_->build(source, "")) << what;
  }
}

}  // namespace
}  // namespace weft::compiler::testing
