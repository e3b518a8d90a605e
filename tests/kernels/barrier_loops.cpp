// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What barrier loops have to carry from region to region, and which control flow they take. Every
// launch runs in all forms and is compared with fibers by the harness, besides the reference here.
#include <functional>
#include <numeric>
#include <string>

#include "harness.h"

namespace weft::test {
namespace {

constexpr int kGroup = 32;
constexpr int kItems = 3 * kGroup;

/// Builds `kernel void k(global int* out, int n) { BODY }` with i = local id, g = global id, N =
/// local size and `local int l[64]`; runs it and compares out[g] with expected(g, n).
class BarrierLoops : public ::testing::Test {
 protected:
  void run(const std::string& body, bool asLoops, int n,
           const std::function<int(int g, int i)>& expected) {
    const auto program = build(R"(
      typedef struct { int a[3]; float f; } Three;
      kernel void k(global int* out, int n, Three three) {
        local int l[64];
        int i = get_local_id(0), g = get_global_id(0), N = get_local_size(0);
        )" + body + "}");
    const compiler::KernelInfo* info = kernelInfo(program, "k");
    ASSERT_NE(info, nullptr);
    EXPECT_EQ(info->barrierLoops, asLoops);
    struct Three {
      int a[3];
      float f;
    } three{{10, 20, 30}, 0.5f};
    std::vector<int> out(kItems, -1), wanted(kItems);
    for (int g = 0; g < kItems; ++g) wanted[g] = expected(g, g % kGroup);
    Launch(program, "k")
        .range({kItems}, {kGroup})
        .buffer(out)
        .value(n)
        .value(three)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
  }
};

TEST_F(BarrierLoops, CarryValuesOfEveryKind) {
  run(R"(
    char c = i * 3; long wide = (long)g << 33; float4 v = (float4)(i, g, i * g, 1);
    int expensive = popcount(g) * 7 + clz(i + 1) % 5 + g / 3 + g % 7;
    bool odd = i & 1; global int* where = odd ? out + g : out + g;
    l[i] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    int next = l[(i + 1) % N];
    barrier(CLK_LOCAL_MEM_FENCE);
    v += (float4)(next);
    *where = c + (int)(wide >> 33) + (int)(v.x + v.y + v.z + v.w) + expensive + (odd ? 1 : 2);
  )",
      true, 0, [](int g, int i) {
        const int next = g - i + (i + 1) % kGroup;
        const int expensive = __builtin_popcount(g) * 7 + __builtin_clz(i + 1) % 5 + g / 3 + g % 7;
        return static_cast<char>(i * 3) + g + (i + g + i * g + 1 + 4 * next) + expensive +
               (i & 1 ? 1 : 2);
      });
}

TEST_F(BarrierLoops, CarryWhatAllStepBy) {
  // Up, down, around the end of a type, with two steps in an iteration and from one loop to the
  // next, and what only looks like it.
  run(R"(
    int sum = 0, up = i; long down = 5L * g; short around = 30000 + i; uint below = i; int own = i;
    local int* place = l + i; local const int* other = l + N - 1 - i;
    l[i] = g; l[i + N] = 0;
    for (int round = 0; round < n; ++round) {
      barrier(CLK_LOCAL_MEM_FENCE);
      sum += other[0] + up * 3 + (int)down + around + (int)below + own;
      place += N;
      barrier(CLK_LOCAL_MEM_FENCE);
      *place = g + round;
      up += n;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int j = 0; j < 3; ++j) {
        sum += up + *place;
        barrier(CLK_LOCAL_MEM_FENCE);
        up += 2; down -= round;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      place -= N; around += 1000; below -= 7; own += i;
    }
    out[g] = sum + up + (int)down + around + (int)below + own;
  )",
      true, 6, [](int g, int i) {
        constexpr int n = 6;
        int sum = 0, up = i, own = i;
        int64_t down = int64_t{5} * g;
        auto around = static_cast<int16_t>(30000 + i);
        auto below = static_cast<uint32_t>(i);
        for (int round = 0; round < n; ++round) {
          const int other = g - i + kGroup - 1 - i;
          sum += other + up * 3 + static_cast<int>(down) + around + static_cast<int>(below) + own;
          up += n;
          for (int j = 0; j < 3; ++j) {
            sum += up + g + round;
            up += 2;
            down -= round;
          }
          around = static_cast<int16_t>(around + 1000);
          below -= 7;
          own += i;
        }
        return sum + up + static_cast<int>(down) + around + static_cast<int>(below) + own;
      });
}

