// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments, private memory, calls between kernels, constants, atomics and printf.
#include <algorithm>
#include <string>

#include "harness.h"

namespace weft::test {
namespace {

constexpr uint64_t kItems = 256;

TEST(Arguments, StructsByValueAndEveryScalarSize) {
  struct Inner {
    int8_t c;
    double d;
  };
  struct Outer {
    int16_t s;
    Inner inner[2];
    int64_t l;
    float f[3];
  };
  const auto program = build(R"(
    typedef struct { char c; double d; } Inner;
    typedef struct { short s; Inner inner[2]; long l; float f[3]; } Outer;
    kernel void k(global double* out, char c, Outer o, ushort us, float4 v, uchar3 u3, long l,
                  global const int* p, float f) {
      size_t i = get_global_id(0);
      o.inner[1].d += i;  // a private copy
      out[i] = c + o.s + o.inner[0].c + o.inner[0].d + o.inner[1].c + o.inner[1].d + o.l +
               o.f[0] + o.f[1] + o.f[2] + us + v.x + v.y + v.z + v.w + u3.x + u3.y + u3.z + l +
               p[i] + f;
    })");
  struct alignas(16) Float4 {
    float v[4];
  };
  struct alignas(4) Uchar3 {
    uint8_t v[4];
  };
  const Outer outer{.s = -2, .inner = {{3, 0.5}, {4, 0.25}}, .l = 1000, .f = {1, 2, 3}};
  std::vector<double> out(kItems), expected(kItems);
  std::vector<int> p(kItems);
  for (size_t i = 0; i < kItems; ++i) {
    p[i] = static_cast<int>(7 * i);
    expected[i] =
        -1 - 2 + 3 + 0.5 + 4 + 0.25 + double(i) + 1000 + 6 + 60000 + 10 + 555 + 5e9 + p[i] + 0.125;
  }
  Launch(program, "k")
      .range(kItems)
      .buffer(out)
      .value(int8_t{-1})
      .value(outer)
      .value(uint16_t{60000})
      .value(Float4{{1, 2, 3, 4}})
      .value(Uchar3{{100, 200, 255, 9}})
      .value(int64_t{5000000000})
      .buffer(p)
      .value(0.125f)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

TEST(Arguments, NullPointers) {
  const auto program = build(R"(
    kernel void k(global int* out, global int* maybe, constant int* other) {
      out[get_global_id(0)] = (maybe == 0 ? 1 : 2) + (other == 0 ? 10 : 20);
    })");
  std::vector<int> out(kItems), some(1);
  Launch(program, "k")
      .range(kItems)
      .buffer(out)
      .nullBuffer()
      .nullBuffer()
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, std::vector<int>(kItems, 11)); });
  Launch(program, "k")
      .range(kItems)
      .buffer(out)
      .buffer(some)
      .nullBuffer()
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, std::vector<int>(kItems, 12)); });
}

