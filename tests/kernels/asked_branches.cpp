// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches that barriers depend on and that nothing is known of: in barrier loops the work-items of
// a group are asked for their way, and go on one by one where they do not agree. Every launch runs
// in all forms, with work-items by themselves from the beginning among them.
#include <functional>
#include <numeric>
#include <string>

#include "harness.h"

namespace weft::test {
namespace {

constexpr int kGroup = 24;
constexpr int kItems = 4 * kGroup;

/// `kernel void k(global const int* in, global int* out, int n) { BODY }` with i = local id, g =
/// global id, group = its number, N = local size, and `local int t[64]`.
Program programOf(const std::string& body) {
  const auto program = build(R"(
    kernel void k(global const int* in, global int* out, int n) {
      local int t[64];
      int i = get_local_id(0), g = get_global_id(0), N = get_local_size(0), group = get_group_id(0);
      )" + body + "}",
                             "-cl-std=CL3.0");
  const compiler::KernelInfo* info = kernelInfo(program, "k");
  EXPECT_TRUE(info && !info->barrierLoops && info->barrierLoopsOnTrial);
  return program;
}

bool hasLoops(const Program& program) {
  const auto code = program->variant(
      0, {.form = compiler::Form::BarrierLoops, .width = 1, .localSize = {kGroup, 1, 1}});
  return code.has_value();
}

class AskedBranches : public ::testing::Test {
 protected:
  /// in[g] is given by `in`, and out[g] begins as -1.
  static void run(const std::string& body, int n, const std::function<int(int g)>& in,
                  const std::function<int(int g, int i)>& expected, int items = kItems) {
    const auto program = programOf(body);
    EXPECT_TRUE(hasLoops(program));
    std::vector<int> input, out(static_cast<size_t>(items), -1), wanted;
    for (int g = 0; g < items; ++g) {
      input.push_back(in(g));
      wanted.push_back(expected(g, g % kGroup));
    }
    Launch(program, "k")
        .range({static_cast<uint64_t>(items)}, {kGroup})
        .buffer(input)
        .buffer(out)
        .value(n)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
  }

  static int groupOf(int g) { return g / kGroup; }
};

TEST_F(AskedBranches, WholeGroupsTakeOneWayOrTheOther) {
  run(R"(
    int v = 7;
    if (in[g] > n) {
      t[i] = g;
      barrier(CLK_LOCAL_MEM_FENCE);
      v = t[N - 1 - i] * 3;
    } else {
      t[i] = g + 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      v = t[(i + 1) % N] * 5;
    }
    out[g] = v + i;
  )",
      1, groupOf, [](int g, int i) {
        const int first = g - i;
        return i +
               (g / kGroup > 1 ? (first + kGroup - 1 - i) * 3 : (first + (i + 1) % kGroup + 1) * 5);
      });
}

TEST_F(AskedBranches, LoopsThatAllLeaveTogether) {
  run(R"(
    int sum = 0, kept = g * 3;
    for (int k = 0; k < in[g]; ++k) {
      t[i] = g + k;
      barrier(CLK_LOCAL_MEM_FENCE);
      sum += t[(i + k + 1) % N];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = sum + kept;
  )",
      0, groupOf, [](int g, int i) {
        int sum = g * 3;
        for (int k = 0; k < g / kGroup; ++k) sum += g - i + (i + k + 1) % kGroup + k;
        return sum;
      });
}

TEST_F(AskedBranches, LoopsUntilNobodyHasChanged) {
  run(R"(
    int place = i, steps = 0, more;
    do {
      t[i] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (place < in[g] + 9) t[0] = 1;
      place += 2; ++steps;
      barrier(CLK_LOCAL_MEM_FENCE);
      more = t[in[g] - group];
      barrier(CLK_LOCAL_MEM_FENCE);
    } while (more && steps < n);
    out[g] = place * 100 + steps;
  )",
      50, groupOf, [](int g, int i) {
        int steps = 0;
        for (int least = 0;; least += 2) {
          ++steps;
          if (least >= g / kGroup + 9) break;
        }
        return (i + 2 * steps) * 100 + steps;
      });
}

// The last group is only in part within the range.
TEST_F(AskedBranches, EarlyReturnsOfAPartOfTheGroup) {
  for (const int n : {kItems - 1, kItems - kGroup + 1, kGroup + 7, kItems, 0}) {
    SCOPED_TRACE(n);
    run(R"(
      if (g >= n) return;
      int last = min(N, n - group * N) - 1, kept = g * 5;
      t[i] = g;
      barrier(CLK_LOCAL_MEM_FENCE);
      int v = t[last - i];
      barrier(CLK_LOCAL_MEM_FENCE);
      t[i] = v + kept;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[g] = t[last - i] + kept;
    )",
        n, groupOf, [n](int g, int i) {
          if (g >= n) return -1;
          const int last = std::min(kGroup, n - (g - i)) - 1;
          return g + (g - i + last - i) * 5 + g * 5;
        });
  }
}