TEST_F(BarrierLoops, CarryWhatIsTakenOfAStep) {
  // Work-items take what they step in different iterations, and go on from there in loops that
  // they leave one by one.
  run(R"(
    int at = i, taken = 0, turns = 0;
    for (int round = 0; round < n; ++round) {
      l[i] = at;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (taken == 0 && at > 40 + (i & 7)) taken = at;
      for (int k = at; k < 60; k += 3 + (i & 3)) turns += l[0] - round * 5 + 1;
      at += 5;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = at * 10000 + taken * 100 + turns;
  )",
      true, 12, [](int, int i) {
        int at = i, taken = 0, turns = 0;
        for (int round = 0; round < 12; ++round, at += 5) {
          if (taken == 0 && at > 40 + (i & 7)) taken = at;
          for (int k = at; k < 60; k += 3 + (i & 3)) ++turns;
        }
        return at * 10000 + taken * 100 + turns;
      });
}

TEST_F(BarrierLoops, CarryPrivateArraysAndStructs) {
  run(R"(
    int history[4] = {i, i + 1, i + 2, i + 3};
    for (int round = 0; round < n; ++round) {
      l[i] = history[(i + round) & 3];
      barrier(CLK_LOCAL_MEM_FENCE);
      history[round & 3] += l[(i + 1) % N];
      three.a[round % 3] += i;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = history[0] + history[1] * 3 + history[2] * 5 + history[3] * 7 + three.a[1];
  )",
      true, 6, [](int, int i) {
        int all[kGroup][4];
        for (int t = 0; t < kGroup; ++t)
          for (int k = 0; k < 4; ++k) all[t][k] = t + k;
        for (int round = 0; round < 6; ++round) {
          int l[kGroup];
          for (int t = 0; t < kGroup; ++t) l[t] = all[t][(t + round) & 3];
          for (int t = 0; t < kGroup; ++t) all[t][round & 3] += l[(t + 1) % kGroup];
        }
        return all[i][0] + all[i][1] * 3 + all[i][2] * 5 + all[i][3] * 7 + 20 + 2 * i;
      });
}

TEST_F(BarrierLoops, LoopCarriedValuesMaySwap) {
  run(R"(
    int a = g, b = -i, k = 0;
    do {
      l[i] = a;
      barrier(CLK_LOCAL_MEM_FENCE);
      int t = a; a = b; b = t + l[(i + k) % N];
      barrier(CLK_LOCAL_MEM_FENCE);
    } while (++k < n);
    out[g] = a * 1000 + b;
  )",
      true, 5, [](int g, int i) {
        std::vector<int> a(kGroup), b(kGroup);
        for (int t = 0; t < kGroup; ++t) a[t] = g - i + t, b[t] = -t;
        for (int k = 0; k < 5; ++k) {
          const std::vector<int> l = a;
          for (int t = 0; t < kGroup; ++t) {
            const int old = a[t];
            a[t] = b[t];
            b[t] = old + l[(t + k) % kGroup];
          }
        }
        return a[i] * 1000 + b[i];
      });
}

TEST_F(BarrierLoops, UniformBranchesAroundBarriers) {
  const char* body = R"(
    int value = i;
    l[i] = g;
    if (n > 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      value += l[N - 1 - i];
      if (n > 2) { barrier(CLK_LOCAL_MEM_FENCE); l[i] = value; barrier(CLK_LOCAL_MEM_FENCE);
                   value = l[(i + 3) % N]; }
    } else {
      value -= 7;
    }
    out[g] = value;
  )";
  for (const int n : {1, 2, 3})
    run(body, true, n, [n](int g, int i) {
      const auto second = [&](int t) { return t + (g - i) + kGroup - 1 - t; };
      return n == 1 ? i - 7 : n == 2 ? second(i) : second((i + 3) % kGroup);
    });
}