TEST(PrivateMemory, ArraysIndexedByData) {
  const auto program = build(R"(
    kernel void k(global const int* in, global int* out) {
      int histogram[16];
      for (int j = 0; j < 16; ++j) histogram[j] = 0;
      int g = (int)get_global_id(0);
      for (int j = 0; j < 64; ++j) histogram[in[(g + j * j) % (int)get_global_size(0)] & 15] += j;
      int best = 0;
      for (int j = 1; j < 16; ++j) if (histogram[j] > histogram[best]) best = j;
      out[g] = best * 100000 + histogram[best];
    })");
  std::vector<int> in(kItems), out(kItems), expected(kItems);
  for (size_t i = 0; i < kItems; ++i) in[i] = static_cast<int>(i * i / 3);
  for (size_t g = 0; g < kItems; ++g) {
    int histogram[16] = {};
    for (size_t j = 0; j < 64; ++j) histogram[in[(g + j * j) % kItems] & 15] += static_cast<int>(j);
    const auto best = std::max_element(histogram, histogram + 16) - histogram;
    expected[g] = static_cast<int>(best) * 100000 + histogram[best];
  }
  Launch(program, "k").range(kItems).buffer(in).buffer(out).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

// Frames far above a page, on fibers too: every stack must be deep enough.
TEST(PrivateMemory, LargeFramesAcrossABarrier) {
  const auto program = build(R"(
    kernel void k(global int* out, int rounds) {
      int big[3000];
      int g = (int)get_global_id(0);
      for (int j = 0; j < 3000; ++j) big[j] = g + j;
      for (int r = 0; r < rounds; ++r) {
        barrier(CLK_LOCAL_MEM_FENCE);
        big[(g * 17 + r) % 3000] += 1;
      }
      int sum = 0;
      for (int j = 0; j < 3000; ++j) sum += big[j] - g;
      out[g] = sum;
    })");
  std::vector<int> out(kItems);
  Launch(program, "k").range({kItems}, {64}).buffer(out).value(9).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, std::vector<int>(kItems, 2999 * 3000 / 2 + 9));
  });
}

TEST(Kernels, CallOtherKernels) {
  const auto program = build(R"(
    kernel void leaf(global int* out, int add) {
      local int shared[64];
      size_t i = get_local_id(0);
      shared[i] = (int)i + add;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] += shared[get_local_size(0) - 1 - i];
    }
    kernel void twice(global int* out) {
      leaf(out, 1000);
      barrier(CLK_LOCAL_MEM_FENCE);
      leaf(out, 0);
    })");
  EXPECT_EQ(program->kernels().size(), 2u);
  std::vector<int> out(kItems), expected(kItems);
  for (size_t g = 0; g < kItems; ++g) expected[g] = 2 * (63 - static_cast<int>(g % 64)) + 1000;
  Launch(program, "twice").range({kItems}, {64}).buffer(out).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

TEST(Kernels, ConstantTablesAtProgramScope) {
  const auto program = build(R"(
    constant int table[8] = {1, 1, 2, 3, 5, 8, 13, 21};
    constant struct { float f; char text[4]; } mixed[2] = {{0.5f, "abc"}, {1.5f, "xyz"}};
    kernel void k(global float* out) {
      size_t g = get_global_id(0);
      out[g] = table[g % 8] + mixed[g % 2].f + mixed[g % 2].text[g % 3];
    })");
  const int table[8] = {1, 1, 2, 3, 5, 8, 13, 21};
  std::vector<float> out(kItems), expected(kItems);
  for (size_t g = 0; g < kItems; ++g)
    expected[g] =
        float(table[g % 8]) + (g % 2 ? 1.5f : 0.5f) + float((g % 2 ? "xyz" : "abc")[g % 3]);
  Launch(program, "k").range(kItems).buffer(out).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

TEST(Atomics, GlobalHistogramAndTickets) {
  const auto program = build(R"(
    kernel void k(global int* bins, global int* tickets, global int* counter, global uint* bits) {
      int g = (int)get_global_id(0);
      atomic_add(&bins[g % 10], g);
      tickets[atomic_inc(counter)] = 1;
      atomic_or(&bits[(g >> 5) % 64], 1u << (g & 31));
      atomic_max(&bins[10], g);
      atomic_min(&bins[11], -g);
    })");
  constexpr int kMany = 20000;
  std::vector<int> bins(12), tickets(kMany), counter(1), expected(12);
  std::vector<uint32_t> bits(64);
  for (int g = 0; g < kMany; ++g) expected[g % 10] += g;
  expected[10] = kMany - 1;
  expected[11] = 1 - kMany;
  Launch(program, "k")
      .range(kMany)
      .buffer(bins)
      .buffer(tickets)
      .buffer(counter)
      .buffer(bits)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(bins, expected);
        EXPECT_EQ(tickets, std::vector<int>(kMany, 1));
        EXPECT_EQ(counter[0], kMany);
        EXPECT_EQ(bits, std::vector<uint32_t>(64, ~0u));
      });
}

