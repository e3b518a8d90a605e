// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of work-items in rows of a group that read the same places of local memory, in groups of
// many shapes: products of tiles, loops whose work-items keep arrays of their own or write between,
// and such that count together.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

using Size = std::array<uint64_t, 3>;
constexpr Size kGroups[] = {{8, 8, 1},  {16, 16, 1}, {16, 6, 1}, {4, 5, 1},
                            {32, 3, 1}, {8, 4, 2},   {1, 16, 1}};

/// Work-items of 2 x 2 groups, each of which sums STEPS terms from `a`, of its column, and from
/// `b`, of its row and plane, as BODY says, where `t` is of 64 by the number of columns, `u` of as
/// many by that of rows.
class RowTiles : public testing::TestWithParam<Size> {
 protected:
  static constexpr int kSteps = 48;  ///< more than are unrolled altogether

  static int left(int step, int column) { return (step * 7 + column * 3) % 23 - 9; }
  static int right(int step, int row) { return (step * 5 + row * 11) % 19 - 6; }

  template <class Expected>
  static void check(const std::string& body, Expected expected) {
    const Size size = GetParam();
    const int columns = static_cast<int>(size[0]), rows = static_cast<int>(size[1] * size[2]);
    const Program program = build(R"(
      kernel void k(global int* out, global const int* a, global const int* b) {
        local int t[STEPS * 32], u[STEPS * 16];
        int x = get_local_id(0), y = get_local_id(1) + get_local_id(2) * get_local_size(1);
        int columns = get_local_size(0), rows = get_local_size(1) * get_local_size(2);
        int l = get_local_linear_id(), size = columns * rows;
        int group = get_group_id(0) + get_group_id(1) * 2;
        for (int i = l; i < STEPS * columns; i += size) t[i] = a[i] + group;
        for (int i = l; i < STEPS * rows; i += size) u[i] = b[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        int sum = 0;
        )" + body + R"(
        out[group * size + l] = sum;
      })",
                                  "-cl-std=CL3.0 -DSTEPS=" + std::to_string(kSteps));
    std::vector<int> a, b, out(4 * columns * rows), results;
    for (int step = 0; step < kSteps; ++step) {
      for (int x = 0; x < columns; ++x) a.push_back(left(step, x));
      for (int y = 0; y < rows; ++y) b.push_back(right(step, y));
    }
    for (int group = 0; group < 4; ++group)
      for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) results.push_back(expected(group, x, y, columns, rows));
    Launch(program, "k")
        .range({2 * size[0], 2 * size[1], size[2]}, {size.begin(), size.end()})
        .buffer(out)
        .buffer(a)
        .buffer(b)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, results); });
  }
};

TEST_P(RowTiles, Products) {
  check("for (int k = 0; k < STEPS; ++k) sum += t[k * columns + x] * u[k * rows + y];",
        [](int group, int x, int y, int, int) {
          int sum = 0;
          for (int k = 0; k < kSteps; ++k) sum += (left(k, x) + group) * right(k, y);
          return sum;
        });
}

TEST_P(RowTiles, ProductsInTwoParts) {
  check(R"(
        for (int part = 0; part < 2; ++part) {
          for (int k = part * STEPS / 2; k < (part + 1) * STEPS / 2; ++k)
            sum += t[k * columns + x] * u[k * rows + y];
          barrier(CLK_LOCAL_MEM_FENCE);
          t[l % (STEPS * columns)] += 0;
          barrier(CLK_LOCAL_MEM_FENCE);
        })",
        [](int group, int x, int y, int, int) {
          int sum = 0;
          for (int k = 0; k < kSteps; ++k) sum += (left(k, x) + group) * right(k, y);
          return sum;
        });
}

/// What only one region knows is in one place for all work-items.
TEST_P(RowTiles, ArraysOfTheirOwn) {
  check(R"(
        int kept[STEPS];
        for (int k = 0; k < STEPS; ++k) kept[(k * 5 + y) % STEPS] = u[k * rows + y];
        for (int k = 0; k < STEPS; ++k) sum += t[k * columns + x] * kept[(k * 7 + x) % STEPS];)",
        [](int group, int x, int y, int, int) {
          int kept[kSteps], sum = 0;
          for (int k = 0; k < kSteps; ++k) kept[(k * 5 + y) % kSteps] = right(k, y);
          for (int k = 0; k < kSteps; ++k) sum += (left(k, x) + group) * kept[(k * 7 + x) % kSteps];
          return sum;
        });
}

/// A work-item reads again what it has written.
TEST_P(RowTiles, WritesBetween) {
  check(R"(
        global int* mine = &out[group * size + l];
        *mine = y;
        for (int k = 0; k < STEPS; ++k) {
          sum += t[k * columns + x] * *mine;
          *mine = sum & 15;
        })",
        [](int group, int x, int y, int, int) {
          int sum = 0, mine = y;
          for (int k = 0; k < kSteps; ++k) {
            sum += (left(k, x) + group) * mine;
            mine = sum & 15;
          }
          return sum;
        });
}

TEST_P(RowTiles, CountsTogether) {
  check(R"(
        local int count;
        if (l == 0) count = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < STEPS; ++k)
          if (t[k * columns + x] > 0) atomic_inc(&count);
        barrier(CLK_LOCAL_MEM_FENCE);
        sum = count + y;)",
        [](int group, int, int y, int columns, int rows) {
          int count = 0;
          for (int k = 0; k < kSteps; ++k)
            for (int x = 0; x < columns; ++x) count += left(k, x) + group > 0;
          return count * rows + y;
        });
}

/// How often differs from column to column, from row to row, or not at all, and may be never.
TEST_P(RowTiles, LoopsOfOtherLengths) {
  check("for (int k = 0; k < (x * 5) % 49; ++k) sum += t[k * columns + x] * u[k * rows + y];",
        [](int group, int x, int y, int, int) {
          int sum = 0;
          for (int k = 0; k < x * 5 % 49; ++k) sum += (left(k, x) + group) * right(k, y);
          return sum;
        });
  check("for (int k = 0; k < (y * 5) % 49; ++k) sum += t[k * columns + x] * u[k * rows + y];",
        [](int group, int x, int y, int, int) {
          int sum = 0;
          for (int k = 0; k < y * 5 % 49; ++k) sum += (left(k, x) + group) * right(k, y);
          return sum;
        });
  check("for (int k = 0; k < group * 16; ++k) sum += t[k * columns + x] * u[k * rows + y];",
        [](int group, int x, int y, int, int) {
          int sum = 0;
          for (int k = 0; k < group * 16; ++k) sum += (left(k, x) + group) * right(k, y);
          return sum;
        });
}

INSTANTIATE_TEST_SUITE_P(Groups, RowTiles, testing::ValuesIn(kGroups), [](const auto& info) {
  return std::to_string(info.param[0]) + "x" + std::to_string(info.param[1]) + "x" +
         std::to_string(info.param[2]);
});

}  // namespace
}  // namespace weft::test
