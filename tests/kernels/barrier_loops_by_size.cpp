// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers that are seen to be reached by whole groups once the size of groups is known.
#include <numeric>
#include <string>

#include "harness.h"

namespace weft::test {
namespace {

/// Whether groups of this size have barrier loops.
bool hasLoops(const Program& program, const std::array<uint32_t, 3>& localSize) {
  const compiler::VariantKey key{
      .form = compiler::Form::BarrierLoops, .width = 1, .localSize = localSize};
  const auto code = program->variant(0, key);
  if (!code) {
    EXPECT_EQ(code.error().kind, compiler::ErrorKind::Unsuited) << code.error().log;
  }
  return code.has_value();
}

/// `kernel void k(global int* out, int n)` whose work-items take their neighbour's number through
/// local memory where CONDITION holds. It must hold for whole groups: there is a collective as
/// well, and work-items are not asked whether they agree on the way to one.
class ByTheSize : public ::testing::Test {
 protected:
  static Program build(const std::string& condition) {
    const auto program = test::build(R"(
      kernel void k(global int* out, int n) {
        local int t[256];
        int l = get_local_id(0), g = get_global_id(0), group = get_group_id(0), value = -2;
        if ()" + condition + R"() {
          t[l] = g * 3;
          barrier(CLK_LOCAL_MEM_FENCE);
          value = t[(l + 1) % (int)get_local_size(0)] + work_group_broadcast(n, 0);
        }
        out[g] = value;
      })",
                                     "-cl-std=CL3.0");
    const compiler::KernelInfo* info = kernelInfo(program, "k");
    EXPECT_FALSE(info->barrierLoops);
    EXPECT_TRUE(info->barrierLoopsOnTrial);
    return program;
  }