TEST(Atomics, LocalCountersAndCompareExchange) {
  const auto program = build(R"(
    kernel void k(global int* out, global uint* total) {
      local int count, last;
      if (get_local_id(0) == 0) { count = 0; last = -1; }
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_add(&count, (int)get_local_id(0));
      atomic_max(&last, (int)get_local_id(0));
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = count * 1000 + last;
      uint old = *total, seen;
      while ((seen = atomic_cmpxchg(total, old, old + 3)) != old) old = seen;
    })");
  std::vector<int> out(kItems);
  std::vector<uint32_t> total(1);
  Launch(program, "k")
      .range({kItems}, {32})
      .buffer(out)
      .buffer(total)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(out, std::vector<int>(kItems, 31 * 32 / 2 * 1000 + 31));
        EXPECT_EQ(total[0], 3 * kItems);
      });
}

std::vector<std::string> sortedLines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    if (end == std::string::npos) {
      lines.push_back(text.substr(begin));
      break;
    }
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(Printf, WholeLinesOfEveryWorkItem) {
  const auto program = build(R"(
    kernel void k(float f) {
      int g = (int)get_global_id(0);
      if (g % 4 == 0)
        printf("%03d %s %.2f %v4hld|%c%%\n", g, "text", f * g, (int4)(g, 1, 2, 3), 'x');
    })");
  std::vector<std::string> expected;
  for (int g = 0; g < 64; g += 4) {
    char line[100];
    std::snprintf(line, sizeof line, "%03d %s %.2f %d,1,2,3|%c%%", g, "text", 1.5 * g, g, 'x');
    expected.push_back(line);
  }
  Launch(program, "k").range({64}, {16}).value(1.5f).inEveryForm([&](const Outcome& outcome) {
    EXPECT_EQ(sortedLines(outcome.printed), expected);
  });
}

TEST(Printf, AroundABarrier) {
  const auto program = build(R"(
    kernel void k(local int* l) {
      size_t i = get_local_id(0);
      l[i] = (int)i * 2;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i == 0) printf("%d %u %lx\n", l[get_local_size(0) - 1], 7u, 0xabcdef0123L);
    })");
  Launch(program, "k").range({64}, {16}).local(64).inEveryForm([&](const Outcome& outcome) {
    EXPECT_EQ(sortedLines(outcome.printed), std::vector<std::string>(4, "30 7 abcdef0123"));
  });
}

// OpenCL C 6.15.14.2: the argument of %s is a literal string. Those are in the constant address
// space, and no pointer to another one can be made of them.
TEST(Printf, StringsAreInTheConstantAddressSpace) {
  const auto program = build(R"(
    constant char name[] = "name";
    constant struct { int i; constant char* text; } rows[] = {{1, "one"}, {2, "two"}};
    constant char* pick(int i) { return i == 0 ? "zero" : rows[i - 1].text; }
    kernel void k(constant char* argument, global int* out) {
      int g = (int)get_global_id(0);
      constant char* format = g == 1 ? "%s;%p\n" : "%s;%s\n";
      out[3 * g] = printf("%s %5s|%-5.3s|\n", pick(g), argument, name);
      out[3 * g + 1] = printf("%s\n", (constant char*)0);
      out[3 * g + 2] = printf(format, pick(g), (constant char*)0);
    })");
  std::vector<char> argument{'h', 'o', 's', 't', 0};
  std::vector<int> out(9);
  std::vector<std::string> expected = {
      "(null)",           "(null)",  "(null)",           "zero  host|nam  |", "zero;(null)",
      "one  host|nam  |", "one;0x0", "two  host|nam  |", "two;(null)"};
  std::sort(expected.begin(), expected.end());
  Launch(program, "k")
      .range({3}, {3})
      .buffer(argument)
      .buffer(out)
      .inEveryForm([&](const Outcome& outcome) {
        EXPECT_EQ(sortedLines(outcome.printed), expected);
        EXPECT_EQ(out, std::vector<int>(9));
      });
}