TEST_F(BarrierLoops, UniformSwitchesAndGotos) {
  const char* body = R"(
    int value = i, at = n;
  again:
    l[i] = value;
    switch (at) {
      case 0: barrier(CLK_LOCAL_MEM_FENCE); value += l[i ^ 1]; at = 2;
              barrier(CLK_LOCAL_MEM_FENCE); goto again;
      case 1: value *= 2;
      case 2: barrier(CLK_LOCAL_MEM_FENCE); value += l[i ^ 2]; break;
      default: value = -value;
    }
    out[g] = value;
  )";
  run(body, true, 1, [](int, int i) { return 2 * i + (i ^ 2); });
  run(body, true, 2, [](int, int i) { return i + (i ^ 2); });
  run(body, true, 9, [](int, int i) { return -i; });
  run(body, true, 0, [](int, int i) {
    const auto first = [](int t) { return t + (t ^ 1); };
    return first(i) + first(i ^ 2);
  });
}

TEST_F(BarrierLoops, DivergentFlowBetweenBarriers) {
  run(R"(
    int sum = 0;
    for (int k = 0; k < i; ++k) { if (k % 3 == 1) continue; if (k == 20) break; sum += k; }
    l[i] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    int last = 0;
    while (l[(i + last) % N] < 10 && last < N) ++last;
    int kept = last * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 4) l[i] = kept; else if (i & 1) l[i] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = l[i] + kept + last;
  )",
      true, 0, [](int, int i) {
        const auto sum = [](int t) {
          int total = 0;
          for (int k = 0; k < t; ++k) {
            if (k % 3 == 1) continue;
            if (k == 20) break;
            total += k;
          }
          return total;
        };
        int last = 0;
        while (sum((i + last) % kGroup) < 10 && last < kGroup) ++last;
        const int held = i < 4 ? last * 2 : i & 1 ? 1 : sum(i);
        return held + 3 * last;
      });
}

// What was read before a barrier must not be read again after it.
TEST_F(BarrierLoops, UniformValuesKeepWhatTheyWere) {
  run(R"(
    if (i == 0) { l[0] = 5; l[1] = n; }
    barrier(CLK_LOCAL_MEM_FENCE);
    int first = l[0], rounds = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 3) l[0] = 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (l[1] > 0) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i == 1) --l[1];
      ++rounds;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = first * 1000 + rounds + l[0];
  )",
      true, 7, [](int, int) { return 5000 + 7 + 100; });
}

// A loop's last value differs where work-items leave the loop at different times, even when it is
// the same for all of them inside.
TEST_F(BarrierLoops, ValuesOfDivergentLoopsVaryOutside) {
  run(R"(
    int k = 0;
    do { ++k; } while (k < i);
    l[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = k + l[N - 1 - i];
  )",
      true, 0, [](int, int i) { return std::max(i, 1) + kGroup - 1 - i; });
}

TEST_F(BarrierLoops, WholeGroupsMayLeaveEarly) {
  run(R"(
    out[g] = i;
    if (get_group_id(0) == 1) return;
    l[i] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = l[i ^ 5];
    barrier(CLK_LOCAL_MEM_FENCE);
  )",
      true, 0, [](int g, int i) { return g / kGroup == 1 ? i : g - i + (i ^ 5); });
}

TEST_F(BarrierLoops, EndlessLoopsWithAUniformWayOut) {
  run(R"(
    int trips = 0;
    while (true) {
      l[i] = trips + i;
      barrier(CLK_LOCAL_MEM_FENCE);
      int seen = l[0];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (seen == n) break;
      ++trips;
    }
    out[g] = trips;
  )",
      true, 11, [](int, int) { return 11; });
}

