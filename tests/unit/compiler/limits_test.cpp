// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <chrono>
#include <random>

#include "compiler_fixture.h"
#include "support/sanitizers.h"

namespace weft::compiler::testing {
namespace {

std::string repeated(const std::string& text, size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (size_t i = 0; i < count; ++i) all += text;
  return all;
}

class LimitsTest : public ::testing::Test {
 protected:
  /// The source must be refused, and the compiler must work afterwards.
  void refused(const std::string& source) {
    failureLog(compiler_->build(source, ""), ErrorKind::SourceError);
    EXPECT_TRUE(compiler_->build(kOneLine, ""));
  }
  /// The source may be refused or not, but must end.
  void survives(const std::string& source) {
    (void)compiler_->build(source, "");
    EXPECT_TRUE(compiler_->build(kOneLine, ""));
  }

  std::unique_ptr<Compiler> compiler_ = createCompiler(deviceOptions());
};

TEST_F(LimitsTest, NestingOfEveryKind) {
  constexpr size_t kDeep = 100000;
  const std::string head = "kernel void k(global int* p) { int x = *p; ";
  for (const char* unit :
       {"(",         "[",  "{",     "if(x)",    "-",           "!",       "~",       "- ",
        "x?",        "*",  "x=",    "sizeof ",  "if(x);else ", "for(;;)", "do ",     "while(x)",
        "switch(x)", "a:", "(int)", "x ? x : ", "x + (",       "f(",      "case 1:", "1 ? 1, "}) {
    SCOPED_TRACE(unit);
    refused(head + repeated(unit, kDeep));
  }
  refused("typedef struct " + repeated("{ struct ", kDeep));
  refused("int " + repeated("*", kDeep) + "p;");
  refused("int x" + repeated("[2]", kDeep) + ";");
  refused("int " + repeated("(", kDeep) + "p;");
  refused(repeated("#if 1\n", kDeep));
}

// Each link uses the one before it several times: whoever follows all ways up sees 3^60 of them.
TEST_F(LimitsTest, ChainsOfSharedParts) {
  survives(
      "kernel void k(global int* p, global int* q, int n) { for (int j = 0; j < n; ++j) {"
      " uint h = n + get_global_id(0); " +
      repeated("h = h * h ^ (h >> 3); ", 60) + "p[h & 63] += q[j * n + get_global_id(0)]; } }");
  survives(
      "kernel void k(global int* p, int n, int m) { int i = get_global_id(0);"
      " int c = i < n, d = i > m; " +
      repeated("{ int e = (c & d) | (i < --n); d = (c | e) & (i > m--); c = e; } ", 60) +
      "if (c) p[i] = 7; }");
}

TEST_F(LimitsTest, LongChains) {
  const std::string head = "kernel void k(global int* p) { int x = *p; x = x";
  survives(head + repeated("+x", 5000) + "; *p = x; }");
  refused(head + repeated("+x", 500000) + "; *p = x; }");
  // Lists do not hide what is long within them.
  const std::string list = "int f(int, int); kernel void k(global int* p) { int x = *p; x = ";
  refused(list + "f(1, x" + repeated("+x", 500000) + "); }");
  refused(list + "f(x" + repeated("+x", 500000) + ", 1); }");
  refused(list + repeated("f(1, ", 100000) + "1" + repeated(")", 100000) + "; }");
  refused("kernel void k() { int a = 1, b = 1" + repeated("+a", 500000) + ", c = 2; }");
  refused("enum { A = 1" + repeated("+1", 500000) + ", B };");
  survives(head + repeated(",x", 10000) + "; *p = x; }");
  survives("kernel void k(global int* p) { " + repeated("if (*p == 3) *p = 1; else ", 1000) +
           "; }");
}

/// `unit` with # replaced by 0, 1, ..., count - 1.
std::string numbered(const std::string& unit, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i)
    for (char c : unit) c == '#' ? void(all += std::to_string(i)) : void(all += c);
  return all;
}

TEST_F(LimitsTest, LengthAloneIsNoDanger) {
  if (test::kAddressSanitizer) GTEST_SKIP() << "limits go by the stack, of which there is less";
  constexpr size_t kLong = 20000;
  const std::string enumerators = numbered("A# = #,", kLong), plain = numbered("A#,", kLong);
  const std::string sources[] = {
      "enum E {" + enumerators + "}; kernel void k(global int* p) { *p = A19999; }",
      "typedef enum e {" + plain + "} E; enum { B = A3 };" +
          "kernel void k(global int* p) { E x = A19999; *p = x + B; }",
      "kernel void k(global int* p) { switch (*p) { " + numbered("case #: ", kLong) + "*p = 1; } }",
      "int f(int x" + numbered(", int a#", 10000) + ") { return x + a9999; }" +
          "kernel void k(global int* p) { *p = f(*p" + numbered(", # + 1", 10000) + "); }"};
  for (const std::string& source : sources) {
    const auto result = compiler_->compile(source, "", {});
    EXPECT_TRUE(result) << result.error().log;
  }
}

TEST_F(LimitsTest, LongSwitches) {
  const Ref<Program> program =
      programOf(compiler_->build("kernel void k(global int* p) { switch (*p) { " +
                                     numbered("case #: p[1] = # * 7; break; ", 1000) + "} }",
                                 ""));
  ASSERT_TRUE(program);
  EXPECT_TRUE(program->variant(0, {.form = Form::Flat}));
}

TEST_F(LimitsTest, LargeTablesAreFine) {
  const std::string source = "constant int table[100000] = {" + repeated("1,", 100000) +
                             "}; kernel void k(global int* p) { *p = table[*p]; }";
  EXPECT_TRUE(programOf(compiler_->build(source, "")));
}

TEST_F(LimitsTest, ArrayRanges) {
  const auto table = [](const std::string& range) {
    return "constant int table[] = {" + range +
           " = 1}; kernel void k(global int* p) "
           "{ *p = table[*p]; }";
  };
  EXPECT_TRUE(programOf(compiler_->build(table("[0 ... 9999]"), "")));
  refused(table("[0 ... 1000000000]"));
  refused(table("[0 ... 1000 * 1000 * 1000]"));
  refused("constant int t[][30000] = {[0 ... 29999][0 ... 29999] = 1}; kernel void k() {}");
}

TEST_F(LimitsTest, TypedefChains) {
  std::string source = "typedef int t0;\n";
  for (int i = 1; i < 20000; ++i) {
    source += "typedef t" + std::to_string(i - 1) + "* t" + std::to_string(i) + ";\n";
  }
  survives(source + "kernel void k(global int* p) { t19999 x = 0; }");
}

TEST_F(LimitsTest, MacrosThatExplode) {
  std::string objects = "#define A0 x x\n";
  std::string functions = "#define F(x) x x\n";
  for (int i = 1; i < 64; ++i) {
    const std::string before = "A" + std::to_string(i - 1);
    objects += "#define A" + std::to_string(i) + " " + before + " " + before + "\n";
  }
  refused(objects + "A63\n");
  refused(
      "#define A(n) A(n)\n#define E(x) x x x x x x x x\n"
      "#define E1(x) E(E(E(E(x))))\n#define E2(x) E1(E1(x))\nE2(E2(1))\n");
  refused(functions + repeated("F(", 60) + "1" + repeated(")", 60));
}

TEST_F(LimitsTest, TemplatesThatExplode) {
  const auto compiler = createCompiler(cxxOptions());
  const char* bombs[] = {
      "template <int D, long I> struct F { static constexpr int v = F<D - 1, I * 2>::v + F<D - 1, "
      "I "
      "* 2 + 1>::v; }; template <long I> struct F<0, I> { static constexpr int v = 1; };"
      "kernel void k(global int* o) { *o = F<22, 0>::v; }",
      "template <int D, long I> void f() { if constexpr (D > 0) { f<D - 1, I * 2>(); f<D - 1, I * "
      "2 "
      "+ 1>(); } } kernel void k(global int* o) { f<22, 0>(); }",
      "template <class T, T... I> struct Q {}; template <int N> using M = __make_integer_seq<Q, "
      "int, "
      "N>; int g(M<100000000>); kernel void k() {}"};
  for (const char* source : bombs)
    failureLog(compiler->build(source, "-cl-std=CLC++2021"), ErrorKind::SourceError);
}

TEST_F(LimitsTest, ScopesInC) {
  for (const char* text : {"f = (::value;", "f = sizeof(::value);", "f = ::value;", "(::", "::"})
    refused(std::string("kernel void k(global int* f) { ") + text + " }");
  EXPECT_TRUE(
      compiler_->build("[[clang::noinline]] int f(int x) { return x; } kernel void k() {}", ""));
}

TEST_F(LimitsTest, LargeLineNumbers) {
  for (const char* line : {"4294967295", "4294967290", "1000000000", "2147483647"}) {
    refused(std::string("#line ") + line + "\n undeclared;\n undeclared;\n");
    refused(std::string("# ") + line + " \"file\"\n undeclared;\n undeclared;\n");
  }
}

TEST_F(LimitsTest, SourceSize) { refused(std::string((size_t{64} << 20) + 1, ' ')); }

TEST_F(LimitsTest, ZeroBytesAndOddEncodings) {
  survives(std::string("kernel void k() {}\0garbage", 26));
  survives("\xff\xfe\x00kernel");
  survives("\xef\xbb\xbf" + std::string(kOneLine));
  survives("/* never closed");
  survives("\"never closed");
  survives("#define");
  survives("#include");
  survives("\\");
}

TEST_F(LimitsTest, RandomBytesNeverCrash) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::string source(random() % 300, '\0');
    for (char& c : source) c = static_cast<char>(random());
    (void)compiler_->build(source, "");
  }
  EXPECT_TRUE(compiler_->build(kOneLine, ""));
}