TEST_F(AskedBranches, ReturnsFromTheMiddleOfALoop) {
  run(
      R"(
    int sum = 0;
    for (int k = 0; k < 9; ++k) {
      t[i] = k * 100 + i;
      barrier(CLK_LOCAL_MEM_FENCE);
      sum += t[N - 1];
      if (k >= in[g]) { out[g] = -sum; return; }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = sum;
  )",
      0, [](int g) { return g % kGroup == kGroup - 1 ? 100 : g * 7 % 13; },
      [](int g, int i) {
        const int end = i == kGroup - 1 ? 100 : g * 7 % 13;
        int sum = 0;
        for (int k = 0; k < 9; ++k) {
          sum += k * 100 + kGroup - 1;
          if (k >= end) return -sum;
        }
        return sum;
      });
}

// Nobody waits for anybody where those that go another way meet no barrier any more.
TEST_F(AskedBranches, PartsThatMeetNoBarrier) {
  run(
      R"(
    int v = in[g] * 3;
    if (in[g] & 1) {
      t[i] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      v += t[i ^ 2];
    }
    out[g] = v;
  )",
      0, [](int g) { return g / kGroup == 2 ? 1 : g; },
      [](int g, int i) {
        const auto in = [](int at) { return at / kGroup == 2 ? 1 : at; };
        return in(g) * 3 + (in(g) & 1 ? in(g - i + (i ^ 2)) * 3 : 0);
      });
}

TEST_F(AskedBranches, SwitchesOfManyWays) {
  std::string cases;
  for (int k = 0; k < 6; ++k) {
    const std::string number = std::to_string(k);
    cases += "case " + std::to_string(k * 7) + ": t[i] = g + " + number +
             "; barrier(CLK_LOCAL_MEM_FENCE); v += t[(i + " + number + ") % N] * " +
             std::to_string(k + 1) + "; break;\n";
  }
  run(
      "int v = i; switch (in[g] * 7) {" + cases +
          "default: barrier(CLK_LOCAL_MEM_FENCE); v = 1; case 9: v += 2; } out[g] = v;",
      0, [](int g) { return groupOf(g) == 3 ? 77 : groupOf(g) * 2; },
      [](int g, int i) {
        if (groupOf(g) == 3) return 3;
        const int k = groupOf(g) * 2;
        return i + (g - i + (i + k) % kGroup + k) * (k + 1);
      });
}

// In one switch, some return, others go on to the same barrier.
TEST_F(AskedBranches, SwitchesWhoseWaysMeet) {
  run(
      R"(
    int v = i * 2;
    switch (in[g]) {
      case 1: v = 100; break;
      case 2: out[g] = 5; return;
      case 3: v += 9;
      default: v += 1;
    }
    if (in[g] != 4 || n) {
      t[i] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      v += t[i / 4 * 4];
    }
    out[g] = v;
  )",
      1, [](int g) { return g % 4; },
      [](int g, int i) {
        if (g % 4 == 2) return 5;
        const int own = g % 4 == 1 ? 100 : i * 2 + (g % 4 == 3 ? 10 : 1);
        return own + i / 4 * 8 + 1;
      });
}

TEST_F(AskedBranches, PrivateArraysAndBitsCross) {
  run(
      R"(
    int history[5] = {i, g, 3, 4, 5};
    bool odd = in[g] & 1;
    char3 small = (char3)(i, 2, 3);
    if (g >= n) return;
    for (int k = 0; k < 3; ++k) {
      history[(i + k) % 5] += small.x;
      t[i] = history[k];
      barrier(CLK_LOCAL_MEM_FENCE);
      history[k + 1] ^= t[0] + (odd ? 1 : 0);
      small = small.zxy;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = history[0] + history[1] * 3 + history[2] * 5 + history[3] * 7 + history[4] * 9;
  )",
      kGroup + 5, [](int g) { return g * 3; },
      [](int g, int i) {
        if (g >= kGroup + 5) return -1;
        const auto start = [&](int j) { return std::array{j, g - i + j, 3, 4, 5}; };
        auto own = start(i), first = start(0);
        std::array<int, 3> small{i, 2, 3}, firstSmall{0, 2, 3};
        for (int k = 0; k < 3; ++k) {
          own[static_cast<size_t>((i + k) % 5)] += small[0];
          first[static_cast<size_t>(k % 5)] += firstSmall[0];
          const int told = first[static_cast<size_t>(k)];
          own[static_cast<size_t>(k + 1)] ^= told + (g * 3 & 1);
          first[static_cast<size_t>(k + 1)] ^= told + ((g - i) * 3 & 1);
          small = {small[2], small[0], small[1]};
          firstSmall = {firstSmall[2], firstSmall[0], firstSmall[1]};
        }
        return own[0] + own[1] * 3 + own[2] * 5 + own[3] * 7 + own[4] * 9;
      });
}