TEST(Printf, RefusesStringsElsewhere) {
  const std::string source = R"(
    kernel void k(global const char* g, local char* l, global int* out, int i) {
      char p[4] = "abc";
      const char* either = i ? (const char*)g : p;
      constant char* format = i ? "%s" : "%d";
      if (get_local_id(0) == 0) l[0] = 'l', l[1] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[0] = printf("%s\n", p);
      out[1] = printf("%d%%%s\n", 1, g);
      out[2] = printf("%s%s\n", "text", l);
      out[3] = printf("%s\n", either);
      out[4] = printf(format, g);
      out[5] = printf("%s\n", i);
      out[6] = printf("%p\n", g) + printf("%p\n", "text");
    })";
  const auto built = tryBuild(source, "-cl-std=CL3.0");
  ASSERT_TRUE(built) << built.error().log;
  for (const int line : {8, 9, 10, 11})
    EXPECT_NE(built->log.find(":" + std::to_string(line) + ":"), std::string::npos) << built->log;
  EXPECT_EQ(built->log.find(":14:"), std::string::npos) << built->log;
  EXPECT_EQ(tryBuild(source, "-cl-std=CL3.0 -w")->log, "");
  EXPECT_FALSE(tryBuild(source, "-cl-std=CL3.0 -Werror"));
  std::vector<char> text{'g', 0};
  std::vector<int> out(7, 1);
  Launch(build(source, "-cl-std=CL3.0"), "k")
      .range({1}, {1})
      .buffer(text)
      .local(2)
      .buffer(out)
      .value(1)
      .inEveryForm([&](const Outcome& outcome) {
        EXPECT_EQ(out, (std::vector<int>{-1, -1, -1, -1, -1, -1, 0}));
        EXPECT_EQ(sortedLines(outcome.printed).size(), 2u) << outcome.printed;
      });
}

// Clang divides constants itself; what has no value must not take the code around it along.
TEST(Division, OfConstantsByZeroHasSomeValue) {
  WEFT_NEEDS_SOURCE("division by zero makes the kernel one that nothing reaches");
  const auto program = build(R"(
    kernel void k(global int* out, int n) {
      int i = get_global_id(0), v = 5;
      switch (0 % (0 ? n : 0)) { case 0: v = 7; break; case 1: v = 9; }
      int4 w = (int4)(8, 2, n, 4) / (int4)(2, 0, 1, 2);
      out[2 * i] = v >= 5 && v <= 9 && (w.y == 3 || w.y != 3);
      out[2 * i + 1] = w.x + w.z + w.w;
    })",
                             "-w");
  std::vector<int> out(64), expected(64);
  for (size_t i = 0; i < 64; ++i) expected[i] = i % 2 == 0 ? 1 : 4 + 3 + 2;
  Launch(program, "k").range(32).buffer(out).value(3).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

TEST(Division, ByZeroAndOverflowEndWithoutATrap) {
  const auto program = build(R"(
    kernel void k(global const int* a, global const int* b, global int* out) {
      size_t g = get_global_id(0);
      int q = a[g] / b[g], r = a[g] % b[g];
      out[g] = b[g] == 0 || (a[g] == INT_MIN && b[g] == -1) ? 1 : q * b[g] + r == a[g];
    })");
  std::vector<int> a{1, 0, INT32_MIN, INT32_MIN, 7, -7, INT32_MAX, 5};
  std::vector<int> b{0, 0, -1, 1, 2, 2, -1, INT32_MIN};
  std::vector<int> out(a.size());
  Launch(program, "k")
      .range(a.size())
      .buffer(a)
      .buffer(b)
      .buffer(out)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, std::vector<int>(a.size(), 1)); });
}

}  // namespace
}  // namespace weft::test
