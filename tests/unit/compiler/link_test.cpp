// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler_fixture.h"

namespace weft::compiler::testing {
namespace {

class LinkTest : public ::testing::Test {
 protected:
  Ref<Program> object(const char* source, const char* options = "") {
    return programOf(compiler_->compile(source, options, {}));
  }
  Result<BuildOutput> link(std::vector<Ref<Program>> inputs, const char* options = "") {
    return compiler_->link(inputs, options);
  }

  std::unique_ptr<Compiler> compiler_ = createCompiler(deviceOptions());
  const char* caller_ = "int twice(int x); kernel void k(global int* p) { *p = twice(*p); }";
  const char* callee_ = "int twice(int x) { return 2 * x; }";
};

TEST_F(LinkTest, ObjectsMakeAnExecutable) {
  const Ref<Program> a = object(caller_);
  const Ref<Program> b = object(callee_);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->kind(), ProgramKind::CompiledObject);
  EXPECT_TRUE(a->kernels().empty());
  const Ref<Program> program = programOf(link({a, b}));
  ASSERT_TRUE(program);
  EXPECT_EQ(program->kind(), ProgramKind::Executable);
  ASSERT_EQ(program->kernels().size(), 1u);
  const auto variant = program->variant(0, {.form = Form::Fibers});
  ASSERT_TRUE(variant) << variant.error().log;
  EXPECT_NE((*variant)->itemEntry, nullptr);
}

TEST_F(LinkTest, UndefinedSymbolsAreErrors) {
  const std::string log = failureLog(link({object(caller_)}), ErrorKind::SourceError);
  EXPECT_NE(log.find("twice"), std::string::npos) << log;
}

TEST_F(LinkTest, DuplicateSymbolsAreErrors) {
  const std::string log =
      failureLog(link({object(caller_), object(callee_), object("int twice(int x) { return x; }")}),
                 ErrorKind::SourceError);
  EXPECT_NE(log.find("twice"), std::string::npos) << log;
}

TEST_F(LinkTest, LibrariesLinkLater) {
  const Ref<Program> library = programOf(link({object(callee_)}, "-create-library"));
  ASSERT_TRUE(library);
  EXPECT_EQ(library->kind(), ProgramKind::Library);
  const Ref<Program> program = programOf(link({object(caller_), library}));
  ASSERT_TRUE(program);
  EXPECT_EQ(program->kernels().size(), 1u);
  EXPECT_TRUE(link({object(callee_)}, "-create-library -enable-link-options"));
}

TEST_F(LinkTest, LibrariesMayStayIncomplete) {
  EXPECT_TRUE(link({object(caller_)}, "-create-library"));
}

TEST_F(LinkTest, ExecutablesAreNoInputs) {
  failureLog(link({programOf(compiler_->build(kOneLine, ""))}), ErrorKind::SourceError);
}

TEST_F(LinkTest, BuiltinsAreLinkedIntoTheExecutable) {
  const Ref<Program> program =
      programOf(link({object("kernel void k(global int* p) { *p = max(p[1], (int)abs(p[2])); }")}));
  ASSERT_TRUE(program);
  const auto variant = program->variant(0, {.form = Form::Flat});
  EXPECT_TRUE(variant) << variant.error().log;
}

TEST_F(LinkTest, TheLibraryDoesNotCallFunctionsOfTheProgram) {
  // Names that the library's own helpers and the C library have.
  const Ref<Program> program = programOf(link(
      {object("double erf(double x) { return -1; } double tgamma(double x) { return -1; }\n"
              "constant float table[2] = {1, 2}; float weft_helper(float x) { return table[1]; }\n"
              "kernel void memset(global float* p) { *p = erfc(*p) + sin(*p) + tgamma(*p); }")}));
  ASSERT_TRUE(program);
  const auto variant = program->variant(0, {.form = Form::Flat});
  EXPECT_TRUE(variant) << variant.error().log;
}

TEST_F(LinkTest, KernelsOfSeveralObjectsKeepTheirArguments) {
  const Ref<Program> program =
      programOf(link({object("kernel void a(int x, local float* l) {}", "-cl-kernel-arg-info"),
                      object("kernel void b(constant int* c) {}", "-cl-kernel-arg-info")}));
  ASSERT_TRUE(program);
  ASSERT_EQ(program->kernels().size(), 2u);
  EXPECT_EQ(program->kernels()[0].arguments[1].kind, ArgumentKind::LocalPointer);
  EXPECT_EQ(program->kernels()[0].arguments[1].name, "l");
  EXPECT_EQ(program->kernels()[1].arguments[0].kind, ArgumentKind::ConstantPointer);
}

TEST_F(LinkTest, LinkerOptionsReachTheKernels) {
  const Ref<Program> program = programOf(link({object(kOneLine)}, "-cl-denorms-are-zero"));
  ASSERT_TRUE(program);
  EXPECT_TRUE(program->kernels()[0].denormsAreZero);
}

}  // namespace
}  // namespace weft::compiler::testing
