// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ for OpenCL.
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

constexpr const char* kVersions[] = {"-cl-std=CLC++", "-cl-std=CLC++1.0", "-cl-std=CLC++2021"};

TEST(CxxForOpenCL, HasTemplatesClassesAndReferences) {
  constexpr const char* kSource = R"(
    template <class T> struct Pair {
      T a, b;
      T sum() const { return a + b; }
      template <class F> auto apply(F f) -> decltype(f(a)) { return f(a) * f(b); }
    };
    template <class T, int n> T power(T x) { return n == 0 ? T(1) : x * power<T, n ? n - 1 : 0>(x); }
    struct Base { int x; explicit Base(int v) : x(v) {} ~Base() {} };
    struct Derived : Base { using Base::Base; int twice() const { return 2 * x; } };
    void bump(int& x) { x += 1; }
    enum class Colour : int { Red = 3 };
    kernel void k(global int* out) {
      int i = get_global_id(0);
      Pair<int> pair{i, 2};
      Derived d(i);
      int r = pair.sum() + power<int, 3>(2) + d.twice();
      bump(r);
      auto add = [=](int y) { return y + i; };
      for (auto j = 0; j < 2; ++j) r = add(r);
      out[i] = r + static_cast<int>(Colour::Red) + max(i, 1);
    })";
  std::vector<int> out(64), expected;
  for (int i = 0; i < 64; ++i)
    expected.push_back(i + 2 + 8 + 2 * i + 1 + 2 * i + 3 + std::max(i, 1));
  for (const char* version : kVersions) {
    SCOPED_TRACE(version);
    Launch(build(kSource, version), "k").range(64).buffer(out).inEveryForm([&](const Outcome&) {
      EXPECT_EQ(out, expected);
    });
  }
}

TEST(CxxForOpenCL, TellsItsVersion) {
  constexpr const char* kSource =
      "kernel void k(global int* out) { out[0] = __OPENCL_CPP_VERSION__; }";
  const int versions[] = {100, 100, 202100};
  for (int i = 0; i < 3; ++i) {
    std::vector<int> out(1);
    Launch(build(kSource, kVersions[i]), "k").range(1).buffer(out).in({}, [&](const Outcome&) {
      EXPECT_EQ(out[0], versions[i]);
    });
  }
}

TEST(CxxForOpenCL, ConstructsObjectsAtProgramScopeOnce) {
  WEFT_NEEDS_SOURCE("constructors of constants are constants");
  const auto program = build(R"(
    struct Counter {
      int value;
      Counter(int v) : value(v * 2) {}
    };
    static int make(int x) { return x + 1; }
    Counter first(5);
    Counter others[2] = {Counter(first.value), Counter(7)};
    int computed = make(41);
    kernel void k(global int* out) {
      out[0] = first.value++ + others[0].value + others[1].value + computed;
    })",
                             "-cl-std=CLC++2021");
  ASSERT_TRUE(program);
  EXPECT_TRUE(program->hasConstructors());
  EXPECT_EQ(program->kernels().size(), 1u);
  std::vector<int> out(1);
  int expected = 10 + 20 + 14 + 42;
  Launch(program, "k").range(1).buffer(out).unordered().inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out[0], expected++);
  });

  const auto bytes = program->serialize();
  ASSERT_TRUE(bytes);
  const auto loaded = compilerUnderTest().load(*bytes);
  ASSERT_TRUE(loaded) << loaded.error().log;
  EXPECT_TRUE((*loaded)->hasConstructors());
  Launch(*loaded, "k").range(1).buffer(out).in({}, [&](const Outcome&) { EXPECT_EQ(out[0], 86); });
}

TEST(CxxForOpenCL, InitialisesStaticVariablesOnce) {
  WEFT_NEEDS_SOURCE("the module is not valid");
  const auto program = build(R"(
    struct S { int v; S(int a) : v(a) {} };
    int& counter() { static int calls = 0; return calls; }
    int get(int x) { static S s((++counter(), x)); return s.v; }
    kernel void k(global int* out, int x) { out[get_global_id(0)] = get(x) * 10 + counter(); })",
                             "-cl-std=CLC++2021");
  std::vector<int> out(64);
  int argument = 4;
  Launch(program, "k").range(64).buffer(out).value(argument).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, std::vector<int>(64, 41));
  });
  argument = 9;
  Launch(program, "k").range(64).buffer(out).value(argument).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, std::vector<int>(64, 41));
  });
}

TEST(CxxForOpenCL, RefusesWhatTheLanguageLacks) {
  for (const char* source :
       {"struct B { virtual int f() { return 1; } }; kernel void k(global int* o) { B b; o[0] = "
        "b.f(); }",
        "kernel void k(global int* o) { try { o[0] = 1; } catch (...) {} }",
        "kernel void k(global int* o) { o[0] = dynamic_cast<int*>(o) != 0; }",
        "struct S { int v; S() : v(1) {} ~S() { v = 0; } }; S s; kernel void k(global int* o) { "
        "o[0] = s.v; }"}) {
    const auto built = tryBuild(source, "-cl-std=CLC++2021");
    EXPECT_FALSE(built) << source;
  }
}

}  // namespace
}  // namespace weft::test