// Loops in loops, with conditions of each.
TEST_F(AskedBranches, NestedLoops) {
  run(
      R"(
    int sum = 0;
    for (int a = 0; a < in[g]; ++a) {
      int row = a * i;
      for (int b = a; b < in[(g + a) % n] + 1; ++b) {
        t[i] = row + b;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[(i + 1) % N];
        if (sum > 1000000 && in[g] < 0) return;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      sum ^= a;
    }
    out[g] = sum;
  )",
      kItems, [](int) { return 3; },
      [](int, int i) {
        int sum = 0;
        for (int a = 0; a < 3; ++a) {
          for (int b = a; b < 4; ++b) sum += a * ((i + 1) % kGroup) + b;
          sum ^= a;
        }
        return sum;
      });
}

TEST_F(AskedBranches, SmallerGroupsAtTheEnd) {
  run(
      R"(
    int v = 0;
    if (in[g] > 0) {
      t[i] = g;
      barrier(CLK_LOCAL_MEM_FENCE);
      v = t[N - 1 - i];
    }
    out[g] = v;
  )",
      0, groupOf,
      [](int g, int i) {
        const int size = std::min(kGroup, 2 * kGroup + 11 - (g - i));
        return g < kGroup ? 0 : g - i + size - 1 - i;
      },
      2 * kGroup + 11);
}

TEST(AskedBranchesShapes, EarlyReturnsInPlanes) {
  const auto program = build(R"(
    kernel void k(global int* out, int w, int h) {
      local int t[4][6];
      int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
      if (x >= w || y >= h) return;
      t[ly][lx] = y * 100 + x;
      barrier(CLK_LOCAL_MEM_FENCE);
      int left = lx ? t[ly][lx - 1] : 1, up = ly ? t[ly - 1][lx] : 2;
      out[y * w + x] = left * 3 + up;
    })");
  constexpr int kWidth = 15, kHeight = 9;
  std::vector<int> out(kWidth * kHeight), expected;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      expected.push_back((x % 6 ? y * 100 + x - 1 : 1) * 3 + (y % 4 ? (y - 1) * 100 + x : 2));
  Launch(program, "k")
      .range({18, 12}, {6, 4})
      .buffer(out)
      .value(kWidth)
      .value(kHeight)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

// What is wrong ends the command, in every form, and names both places.
TEST(AskedBranchesWrong, WaitingAtDifferentBarriers) {
  const auto program = build(
      "kernel void k(global int* out) {\n"
      "  int v = out[get_global_id(0)];\n"
      "  for (int n = 0; n < 3; ++n)\n"
      "    if ((v + n) % 5) {\n"
      "      barrier(CLK_LOCAL_MEM_FENCE);\n"  // line 5
      "      v += 2;\n"
      "    } else {\n"
      "      barrier(CLK_GLOBAL_MEM_FENCE);\n"  // line 8
      "      v += 3;\n"
      "    }\n"
      "  out[get_global_id(0)] = v;\n"
      "}\n");
  std::vector<int> out(kItems);
  std::iota(out.begin(), out.end(), 0);
  Launch launch(program, "k");
  launch.range({kItems}, {kGroup}).buffer(out).expectFailure();
  for (int repeat = 0; repeat < 2; ++repeat)
    launch.inEveryForm([&](const Outcome& outcome) {
      ASSERT_TRUE(outcome.failure.has_value());
      EXPECT_EQ(*outcome.failure, runtime::FailureKind::BarrierDivergence);
      EXPECT_NE(outcome.message.find(":5"), std::string::npos) << outcome.message;
      EXPECT_NE(outcome.message.find(":8"), std::string::npos) << outcome.message;
    });
}

// Collectives take part of a group only where it is all of it.
TEST(AskedBranchesWrong, CollectivesAreNotAskedFor) {
  const auto program = build(R"(
    kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), v = -1;
      if (in[g] > n) v = work_group_reduce_add(g);
      out[g] = v;
    })",
                             "-cl-std=CL3.0");
  EXPECT_FALSE(hasLoops(program));
}

}  // namespace
}  // namespace weft::test
