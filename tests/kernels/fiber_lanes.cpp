// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers that one fiber meets for several work-items at once: in control flow that nobody can
// prove to be the same for all of them, after early returns, in rows of any length, and where
// work-items disagree.
#include <numeric>
#include <string>

#include "harness.h"

namespace weft::test {
namespace {

constexpr uint64_t kGroup = 64;
constexpr uint64_t kItems = 3 * kGroup;

/// In fibers of any width, besides the forms of every test.
void inAllFibers(Launch& launch, const std::function<void(const Outcome&)>& check) {
  for (const uint32_t width : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 0u})
    launch.in({compiler::Form::Fibers, width, 1}, check);
  launch.inEveryForm(check);
}

TEST(FiberLanes, BarrierUnderABranchThatOnlyDataMakesUniform) {
  const auto program = build(R"(
    kernel void k(global const int* which, global int* out, local int* l) {
      size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
      l[i] = (int)g;
      int value = -1;
      if (which[g] > 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        value = l[n - 1 - i];
        if (which[g] > 2) {
          barrier(CLK_LOCAL_MEM_FENCE);
          l[i] = value + 1000;
          barrier(CLK_LOCAL_MEM_FENCE);
          value = l[(i + 1) % n];
        }
      } else {
        barrier(CLK_LOCAL_MEM_FENCE);
        value = l[(i + 3) % n] * 2;
      }
      out[g] = value;
    })");
  for (const uint64_t group : {uint64_t{64}, uint64_t{10}, uint64_t{1}, uint64_t{17}}) {
    const uint64_t items = 4 * group;
    std::vector<int> which(items), out(items), expected(items);
    for (size_t g = 0; g < items; ++g) {
      const size_t first = g / group * group, i = g % group;
      which[g] = static_cast<int>(g / group);
      const auto mirrored = [&](size_t k) { return static_cast<int>(first + group - 1 - k); };
      expected[g] = which[g] <= 1   ? static_cast<int>(first + (i + 3) % group) * 2
                    : which[g] == 2 ? mirrored(i)
                                    : mirrored((i + 1) % group) + 1000;
    }
    Launch launch(program, "k");
    launch.range({items}, {group}).buffer(which).buffer(out).local(group * 4);
    inAllFibers(launch, [&](const Outcome&) { EXPECT_EQ(out, expected) << group; });
  }
}

TEST(FiberLanes, BarriersInALoopThatOnlyDataMakesUniform) {
  const auto program = build(R"(
    kernel void k(global const int* times, global int* out, local int* l) {
      size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
      int value = (int)i, sum = 0;
      for (int t = 0; t < times[g]; ++t) {
        l[i] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < (int)(i % 5); ++k) sum += l[(i + k) % n];
        value = l[(i + 1) % n];
        if (t == times[g] - 2) break;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[g] = value * 1000 + sum;
    })");
  std::vector<int> times(kItems), out(kItems), expected(kItems);
  for (size_t g = 0; g < kItems; ++g) {
    times[g] = static_cast<int>(g / kGroup) * 4;
    const size_t i = g % kGroup;
    const int trips = std::max(times[g] - 1, 0);
    int sum = 0;
    for (int t = 0; t < trips; ++t)
      for (size_t k = 0; k < i % 5; ++k) sum += static_cast<int>((i + k + size_t(t)) % kGroup);
    expected[g] = static_cast<int>((i + size_t(trips)) % kGroup) * 1000 + sum;
  }
  Launch launch(program, "k");
  launch.range({kItems}, {kGroup}).buffer(times).buffer(out).local(kGroup * 4);
  inAllFibers(launch, [&](const Outcome&) { EXPECT_EQ(out, expected); });
}

/// Work-items leave one after the other; who is left goes on.
TEST(FiberLanes, EarlyReturnsFromALoopWithBarriers) {
  const auto program = build(R"(
    kernel void k(global int* out, local int* l, int limit) {
      size_t i = get_local_id(0), g = get_global_id(0);
      if ((int)g >= limit) return;
      l[i] = 0;
      for (int t = 0; t < 100; ++t) {
        barrier(CLK_LOCAL_MEM_FENCE);
        l[i] += 1;
        if (t == (int)i * 3) { out[g] = t; return; }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i != 0 && l[i - 1] == -1) { out[g] = -t; return; }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      out[g] = l[i] + 5000;
    })");
  constexpr int kLimit = 2 * kGroup + 7;
  std::vector<int> out(kItems, -7), expected(kItems, -7);
  for (int g = 0; g < kLimit; ++g) {
    const int i = g % int(kGroup);
    expected[g] = i * 3 < 100 ? i * 3 : 5100;
  }
  Launch launch(program, "k");
  launch.range({kItems}, {kGroup}).buffer(out).local(kGroup * 4).value(kLimit);
  inAllFibers(launch, [&](const Outcome&) { EXPECT_EQ(out, expected); });
}

/// Every group adds up what its work-items have, and tells each who it is.
TEST(FiberLanes, RowsOfAnyLengthInAnyDimensions) {
  const auto program = build(R"(
    kernel void k(global uint* out, global const int* zero) {
      local uint sum;
      size_t x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
      if (x + y + z == 0) sum = 0;
      if (zero[0] + (int)x < 1000) {
        barrier(CLK_LOCAL_MEM_FENCE);
        atomic_add(&sum, (uint)(get_local_linear_id() + 1));
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      size_t g = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0)
               + get_global_id(0);
      out[g] = sum * 100000 + (uint)((z * 32 + y) * 32 + x);
    })",
                             "-cl-std=CL3.0");
  using Three = std::array<uint64_t, 3>;
  const std::pair<Three, Three> shapes[] = {{{10, 6, 2}, {5, 3, 2}},  {{34, 4, 1}, {17, 2, 1}},
                                            {{3, 16, 1}, {1, 8, 1}},  {{21, 10, 6}, {5, 6, 4}},
                                            {{70, 1, 1}, {64, 1, 1}}, {{100, 3, 1}, {33, 2, 1}},
                                            {{2, 2, 16}, {2, 2, 8}},  {{128, 2, 1}, {64, 2, 1}}};
  for (const auto& [global, local] : shapes) {
    std::vector<uint32_t> out(global[0] * global[1] * global[2]), expected(out.size());
    std::vector<int> zero{0};
    for (uint64_t g = 0; g < out.size(); ++g) {
      const Three id{g % global[0], g / global[0] % global[1], g / global[0] / global[1]};
      uint64_t place[3], items = 1;
      for (int d = 0; d < 3; ++d) {
        place[d] = id[d] % local[d];
        items *= std::min(local[d], global[d] - id[d] / local[d] * local[d]);
      }
      expected[g] = static_cast<uint32_t>(items * (items + 1) / 2 * 100000 +
                                          (place[2] * 32 + place[1]) * 32 + place[0]);
    }
    Launch launch(program, "k");
    launch.range({global[0], global[1], global[2]}, {local[0], local[1], local[2]})
        .buffer(out)
        .buffer(zero);
    inAllFibers(launch, [&](const Outcome&) {
      EXPECT_EQ(out, expected) << local[0] << " x " << local[1] << " x " << local[2];
    });
  }
}