// What a work-item brings along tells which way it has left the loop by.
TEST_F(BarrierLoops, WaysOutOfALoop) {
  run(R"(
    int v = 0;
    for (int k = 0;; ++k) {
      if (i == k) { v = 1; break; }
      if (k == n) { v = 2; break; }
    }
    l[i] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = v * 8 + l[i ^ 1];
  )",
      true, 6, [](int, int i) { return (i <= 6 ? 1 : 2) * 8 + ((i ^ 1) <= 6 ? 1 : 2); });
}

TEST_F(BarrierLoops, WhatCannotBeProvedGoesToFibers) {
  run(R"(
    int limit = out[g] + 3;
    l[i] = i;
    for (int k = 0; k < limit; ++k) barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = l[i ^ 1];
  )",
      false, 0, [](int, int i) { return i ^ 1; });
}

TEST(BarrierLoopsShapes, RowsAndPlanes) {
  const auto program = build(R"(
    kernel void k(global int* out, local int* l) {
      int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
      int linear = get_local_linear_id();
      int kept = (int)get_global_linear_id() / 3 % 11;
      l[linear] = x + 10 * y + 100 * z;
      barrier(CLK_LOCAL_MEM_FENCE);
      int nx = get_local_size(0), ny = get_local_size(1), nz = get_local_size(2);
      int other = ((nz - 1 - z) * ny + (ny - 1 - y)) * nx + nx - 1 - x;
      out[get_global_linear_id()] = l[other] * 16 + kept;
    })",
                             "-cl-std=CL3.0");
  for (const auto& local : {std::array{4, 3, 2}, std::array{1, 8, 1}, std::array{5, 1, 3}}) {
    const std::array groups{2, 3, 2};
    Sizes global, sizes;
    int items = 1;
    for (int d = 0; d < 3; ++d) {
      sizes.push_back(static_cast<uint64_t>(local[d]));
      global.push_back(static_cast<uint64_t>(local[d] * groups[d]));
      items *= local[d] * groups[d];
    }
    std::vector<int> out(items, -1), wanted;
    for (int z = 0; z < local[2] * groups[2]; ++z)
      for (int y = 0; y < local[1] * groups[1]; ++y)
        for (int x = 0; x < local[0] * groups[0]; ++x) {
          const int mirrored = (local[0] - 1 - x % local[0]) + 10 * (local[1] - 1 - y % local[1]) +
                               100 * (local[2] - 1 - z % local[2]);
          wanted.push_back(mirrored * 16 + static_cast<int>(wanted.size()) / 3 % 11);
        }
    Launch(program, "k")
        .range(global, sizes)
        .buffer(out)
        .local(4 * static_cast<uint64_t>(local[0] * local[1] * local[2]))
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
  }
}

TEST(BarrierLoopsBranches, DivisionInTheConditionOfALoop) {
  WEFT_NEEDS_SOURCE("l / l is one where it has a meaning");
  constexpr int kSize = 17;
  const auto program = build(R"(
    kernel void k(global int* out) {
      int l = get_local_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      int t = 0;
      while (t++ < l / l) {}
      out[get_global_id(0)] = t;
    })");
  std::vector<int> out(kSize), wanted(kSize, 2);
  wanted[0] = 1;
  Launch launch(program, "k");
  launch.range({kSize}, {kSize}).buffer(out);
  for (const uint32_t width : {1, 2, 4, 8, 16, 32, 64})
    launch.in({compiler::Form::BarrierLoops, width, 1},
              [&](const Outcome&) { EXPECT_EQ(out, wanted); });
}