  /// In `taken` groups of the first ones of five the condition holds.
  static void run(const Program& program, int n, uint64_t localSize, uint64_t taken) {
    const uint64_t items = 5 * localSize;
    std::vector<int> out(items), expected(items, -2);
    for (uint64_t g = 0; g < taken * localSize; ++g)
      expected[g] = static_cast<int>(g / localSize * localSize + (g + 1) % localSize) * 3 + n;
    Launch(program, "k")
        .range({items}, {localSize})
        .buffer(out)
        .value(n)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
};

TEST_F(ByTheSize, IdsBelowTheSizeOfGroups) {
  const auto program = build("l < 48");
  EXPECT_TRUE(hasLoops(program, {48, 1, 1}));
  EXPECT_TRUE(hasLoops(program, {7, 1, 1}));
  EXPECT_FALSE(hasLoops(program, {49, 1, 1}));
  run(program, 5, 48, 5);
  run(program, 5, 7, 5);
}

TEST_F(ByTheSize, WhatIdsLoseInDivisions) {
  const auto program = build("group * 2 + l / 32 < n");
  EXPECT_TRUE(hasLoops(program, {32, 1, 1}));
  EXPECT_FALSE(hasLoops(program, {48, 1, 1}));
  run(program, 5, 32, 3);
  run(program, 6, 16, 3);
  run(program, 100, 48, 5);  // not to be seen
}

// The place in a matrix, of which work-items have tiles, against its size in whole tiles.
TEST_F(ByTheSize, PlacesInTilesAgainstMultiplesOfTheirs) {
  for (const char* condition :
       {"group * 32 + l * 4 < n / 32 * 32", "(l * 4 | group * 32) < (n & ~31)",
        "!(n / 32 * 32 <= (int)(get_group_id(0) * 32 + get_local_id(0) * 4))",
        "(uint)(group * 32 + l * 2 + l) < (uint)n / 32 * 32"}) {
    SCOPED_TRACE(condition);
    const auto program = build(condition);
    EXPECT_TRUE(hasLoops(program, {8, 1, 1}));
    EXPECT_FALSE(hasLoops(program, {16, 1, 1}));
    run(program, 100, 8, 3);
    run(program, 31, 8, 0);
    run(program, 1000, 16, 5);
  }
}

// One off, and work-items of a group differ: nothing may be taken for granted.
TEST_F(ByTheSize, NearMissesAreNotProved) {
  for (const char* condition :
       {"group * 32 + l * 4 <= n / 32 * 32", "group * 32 + l * 4 < n / 16 * 16",
        "group * 16 + l * 4 < n / 32 * 32", "group * 32 + l * 5 < n / 32 * 32",
        "group * 32 + l * 4 + 1 + (l & 3) < n / 32 * 32", "group * 32 - l < n / 32 * 32"}) {
    SCOPED_TRACE(condition);
    EXPECT_FALSE(hasLoops(build(condition), {8, 1, 1}));
  }
}

// Groups at the end of a range may be smaller; the condition is theirs as well.
TEST_F(ByTheSize, SmallerGroupsAtTheEnd) {
  const auto program = test::build(R"(
    kernel void k(global int* out, int n) {
      local int t[64];
      int l = get_local_id(0), g = get_global_id(0), value = -2;
      if ((int)get_group_id(0) * 64 + l < n / 64 * 64) {
        t[l] = g;
        barrier(CLK_LOCAL_MEM_FENCE);
        value = t[get_local_size(0) - 1 - l];
      }
      out[g] = value;
    })",
                                   "-cl-std=CL3.0");
  std::vector<int> out(300), expected(300, -2);
  for (int g = 0; g < 192; ++g) expected[static_cast<size_t>(g)] = g / 64 * 64 + 63 - g % 64;
  Launch(program, "k").range({300}, {64}).buffer(out).value(200).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

TEST(ByTheSizeInPlanes, TilesOfAProduct) {
  const auto program = build(R"(
    kernel void k(global const int* a, global const int* b, global int* c, int m, int n, int depth) {
      local int as[16 * 8], bs[16 * 8];
      int x = get_local_id(0), y = get_local_id(1);
      int column = get_group_id(0) * 16 + x * 2, row = get_group_id(1) * 16 + y * 4;
      if (column < m / 16 * 16 && row < n / 16 * 16) {
        int sums[4][2] = {};
        depth = work_group_broadcast(depth, 0, 0);
        for (int d = 0; d < depth; d += 8) {
          for (int i = y * 8 + x; i < 16 * 8; i += 32) {
            as[i] = a[(get_group_id(1) * 16 + i / 8) * depth + d + i % 8];
            bs[i] = b[(d + i / 16) * m + get_group_id(0) * 16 + i % 16];
          }
          barrier(CLK_LOCAL_MEM_FENCE);
          for (int k = 0; k < 8; ++k)
            for (int i = 0; i < 4; ++i)
              for (int j = 0; j < 2; ++j)
                sums[i][j] += as[(y * 4 + i) * 8 + k] * bs[k * 16 + x * 2 + j];
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 2; ++j) c[(row + i) * m + column + j] = sums[i][j];
      } else {
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 2; ++j)
            if (row + i < n && column + j < m) {
              int sum = 0;
              for (int k = 0; k < depth; ++k) sum += a[(row + i) * depth + k] * b[k * m + column + j];
              c[(row + i) * m + column + j] = sum;
            }
      }
    })",
                             "-cl-std=CL3.0");
  EXPECT_TRUE(hasLoops(program, {8, 4, 1}));
  EXPECT_FALSE(hasLoops(program, {16, 4, 1}));
  constexpr int kColumns = 40, kRows = 37, kDepth = 24;
  std::vector<int> a(kRows * kDepth), b(kDepth * kColumns), c(kRows * kColumns), expected(c.size());
  std::iota(a.begin(), a.end(), -100);
  std::iota(b.begin(), b.end(), 7);
  for (int row = 0; row < kRows; ++row)
    for (int column = 0; column < kColumns; ++column)
      for (int k = 0; k < kDepth; ++k)
        expected[static_cast<size_t>(row * kColumns + column)] +=
            a[static_cast<size_t>(row * kDepth + k)] *
            b[static_cast<size_t>(k * kColumns + column)];
  Launch(program, "k")
      .range({8 * 3, 4 * 3}, {8, 4})
      .buffer(a)
      .buffer(b)
      .buffer(c)
      .value(kColumns)
      .value(kRows)
      .value(kDepth)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(c, expected); });
}

}  // namespace
}  // namespace weft::test