TEST(FiberLanes, PrivateArraysAndCallsLiveAcrossBarriers) {
  const auto program = build(R"(
    __attribute__((noinline)) int mix(int v) { return v * 7 + (int)get_local_id(0); }
    kernel void k(global const int* in, global int* out, local int* l) {
      size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
      int history[6];
      int4 v = (int4)((int)i, 2, 3, 4);
      for (int t = 0; t < 6; ++t) {
        l[i] = mix(in[g] + t);
        if (in[g] >= 0) barrier(CLK_LOCAL_MEM_FENCE);
        history[(t + i) % 6] = l[(i + t) % n];
        v = v.yzwx + history[(t + i) % 6];
        if (in[g] >= 0) barrier(CLK_LOCAL_MEM_FENCE);
      }
      int sum = 0;
      for (int t = 0; t < 6; ++t) sum = sum * 3 + history[t];
      out[g] = sum + v.x - v.y + v.z * 5;
    })");
  std::vector<int> in(kItems), out(kItems);
  for (size_t g = 0; g < kItems; ++g) in[g] = static_cast<int>(g * g % 1001);
  // The forms are compared with fibers for single work-items.
  Launch launch(program, "k");
  launch.range({kItems}, {kGroup}).buffer(in).buffer(out).local(kGroup * 4);
  inAllFibers(launch, [&](const Outcome&) { EXPECT_NE(out[5], 0); });
}

