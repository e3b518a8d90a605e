// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extensions of Clang's that are not OpenCL C: refused by name, or as good as anything else.
#include "compiler_fixture.h"

namespace weft::compiler::testing {
namespace {

class ExtensionsTest : public ::testing::Test {
 protected:
  /// `body` with a preamble must not build, and the log has to name `what`.
  void refused(const std::string& what, const std::string& body, const std::string& before = "",
               const char* flags = "") {
    SCOPED_TRACE(before + " // " + body);
    const std::string log =
        failureLog(compiler_->build(sourceOf(body, before), flags), ErrorKind::SourceError);
    EXPECT_NE(log.find(what), std::string::npos) << log;
    EXPECT_TRUE(compiler_->build(kOneLine, ""));
  }
  /// `body` must build, and all its code must link.
  void works(const std::string& body, const std::string& before = "", const char* flags = "") {
    SCOPED_TRACE(before + " // " + body);
    const Ref<Program> program = programOf(compiler_->build(sourceOf(body, before), flags));
    if (!program) return;
    for (const Form form : {Form::Flat, Form::GroupLoop, Form::Fibers}) {
      const auto variant = program->variant(0, {.form = form, .width = 8});
      EXPECT_TRUE(variant) << variant.error().log;
    }
  }

  std::unique_ptr<Compiler> compiler_ = createCompiler(cxxOptions());