/// Stores to private memory, to local memory and to buffers on both sides of a divergent branch.
TEST(BarrierLoopsBranches, DivergentBranchWithStores) {
  constexpr int kSize = 17;
  const auto program = build(R"(
    kernel void k(global uint* out, global const long* in, global ulong* written, ulong a, int b) {
      local int cells[17];
      int g = get_global_id(0), l = get_local_id(0);
      int v = 0;
      uint p[8] = {0, 0, 0, 0, 2, 0, 0, 0};
      private uint* q = &p[0];
      cells[l] = g;
      b = cells[l];
      if (b <= 0) {
        if ((uint)b >= 1u) p[0] = 0;
        a = 1 % a;
      } else {
        written[g] = a ? 0 : in[0];
        q[p[4]] = 0;
        v = 1;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      out[g] = v;
    })");
  std::vector<uint32_t> out(kSize, 99), wanted(kSize, 1);
  wanted[0] = 0;
  std::vector<int64_t> in(kSize, 5);
  std::vector<uint64_t> written(kSize, 99);
  Launch(program, "k")
      .range({kSize}, {kSize})
      .buffer(out)
      .buffer(in)
      .buffer(written)
      .value<uint64_t>(4)
      .value<int>(99)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
}

// What rows differ in, all work-items of a group that is a row agree on.
TEST(BarrierLoopsInRows, BranchesOnTheRow) {
  const auto program = build(R"(
    kernel void k(global int* out, global const int* lengths) {
      local int t[64];
      int l = get_local_id(0), row = get_global_id(1), w = get_local_size(0);
      int place = row * get_global_size(0) + get_global_id(0), sum = l * row;
      for (int k = 0; k < lengths[row]; ++k) {
        t[l] = place * 3 + k;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[(l + 1 + k) % w];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (get_local_id(1) == 0 && row & 1) {
        t[l] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum = t[w - 1 - l] + row;
      }
      out[place] = sum;
    })");
  const compiler::KernelInfo* info = kernelInfo(program, "k");
  ASSERT_NE(info, nullptr);
  EXPECT_FALSE(info->barrierLoops);
  EXPECT_TRUE(info->barrierLoopsInRows);
  constexpr int kWidth = 96, kRows = 6;
  std::vector<int> lengths{0, 1, 5, 2, 40, 3}, out(kWidth * kRows), expected(out.size());
  for (int row = 0; row < kRows; ++row)
    for (int x = 0; x < kWidth; ++x) {
      const int first = row * kWidth + x / kGroup * kGroup;
      auto sumOf = [&](int l) {
        int sum = l * row;
        for (int k = 0; k < lengths[row]; ++k) sum += (first + (l + 1 + k) % kGroup) * 3 + k;
        return sum;
      };
      const int l = x % kGroup;
      expected[row * kWidth + x] = row & 1 ? sumOf(kGroup - 1 - l) + row : sumOf(l);
    }
  Launch launch(program, "k");
  launch.range({kWidth, kRows}, {kGroup, 1}).buffer(out).buffer(lengths);
  for (const compiler::Form form : {compiler::Form::Fibers, compiler::Form::BarrierLoops})
    for (const uint32_t width : {1u, 0u, 4u, 16u})
      for (const unsigned workers : {1u, 4u})
        launch.in({form, width, workers}, [&](const Outcome&) { EXPECT_EQ(out, expected); });
}

/// A private array that is only reached by a pointer after the barrier, one for each of more
/// work-items than fit into a lane group or fewer.
TEST(BarrierLoopsPointers, LeadToPrivateArraysOfOtherRegions) {
  const auto program = build(R"(
    kernel void k(global int* sums) {
      uint p[8] = {4u, 1u, 2u, 3u, 0u, 5u, 6u, 7u};
      p[5] = get_local_id(0);
      private uint* q = &p[(int)p[0]];
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_add(&sums[0], (int)q[0]);
      atomic_add(&sums[1], (int)q[1]);
    })");
  for (const uint32_t size : {35u, 64u, 200u}) {
    std::vector<int> sums(2), wanted{0, static_cast<int>(size * (size - 1) / 2)};
    Launch launch(program, "k");
    launch.range({size}, {size}).buffer(sums).inEveryForm([&](const Outcome&) {
      EXPECT_EQ(sums, wanted);
    });
    for (const uint32_t width : {1, 2, 4, 8, 16, 32, 64})
      launch.in({compiler::Form::BarrierLoops, width, 1},
                [&](const Outcome&) { EXPECT_EQ(sums, wanted) << width; });
  }
}

}  // namespace
}  // namespace weft::test