/// A barrier out of line is waited at by each work-item for itself.
TEST(FiberLanes, OneLaneServesWhatHasNoOther) {
  const auto program = build(R"(
    __attribute__((noinline)) int shifted(local int* l, int v) {
      size_t i = get_local_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      l[i] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      return l[(i + 1) % get_local_size(0)];
    }
    kernel void k(global const int* in, global int* out, local int* l) {
      size_t g = get_global_id(0);
      int value = shifted(l, in[g]);
      if (in[g] >= 0) value += shifted(l, value);
      out[g] = value;
    })",
                             "", Inlining::Least);
  std::vector<int> in(kItems), out(kItems), expected(kItems);
  std::iota(in.begin(), in.end(), 0);
  const auto after = [](size_t g, size_t by) {
    return static_cast<int>(g / kGroup * kGroup + (g % kGroup + by) % kGroup);
  };
  for (size_t g = 0; g < kItems; ++g) expected[g] = after(g, 1) + after(g, 2);
  Launch launch(program, "k");
  launch.range({kItems}, {kGroup}).buffer(in).buffer(out).local(kGroup * 4);
  inAllFibers(launch, [&](const Outcome&) { EXPECT_EQ(out, expected); });
}

/// Those who never come to a barrier are not waited for, whichever lanes they are.
TEST(FiberLanes, WhoDoesNotComeHasArrived) {
  const auto program = build(R"(
    kernel void k(global int* out, local int* l) {
      size_t i = get_local_id(0), g = get_global_id(0);
      l[i] = (int)i;
      if (i % 3 == 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        out[g] = l[i] + 1;
        if (i % 2 == 1) barrier(CLK_LOCAL_MEM_FENCE);
      } else {
        out[g] = -1;
      }
    })");
  std::vector<int> out(kItems), expected(kItems);
  for (size_t g = 0; g < kItems; ++g)
    expected[g] = g % kGroup % 3 == 1 ? static_cast<int>(g % kGroup) + 1 : -1;
  Launch launch(program, "k");
  launch.range({kItems}, {kGroup}).buffer(out).local(kGroup * 4);
  inAllFibers(launch, [&](const Outcome&) { EXPECT_EQ(out, expected); });
}

void expectDivergence(const char* source, uint64_t group, const char* first, const char* second) {
  const auto program = build(source);
  std::vector<int> out(kItems);
  Launch launch(program, "k");
  launch.range({2 * group}, {group}).buffer(out).expectFailure().unordered();
  inAllFibers(launch, [&](const Outcome& outcome) {
    ASSERT_TRUE(outcome.failure.has_value()) << outcome.mode.name();
    EXPECT_EQ(*outcome.failure, runtime::FailureKind::BarrierDivergence);
    EXPECT_NE(outcome.message.find(first), std::string::npos) << outcome.message;
    EXPECT_NE(outcome.message.find(second), std::string::npos) << outcome.message;
  });
}

TEST(FiberLanes, LanesAtDifferentBarriersAreReported) {
  for (const uint64_t group : {2u, 4u, 7u, 64u})
    expectDivergence(
        "kernel void k(global int* out) {\n"
        "  if (get_local_id(0) & 1) {\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"  // line 3
        "    out[get_global_id(0)] = 1;\n"
        "  } else {\n"
        "    barrier(CLK_GLOBAL_MEM_FENCE);\n"  // line 6
        "    out[get_global_id(0)] = 2;\n"
        "  }\n"
        "}\n",
        group, ":3", ":6");
}

TEST(FiberLanes, LanesThatMissABarrierAndMeetTheNextAreReported) {
  for (const uint64_t group : {2u, 16u, 50u})
    expectDivergence(
        "kernel void k(global int* out) {\n"
        "  if (get_local_id(0) % 2 == 1)\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"  // line 3
        "  out[get_global_id(0)] = 1;\n"
        "  barrier(CLK_GLOBAL_MEM_FENCE);\n"  // line 5
        "  out[get_global_id(0)] = 2;\n"
        "}\n",
        group, ":3", ":5");
}

TEST(FiberLanes, LanesThatLeaveALoopWithBarriersApartAreReported) {
  for (const uint64_t group : {2u, 16u, 50u})
    expectDivergence(
        "kernel void k(global int* out) {\n"
        "  for (int i = 0; i <= (int)get_local_id(0); ++i)\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"  // line 3
        "  out[get_global_id(0)] = 1;\n"
        "  barrier(CLK_GLOBAL_MEM_FENCE);\n"  // line 5
        "  out[get_global_id(0)] = 2;\n"
        "}\n",
        group, ":3", ":5");
}

}  // namespace
}  // namespace weft::test