const char* const kSeed =
    "#define SQ(x) ((x) * (x))\n"
    "typedef struct { float4 a; int b[3]; } S;\n"
    "constant float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};\n"
    "float helper(float x, global const S* s) { return SQ(x) + s->a.xyzw.y + s->b[1]; }\n"
    "kernel __attribute__((reqd_work_group_size(8, 1, 1)))\n"
    "void k(global float* out, global const S* in, local float* tmp, uint n, int2 v) {\n"
    "  local int shared[16];\n"
    "  size_t i = get_global_id(0);\n"
    "  for (uint j = 0; j < n; ++j) { tmp[j & 7] += helper(out[i], in + j) * table[j & 3]; }\n"
    "  if (i & 1) shared[i & 15] = v.x; else shared[i & 15] = v.y;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[i] = tmp[i & 7] + convert_float(shared[3]) + as_float(v.x) + (float)atomic_add(shared, "
    "1);\n"
    "  switch (n) { case 1: out[0] = 1; break; default: while (n--) out[n] = 0; }\n"
    "}\n";

TEST_F(LimitsTest, TruncatedKernelsNeverCrash) {
  const std::string seed = kSeed;
  EXPECT_TRUE(programOf(compiler_->build(seed, "")));
  for (size_t size = 0; size < seed.size(); size += 7) {
    (void)compiler_->build(seed.substr(0, size), "");
  }
  EXPECT_TRUE(compiler_->build(kOneLine, ""));
}