 private:
  static std::string sourceOf(const std::string& body, const std::string& before) {
    return before + "\nkernel void k(global int* o) { int i = get_global_id(0); " + body + " }\n";
  }
};

TEST_F(ExtensionsTest, TypesOfOtherLanguages) {
  refused("__bf16", "__bf16 y = 0; o[i] = 1;");
  refused("__bf16", "o[i] = sizeof(T);", "typedef __bf16 T;");
  refused("_BitInt", "unsigned _BitInt(33) x = o[i]; o[i] = x * x;");
  refused("_BitInt", "o[i] = T;", "#define T ((_BitInt(7))3)");
  refused("wb", "o[i] = 3wb;");
  refused("_Complex", "_Complex float x = o[i]; o[i] = __real__(x * x);");
  refused("__int128", "__int128 x = o[i]; o[i] = x;");
  refused("__float128", "__float128 x = o[i]; o[i] = x;");
  refused("long double", "long double x = o[i]; o[i] = x * 2;");
  refused("long double", "o[i] = o[i] * 2.0L;");
  refused("long double", "o[i] = s[0].x;", "constant struct { long double x; } s[] = {{1}};");
  refused("long double", "o[i] = f(i);", "long double f(int x) { return 1; }");
  // Names that merely look so.
  works("int __bf16x = 3; o[i] = __bf16x + 0x1b + wb;", "constant int wb = 4;");
}

TEST_F(ExtensionsTest, CodeThatNoKernelHas) {
  refused("assembly", "int y; __asm__(\"mov $1, %0\" : \"=r\"(y)); o[i] = y;");
  refused("<source>:2:", "__asm__ volatile(\"ud2\");");
  refused("assembly", "asm(\"nop\");", "", "-cl-std=CLC++2021");
  refused("naked", "o[i] = f();", "__attribute__((naked)) int f(void) {}");
  refused("ifunc", "o[i] = g();",
          "int f(void) { return 3; } void* r(void) { return 0; }"
          "int g(void) __attribute__((ifunc(\"r\")));");
  refused("not constant", "o[i] = __builtin_alloca(o[i] * 4 + 4) != 0;");
  for (const char* call : {"__builtin_frame_address(3) != 0", "__builtin_return_address(0) != 0",
                           "__builtin_dwarf_cfa() != 0", "__builtin_canonicalizef((float)i)",
                           "__builtin_llrintf((float)i)"})
    refused("builtin function of the compiler", std::string("o[i] = ") + call + ";");
  refused("4398046511104 bytes", "o[i] = a[o[i]];", "constant int a[1L << 40] = {1};");
  refused("'__builtin_trap'", "if (o[i] == 5) __builtin_trap();");
  refused("'__builtin_trap'", "__builtin_verbose_trap(\"a\", \"b\");");
  refused("abort", "__builtin_abort();");
  refused("malloc", "o[i] = (int)__builtin_malloc(3);");
  refused("destructor", "static A a; o[i] = a.x;", "struct A { int x; ~A() { x = 1; } };",
          "-cl-std=CLC++2021");
}

TEST_F(ExtensionsTest, AttributesForLinkersAndDebuggersAreDropped) {
  works("o[i] = f();",
        "__attribute__((visibility(\"default\"), used, noinline)) int f(void) "
        "{ return 4; }");
  works("o[i] = f();", "__attribute__((section(\"foo\"))) int f(void) { return 4; }");
  works("o[i] = v;", "__attribute__((section(\".init_array\"))) constant int v = 4;");
  works("o[i] = v;", "__attribute__((annotate(\"x\"))) constant int v = 4;");
  works("int x __attribute__((annotate(\"x\"))) = i; o[i] = x;");
  works("o[i] = f(i);",
        "int g(int x) { return x; }"
        "int f(int x) { __attribute__((musttail)) return g(x); }");
  works("o[i] = f(i);",
        "__attribute__((patchable_function_entry(5), noinline)) int f(int x)"
        "{ return x; }");
  works("__builtin_debugtrap(); o[i] = 5;");
}

TEST_F(ExtensionsTest, MissingReturnsDoNotTrap) {
  for (const char* flags : {"-cl-std=CLC++2021", "-cl-std=CLC++2021 -cl-opt-disable"})
    works("o[i] = f(i);", "int f(int x) { if (x > 100) return 3; }", flags);
}

TEST_F(ExtensionsTest, Aliases) {
  works("o[i] = v;", "constant int a = 5; extern constant int v __attribute__((alias(\"a\")));");
  works("o[i] = g(i);", "int f(int x) { return x + 3; } int g(int) __attribute__((alias(\"f\")));");
  works("o[i] = v[i];",
        "constant int a[4] = {1, 2, 3, 4};"
        "extern constant int v[4] __attribute__((alias(\"a\")));");
  works("o[i] = v++;", "global int a = 5; extern global int v __attribute__((alias(\"a\")));",
        "-cl-std=CL3.0");
}

TEST_F(ExtensionsTest, ClangsNamesOfMathFunctions) {
  for (const char* name : {"sin", "cos", "exp", "exp2", "log", "log2", "log10", "tanh", "fabs",
                           "sqrt", "floor", "rint"}) {
    const std::string call = std::string("__builtin_") + name;
    works("o[i] = " + call + "f((float)i) + " + call + "((double)i);");
  }
  works("o[i] = __builtin_powf((float)i, o[i]) + __builtin_pow((double)i, o[i]);");
  works("o[i] = __builtin_ldexpf((float)i, o[i]) + __builtin_fmodf((float)i, 3.0f);");
  works("float4 x = (float4)(i); x = __builtin_elementwise_sin(x); o[i] = x.y;");
  works("float4 x = (float4)(i); x = __builtin_elementwise_pow(x, x); o[i] = x.y;");
}

TEST_F(ExtensionsTest, VariableIsAnAliasOfItsTarget) {
  const auto object = compiler_->compile(
      "constant int a = 5; extern constant int v __attribute__((alias(\"a\")));"
      "kernel void k(global int* o) { *o = v; }",
      "", {});
  ASSERT_TRUE(object) << object.error().log;
  const Ref<Program> parts[] = {object->program};
  const auto linked = compiler_->link(parts, "", PrivateMemory{});
  EXPECT_TRUE(linked) << linked.error().log;
}

TEST_F(ExtensionsTest, SamplersAndImagesAreNamed) {
  for (const char* source :
       {"constant sampler_t s = CLK_FILTER_NEAREST; kernel void k(global int* o, read_only "
        "image2d_t m) { *o = read_imagei(m, s, (int2)(0)).x; }",
        "kernel void k(write_only image2d_t m) { write_imagef(m, (int2)(0), (float4)(0)); }",
        "kernel void k(global int* o, read_only image2d_t m) { *o = get_image_width(m); }",
        "kernel void k(global int* o, read_only image2d_t m) { *o = 1; }",
        "kernel void k(global int* o, sampler_t s) { *o = 1; }"}) {
    const std::string log = failureLog(compiler_->build(source, ""), ErrorKind::SourceError);
    EXPECT_NE(log.find("neither images nor samplers"), std::string::npos) << log;
    EXPECT_EQ(log.find("__translate"), std::string::npos) << log;
  }
}

}  // namespace
}  // namespace weft::compiler::testing
