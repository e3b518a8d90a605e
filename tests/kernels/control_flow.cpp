// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divergent and irreducible control flow, with and without barriers around it.
#include "harness.h"

namespace weft::test {
namespace {

constexpr uint64_t kGroup = 32;
constexpr uint64_t kItems = 8 * kGroup;

TEST(ControlFlow, LoopsOfDifferentLength) {
  const auto program = build(R"(
    kernel void k(global uint* out) {
      uint n = get_global_id(0) + 1, steps = 0;
      while (n != 1) { n = n & 1 ? 3 * n + 1 : n / 2; ++steps; if (steps > 500) break; }
      out[get_global_id(0)] = steps;
    })");
  std::vector<uint32_t> out(kItems), expected(kItems);
  for (size_t g = 0; g < kItems; ++g)
    for (uint32_t n = static_cast<uint32_t>(g) + 1; n != 1; n = n & 1 ? 3 * n + 1 : n / 2)
      ++expected[g];
  Launch(program, "k").range(kItems).buffer(out).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

/// Loops of one block that are left the second time.
TEST(ControlFlow, LoopsOfTwoRuns) {
  const auto program = build(R"(
    kernel void k(global int* out, int n) {
      int i = get_global_id(0), times = 0, turns = 0, sum = 0;
      while (times++ < 1) {}
      do { sum += i * 3 + turns; } while (turns++ < 1);
      int once = 0;
      while (once++ < 1 && n > 0) {}
      out[i] = times * 10000 + turns * 1000 + once * 100 + sum;
    })");
  std::vector<int32_t> out(21);
  Launch launch(program, "k");
  launch.range(out.size()).buffer(out).value(int32_t{1});
  launch.inEveryForm([&](const Outcome&) {
    for (int32_t i = 0; i < 21; ++i) EXPECT_EQ(out[static_cast<size_t>(i)], 22201 + 6 * i);
  });
}

TEST(ControlFlow, SwitchAroundBarriers) {
  const auto program = build(R"(
    kernel void k(global int* out, local int* l, int what) {
      size_t i = get_local_id(0), n = get_local_size(0);
      int value = (int)i;
      switch (what) {
        case 0:
          value += 10;
          break;
        case 1:
          l[i] = value;
          barrier(CLK_LOCAL_MEM_FENCE);
          value = l[(i + 1) % n];
          // falls through
        case 2:
          barrier(CLK_LOCAL_MEM_FENCE);
          l[i] = value * 2;
          barrier(CLK_LOCAL_MEM_FENCE);
          value = l[(i + 2) % n];
          break;
        default:
          value = -1;
      }
      switch (i % 4) {
        case 0: value += 1; break;
        case 1: value += 100;
        case 2: value += 10000; break;
      }
      out[get_global_id(0)] = value;
    })");
  for (const int what : {0, 1, 2, 3}) {
    std::vector<int> out(kItems), expected(kItems);
    for (size_t g = 0; g < kItems; ++g) {
      const int i = static_cast<int>(g % kGroup), n = kGroup;
      int value = i;
      if (what == 0) value += 10;
      if (what == 1) value = 2 * ((i + 3) % n);
      if (what == 2) value = 2 * ((i + 2) % n);
      if (what == 3) value = -1;
      if (i % 4 == 0) value += 1;
      if (i % 4 == 1) value += 10100;
      if (i % 4 == 2) value += 10000;
      expected[g] = value;
    }
    Launch(program, "k")
        .range({kItems}, {kGroup})
        .buffer(out)
        .local(kGroup * 4)
        .value(what)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

TEST(ControlFlow, GotoAroundBarriers) {
  const auto program = build(R"(
    kernel void k(global int* out, local int* l, int rounds) {
      size_t i = get_local_id(0), n = get_local_size(0);
      int value = (int)i, round = 0;
    again:
      l[i] = value;
      barrier(CLK_LOCAL_MEM_FENCE);
      value = l[(i + 1) % n];
      if (round == 2) goto skip;
      value += 1;
    skip:
      barrier(CLK_LOCAL_MEM_FENCE);
      if (++round < rounds) goto again;
      out[get_global_id(0)] = value;
    })");
  constexpr int kRounds = 5;
  std::vector<int> out(kItems), expected(kItems);
  for (size_t g = 0; g < kItems; ++g)
    expected[g] = static_cast<int>((g % kGroup + kRounds) % kGroup) + kRounds - 1;
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(out)
      .local(kGroup * 4)
      .value(kRounds)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

TEST(ControlFlow, JumpIntoALoop) {
  const auto program = build(R"(
    kernel void k(global int* out) {
      int i = (int)get_global_id(0), sum = 0, j = 0;
      if (i & 1) goto inside;
      for (j = 0; j < i % 7; ++j) {
        sum += j;
    inside:
        sum += 100;
      }
      out[i] = sum;
    })");
  std::vector<int> out(kItems), expected(kItems);
  for (int i = 0; i < int(kItems); ++i) {
    int sum = 0, j = 0;
    if (i & 1) {
      sum += 100;
      ++j;
    }
    for (; j < i % 7; ++j) sum += j + 100;
    expected[i] = sum;
  }
  Launch(program, "k").range(kItems).buffer(out).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

TEST(ControlFlow, BreakAndContinueAroundBarriers) {
  const auto program = build(R"(
    kernel void k(global int* out, local int* l, int last) {
      size_t i = get_local_id(0), n = get_local_size(0);
      int sum = 0;
      for (int t = 0;; ++t) {
        if (t == last) break;
        if (t % 3 == 1) continue;
        l[i] = t;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += l[(i + t) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_global_id(0)] = sum;
    })");
  constexpr int kLast = 10;
  int sum = 0;
  for (int t = 0; t < kLast; ++t)
    if (t % 3 != 1) sum += t;
  std::vector<int> out(kItems);
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(out)
      .local(kGroup * 4)
      .value(kLast)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, std::vector<int>(kItems, sum)); });
}

TEST(ControlFlow, ValuesLiveAcrossBarriers) {
  const auto program = build(R"(
    kernel void k(global const float4* in, global float4* out, local float4* l) {
      size_t g = get_global_id(0), i = get_local_id(0), n = get_local_size(0);
      float4 a = in[g];
      double d = a.x * 2.0;
      long q = (long)g << 33;
      int private_[8];
      for (int j = 0; j < 8; ++j) private_[j] = (int)g * j;
      l[i] = a;
      barrier(CLK_LOCAL_MEM_FENCE);
      float4 b = l[n - 1 - i];
      private_[g % 8] += 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      l[i] = b + a;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[g] = l[n - 1 - i] +
               (float4)((float)d, (float)(q >> 33), (float)private_[g % 8], a.w);
    })");
  struct alignas(16) Float4 {
    float x, y, z, w;
    bool operator==(const Float4&) const = default;
  };
  std::vector<Float4> in(kItems), out(kItems), expected(kItems);
  for (size_t g = 0; g < kItems; ++g) in[g] = {float(g), float(2 * g), 3, float(g % 5)};
  for (size_t g = 0; g < kItems; ++g) {
    const Float4 &a = in[g], &b = in[g / kGroup * kGroup + kGroup - 1 - g % kGroup];
    expected[g] = {a.x + b.x + a.x * 2, a.y + b.y + float(g), a.z + b.z + float(g * (g % 8) + 1),
                   a.w + b.w + a.w};
  }
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(in)
      .buffer(out)
      .local(kGroup * 16)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

TEST(ControlFlow, RecursionFreeCallsUnderDivergence) {
  const auto program = build(R"(
    __attribute__((noinline)) int twice(int x) { return 2 * x; }
    __attribute__((noinline)) int choose(int x, global int* side) {
      if (x % 3 == 0) { side[x] = 1; return twice(x); }
      if (x % 3 == 1) return -x;
      return twice(twice(x));
    }
    kernel void k(global int* out, global int* side) {
      int g = (int)get_global_id(0);
      out[g] = g & 4 ? choose(g, side) : 7;
    })");
  std::vector<int> out(kItems), side(kItems), expected(kItems), expectedSide(kItems);
  for (int g = 0; g < int(kItems); ++g) {
    expected[g] = 7;
    if ((g & 4) == 0) continue;
    expected[g] = g % 3 == 0 ? 2 * g : g % 3 == 1 ? -g : 4 * g;
    expectedSide[g] = g % 3 == 0;
  }
  Launch(program, "k").range(kItems).buffer(out).buffer(side).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
    EXPECT_EQ(side, expectedSide);
  });
}

}  // namespace
}  // namespace weft::test
