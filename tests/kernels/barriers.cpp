// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in every kind of legal control flow, and the errors of those that are not.
#include <numeric>
#include <string>

#include "harness.h"

namespace weft::test {
namespace {

constexpr uint64_t kGroup = 64;
constexpr uint64_t kItems = 4 * kGroup;

std::vector<int> iota(size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

/// Rotates each group's values left by `by`.
std::vector<int> rotated(const std::vector<int>& in, uint64_t group, uint64_t by) {
  std::vector<int> out(in.size());
  for (size_t i = 0; i < in.size(); ++i) out[i] = in[i / group * group + (i % group + by) % group];
  return out;
}

TEST(Barriers, StraightLine) {
  const auto program = build(R"(
    kernel void k(global const int* in, global int* out, local int* l) {
      size_t i = get_local_id(0), n = get_local_size(0);
      l[i] = in[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = l[(i + 1) % n];
    })");
  auto in = iota(kItems);
  std::vector<int> out(kItems, -1);
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(in)
      .buffer(out)
      .local(kGroup * 4)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, rotated(in, kGroup, 1)); });
}

TEST(Barriers, InLoopWithUniformTripCount) {
  const auto program = build(R"(
    kernel void k(global const int* in, global int* out, local int* l, int times) {
      size_t i = get_local_id(0), n = get_local_size(0);
      int value = in[get_global_id(0)];
      for (int t = 0; t < times; ++t) {
        l[i] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        value = l[(i + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_global_id(0)] = value;
    })");
  auto in = iota(kItems);
  for (const int times : {0, 1, 7, 100}) {
    std::vector<int> out(kItems, -1);
    Launch(program, "k")
        .range({kItems}, {kGroup})
        .buffer(in)
        .buffer(out)
        .local(kGroup * 4)
        .value(times)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, rotated(in, kGroup, times % kGroup)); });
  }
}

TEST(Barriers, InNestedLoops) {
  const auto program = build(R"(
    kernel void k(global int* out, local int* l, int outer) {
      size_t i = get_local_id(0), n = get_local_size(0);
      l[i] = 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int o = 0; o < outer; ++o) {
        for (int s = 1; s < (int)n; s *= 2) {
          int other = l[(i + s) % n];
          barrier(CLK_LOCAL_MEM_FENCE);
          l[i] += other;
          barrier(CLK_LOCAL_MEM_FENCE);
        }
      }
      out[get_global_id(0)] = l[i];
    })");
  std::vector<int> out(kItems, -1);
  // Each inner loop adds up all of the group: the value grows by the factor of the group's size.
  const std::vector<int> expected(kItems, static_cast<int>(kGroup * kGroup * kGroup));
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(out)
      .local(kGroup * 4)
      .value(3)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

// Helpers that stay out of line keep the barrier at a real call depth; else they are inlined,
// whatever they say, since fibers alone could run them.
TEST(Barriers, InNestedFunctionsAtDepthThree) {
  static constexpr const char* kSource = R"(
    __attribute__((noinline)) int deepest(local int* l, size_t i, size_t n) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int value = l[(i + 1) % n];
      barrier(CLK_LOCAL_MEM_FENCE);
      return value;
    }
    __attribute__((noinline)) int middle(local int* l, size_t i, size_t n, int rounds) {
      int value = 0;
      for (int r = 0; r < rounds; ++r) { value = deepest(l, i, n); l[i] = value; }
      return value;
    }
    __attribute__((noinline)) int top(local int* l, int value, int rounds) {
      size_t i = get_local_id(0);
      l[i] = value;
      return middle(l, i, get_local_size(0), rounds);
    }
    kernel void k(global const int* in, global int* out, local int* l) {
      out[get_global_id(0)] = top(l, in[get_global_id(0)], 5);
    })";
  auto in = iota(kItems);
  std::vector<int> out(kItems, -1);
  for (const Inlining inlining : {Inlining::Usual, Inlining::Least}) {
    const auto program = build(kSource, "", inlining);
    EXPECT_EQ(kernelInfo(program, "k")->barrierLoops, inlining == Inlining::Usual);
    Launch(program, "k")
        .range({kItems}, {kGroup})
        .buffer(in)
        .buffer(out)
        .local(kGroup * 4)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, rotated(in, kGroup, 5)); });
  }
}