TEST_F(LimitsTest, MutatedKernelsNeverCrash) {
  std::mt19937 random(4);
  const std::string seed = kSeed;
  for (int round = 0; round < 300; ++round) {
    std::string source = seed;
    for (int edit = 1 + static_cast<int>(random() % 3); edit != 0; --edit) {
      const size_t from = random() % source.size();
      const size_t to = random() % source.size();
      const size_t length = 1 + random() % 12;
      if (random() % 2) {
        source.erase(from, length);
      } else {
        source.insert(to, source.substr(from, length));
      }
    }
    const auto result = compiler_->build(source, "");
    if (!result || result->program->kernels().empty()) continue;
    (void)result->program->variant(0, {.form = Form::Fibers});
  }
  EXPECT_TRUE(compiler_->build(kOneLine, ""));
}

TEST_F(LimitsTest, HelpersFourWideAndSevenDeepBuildQuickly) {
  std::string source = "__attribute__((always_inline)) float f0(float x) { return sin(x) + x; }\n";
  for (int level = 1; level <= 7; ++level) {
    const std::string below = "f" + std::to_string(level - 1);
    source += "__attribute__((always_inline)) float f" + std::to_string(level) +
              "(float x) { return " + below + "(x) * " + below + "(x + 1) + " + below +
              "(x + 2) * " + below + "(x + 3); }\n";
  }
  source += "kernel void k(global float* p) { p[get_global_id(0)] = f7(p[get_global_id(0)]); }";
  const auto begin = std::chrono::steady_clock::now();
  const Ref<Program> program = programOf(compiler_->build(source, ""));
  ASSERT_TRUE(program);
  ASSERT_TRUE(program->variant(0, {.form = Form::Flat}));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  // The goal is one second on an idle machine; tests may share theirs.
  EXPECT_LT(elapsed.count(), 5.0);
  RecordProperty("milliseconds", static_cast<int>(elapsed.count() * 1000));
}

}  // namespace
}  // namespace weft::compiler::testing