TEST(Barriers, UnderAConditionThatIsUniformInTheGroup) {
  const auto program = build(R"(
    kernel void k(global const int* in, global int* out, local int* l, int limit) {
      size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
      l[i] = in[g];
      int value = -1;
      if ((int)get_group_id(0) % 2 == 0) {
        barrier(CLK_LOCAL_MEM_FENCE);
        value = l[n - 1 - i];
        if (limit > 3) {
          barrier(CLK_LOCAL_MEM_FENCE);
          l[i] = value + 1;
          barrier(CLK_LOCAL_MEM_FENCE);
          value = l[(i + 1) % n];
        }
      }
      out[g] = value;
    })");
  auto in = iota(kItems);
  for (const int limit : {0, 9}) {
    std::vector<int> expected(kItems, -1);
    for (size_t g = 0; g < kItems; ++g) {
      const size_t group = g / kGroup, i = g % kGroup;
      if (group % 2 != 0) continue;
      const size_t from = limit > 3 ? (i + 1) % kGroup : i;
      expected[g] = in[group * kGroup + kGroup - 1 - from] + (limit > 3 ? 1 : 0);
    }
    std::vector<int> out(kItems);
    Launch(program, "k")
        .range({kItems}, {kGroup})
        .buffer(in)
        .buffer(out)
        .local(kGroup * 4)
        .value(limit)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

TEST(Barriers, GroupsRunDifferentNumbersOfThem) {
  const auto program = build(R"(
    kernel void k(global int* out, local int* l) {
      size_t i = get_local_id(0), n = get_local_size(0);
      l[i] = (int)i;
      for (size_t t = 0; t < get_group_id(0); ++t) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int next = l[(i + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        l[i] = next;
      }
      out[get_global_id(0)] = l[i];
    })");
  std::vector<int> out(16 * 8, -1), expected(16 * 8);
  for (size_t g = 0; g < 16; ++g)
    for (size_t i = 0; i < 8; ++i) expected[g * 8 + i] = static_cast<int>((i + g) % 8);
  Launch(program, "k")
      .range({16 * 8}, {8})
      .buffer(out)
      .local(8 * 4)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

// Undefined by the letter, common in practice: an ended work-item counts as arrived.
TEST(Barriers, EarlyReturnBeforeABarrier) {
  const auto program = build(R"(
    kernel void k(global const int* in, global int* out, local int* l, int count) {
      size_t i = get_local_id(0), g = get_global_id(0);
      if ((int)g >= count) return;
      l[i] = in[g];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[g] = l[0] + l[i];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i % 2) return;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[g] += 1000;
    })");
  auto in = iota(kItems);
  constexpr int kCount = 2 * kGroup + 10;
  std::vector<int> out(kItems, -7), expected(kItems, -7);
  for (int g = 0; g < kCount; ++g)
    expected[g] = g / int(kGroup) * int(kGroup) + g + (g % 2 == 0 ? 1000 : 0);
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(in)
      .buffer(out)
      .local(kGroup * 4)
      .value(kCount)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

TEST(Barriers, LiveWorkItemsAtDifferentBarriersNameBothLines) {
  const auto program = build(
      "kernel void diverges(global int* out) {\n"  // line 1
      "  if (get_local_id(0) < 3) {\n"             // line 2
      "    barrier(CLK_LOCAL_MEM_FENCE);\n"        // line 3
      "    out[get_global_id(0)] = 1;\n"           // line 4
      "  } else {\n"                               // line 5
      "    barrier(CLK_GLOBAL_MEM_FENCE);\n"       // line 6
      "    out[get_global_id(0)] = 2;\n"           // line 7
      "  }\n"
      "}\n");
  std::vector<int> out(kItems);
  Launch launch(program, "diverges");
  launch.range({kItems}, {kGroup}).buffer(out).expectFailure();
  for (int repeat = 0; repeat < 3; ++repeat) {  // what a failed group left behind must be reusable
    launch.inEveryForm([&](const Outcome& outcome) {
      ASSERT_TRUE(outcome.failure.has_value());
      EXPECT_EQ(*outcome.failure, runtime::FailureKind::BarrierDivergence);
      EXPECT_NE(outcome.message.find("diverges"), std::string::npos) << outcome.message;
      EXPECT_NE(outcome.message.find(":3"), std::string::npos) << outcome.message;
      EXPECT_NE(outcome.message.find(":6"), std::string::npos) << outcome.message;
    });
  }
  // The same executors go on to run other kernels.
  const auto after = build(
      "kernel void k(global int* out, local int* l) {"
      "  l[get_local_id(0)] = 5; barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[get_global_id(0)] = l[0]; }");
  Launch(after, "k")
      .range({kItems}, {kGroup})
      .buffer(out)
      .local(kGroup * 4)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, std::vector<int>(kItems, 5)); });
}

TEST(Barriers, BothArmsOfAUniformBranch) {
  const auto program = build(R"(
    kernel void k(global int* out, local int* l, int which) {
      size_t i = get_local_id(0), n = get_local_size(0);
      if (which) {
        l[i] = 2 * (int)i;
        barrier(CLK_LOCAL_MEM_FENCE);
      } else {
        l[n - 1 - i] = 3 * (int)i;
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_global_id(0)] = l[(i + 1) % n];
    })",
                             "-cl-std=CL3.0");
  for (const int which : {0, 1}) {
    std::vector<int> out(kItems), expected(kItems);
    for (size_t g = 0; g < kItems; ++g) {
      const size_t from = (g % kGroup + 1) % kGroup;
      expected[g] = static_cast<int>(which ? 2 * from : 3 * (kGroup - 1 - from));
    }
    Launch(program, "k")
        .range({kItems}, {kGroup})
        .buffer(out)
        .local(kGroup * 4)
        .value(which)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

TEST(Barriers, LargestGroup) {
  constexpr uint64_t kLargest = 4096;
  const auto program = build(R"(
    kernel void k(global int* out, local int* l) {
      size_t i = get_local_id(0), n = get_local_size(0);
      l[i] = (int)i;
      for (int t = 0; t < 3; ++t) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int next = l[(i + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        l[i] = next;
      }
      out[get_global_id(0)] = l[i];
    })");
  std::vector<int> out(2 * kLargest), expected(2 * kLargest);
  for (size_t g = 0; g < out.size(); ++g)
    expected[g] = static_cast<int>((g % kLargest + 3) % kLargest);
  Launch(program, "k")
      .range({2 * kLargest}, {kLargest})
      .buffer(out)
      .local(kLargest * 4)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

TEST(Barriers, MemFenceAloneIsNoBarrier) {
  const auto program = build(R"(
    kernel void k(global int* out) {
      size_t g = get_global_id(0);
      out[g] = 1;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      if (g % 3 == 0) { read_mem_fence(CLK_GLOBAL_MEM_FENCE); out[g] += 1; }
      write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    })");
  const compiler::KernelInfo* info = kernelInfo(program, "k");
  ASSERT_NE(info, nullptr);
  EXPECT_FALSE(info->usesBarrier);
  std::vector<int> out(kItems), expected(kItems);
  for (size_t g = 0; g < kItems; ++g) expected[g] = g % 3 == 0 ? 2 : 1;
  Launch(program, "k").range(kItems).buffer(out).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

}  // namespace
}  // namespace weft::test
