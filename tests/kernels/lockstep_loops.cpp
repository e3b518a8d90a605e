// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string>

#include "kernels/harness.h"

// Loops that groups go through together though nothing in the program asks for it.
namespace weft {
namespace {

using test::build;
using test::kernelInfo;
using test::Launch;

/// What all of these kernels begin with: products of `a`, of m columns, and `b`, of n columns, in
/// blocks of 16 of their k rows.
const std::string kIds =
    "#define ROWS 16\n"
    "#define AT_A OF_A(j)\n"
    "#define OF_A(j) a[(k + j) * m + x]\n"
    "#define AT_B b[(k + j) * n + y]\n"
    "#define PARAMETERS global const int* a, global const int* b, global int* to, int m, int n, "
    "int rows\n"
    "#define IDS int x = get_group_id(0) * get_local_size(0) + get_local_id(0);"
    " int y = get_group_id(1) * get_local_size(1) + get_local_id(1)\n"
    "#define BLOCKS for (int k = 0; k < rows; k += ROWS)\n"
    "#define BLOCK for (int j = 0; j < ROWS; ++j)\n";

struct Matrices {
  int m, n, rows;
  std::vector<int> a, b;

  Matrices(int columns, int others, int count) : m(columns), n(others), rows(count) {
    for (int i = 0; i < m * rows; ++i) a.push_back(i * 7919 % 1013 - 500);
    for (int i = 0; i < n * rows; ++i) b.push_back(i * 104729 % 997 - 498);
  }

  /// `each` of x, y and a row, added up from `first` of the work-item on.
  std::vector<int> sums(const std::function<int(int x, int y, int row)>& each,
                        const std::function<int(int x, int y)>& first) const {
    std::vector<int> all;
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < m; ++x) {
        int sum = first(x, y);
        for (int row = 0; row < rows; ++row) sum += each(x, y, row);
        all.push_back(sum);
      }
    return all;
  }

  int product(int x, int y, int row) const {
    return a[static_cast<size_t>(row * m + x)] * b[static_cast<size_t>(row * n + y)];
  }
};

/// Of a work-item in the place of its sum, before it adds up anything.
int first(int x, int y) { return x - y; }

/// Columns of `a` are along dimension 0, unless another range is given.
void expectSums(const test::Program& program, const char* kernel, Matrices& of,
                const test::Sizes& local, const std::vector<int>& expected,
                const test::Sizes& range = {}) {
  SCOPED_TRACE(kernel);
  std::vector<int> to(expected.size());
  const test::Sizes columns{static_cast<uint64_t>(of.m), static_cast<uint64_t>(of.n)};
  Launch(program, kernel)
      .range(range.empty() ? columns : range, local)
      .buffer(of.a)
      .buffer(of.b)
      .buffer(to)
      .value(of.m)
      .value(of.n)
      .value(of.rows)
      .inEveryForm([&](const test::Outcome&) { EXPECT_EQ(to, expected); });
}

TEST(LockstepLoops, GiveWhatWorkItemsOnTheirOwnDo) {
  const auto program =
      build(kIds +
            "kernel void plain(PARAMETERS) { IDS; int sum = x - y;"
            " BLOCKS BLOCK sum += AT_A * AT_B;"
            " to[y * m + x] = sum; }"
            // What work-items keep is an array, and a branch depends on what was read.
            "kernel void sorted(PARAMETERS) { IDS; int sums[3] = {x - y, 0, 0};"
            " BLOCKS BLOCK { int v = AT_A; sums[(v & 255) % 3] += v > 100 ? v * AT_B : v * AT_B; }"
            " to[y * m + x] = sums[0] + sums[1] + sums[2]; }"
            // Work-items leave the inner loop at different times.
            "kernel void uneven(PARAMETERS) { IDS; int sum = x - y;"
            " BLOCKS for (int j = 0; j < ROWS - (x + y) % 5; ++j) sum += AT_A * AT_B;"
            " to[y * m + x] = sum; }"
            // Behind the loop some do nothing, and another loop follows.
            "kernel void twice(PARAMETERS) { IDS; int sum = x - y;"
            " BLOCKS BLOCK sum += AT_A;"
            " BLOCKS BLOCK sum += AT_A * (AT_B - 1);"
            " if (x % 3 != 1) to[y * m + x] = sum; }");
  for (const char* name : {"plain", "sorted", "uneven", "twice"}) {
    const auto* info = kernelInfo(program, name);
    ASSERT_TRUE(info);
    EXPECT_TRUE(info->lockstepLoops) << name;
    EXPECT_FALSE(info->usesBarrier) << name;
  }
  for (const auto& [m, n, rows] :
       {std::array{64, 12, 96}, std::array{48, 8, 0}, std::array{51, 9, 32}}) {
    Matrices of(m, n, rows);
    const auto all = [&](int x, int y, int row) { return of.product(x, y, row); };
    const auto uneven = [&](int x, int y, int row) {
      return row % 16 < 16 - (x + y) % 5 ? of.product(x, y, row) : 0;
    };
    std::vector<int> twice = of.sums(all, first);
    for (int i = 0; i < m * n; ++i)
      if (i % m % 3 == 1) twice[static_cast<size_t>(i)] = 0;
    const bool isWhole = m % 16 == 0;
    const test::Sizes local = isWhole ? test::Sizes{16, 4} : test::Sizes{17, 3};
    expectSums(program, "plain", of, local, of.sums(all, first));
    expectSums(program, "sorted", of, local, of.sums(all, first));
    expectSums(program, "uneven", of, local, of.sums(uneven, first));
    expectSums(program, "twice", of, local, twice);
  }
}

// Iterations that do little are taken several at a time: neither 1000 nor 110 is a multiple of what
// a turn has, there may be none, and what an iteration hands on, another one's value too, is that
// of the last one in the next turn.
TEST(LockstepLoops, TakeShortIterationsInTurns) {
  const auto program =
      build(kIds +
            "kernel void known(PARAMETERS) { IDS; int sum = x - y;"
            " for (int k = 0, j = 0; k < 1000; ++k) sum += AT_A * AT_B;"
            " to[y * m + x] = sum; }"
            "kernel void whole(PARAMETERS) { IDS; int sum = x - y;"
            " for (int k = 0, j = 0; k < 768; ++k) sum += AT_A * AT_B;"
            " to[y * m + x] = sum; }"
            "kernel void handed(PARAMETERS) { IDS; int sum = x - y, last = 0, one = 0;"
            " for (int k = 0, j = 0; k < 1000; ++k) { sum += last * AT_B; last = one; one = AT_A; }"
            " to[y * m + x] = sum + last - one; }"
            "kernel void many(PARAMETERS) { IDS;"
            " int s0 = x - y, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0, s8 = 0;"
            " for (int k = 0; k < rows; k += 9) {"
            "  s0 += OF_A(0); s1 += OF_A(1); s2 += OF_A(2); s3 += OF_A(3); s4 += OF_A(4);"
            "  s5 += OF_A(5); s6 += OF_A(6); s7 += OF_A(7); s8 += OF_A(8); }"
            " to[y * m + x] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8; }"
            // Rows along dimension 1.
            "kernel void across(PARAMETERS) {"
            " int x = get_group_id(1) * get_local_size(1) + get_local_id(1);"
            " int y = get_group_id(0) * get_local_size(0) + get_local_id(0), sum = x - y;"
            " for (int k = 0, j = 0; k < 1000; ++k) sum += AT_A * b[y * rows + k];"
            " to[y * m + x] = sum; }");
  for (const char* name : {"known", "whole", "handed", "many", "across"}) {
    const auto* info = kernelInfo(program, name);
    ASSERT_TRUE(info);
    EXPECT_TRUE(info->lockstepLoops) << name;
    EXPECT_EQ(info->rowDimension, name == std::string("across") ? 1u : 0u) << name;
  }
  Matrices of(32, 8, 1000);
  const auto all = [&](int x, int y, int row) { return of.product(x, y, row); };
  expectSums(program, "known", of, {16, 4}, of.sums(all, first));
  const auto begin = [&](int x, int y, int row) { return row < 768 ? all(x, y, row) : 0; };
  expectSums(program, "whole", of, {16, 4}, of.sums(begin, first));
  const auto a = [&](int x, int row) { return of.a[static_cast<size_t>(row * of.m + x)]; };
  const auto handed = [&](int x, int y, int row) {
    return row < 2 ? 0 : a(x, row - 2) * of.b[static_cast<size_t>(row * of.n + y)];
  };
  const auto last = [&](int x, int y) { return x - y + a(x, 998) - a(x, 999); };
  expectSums(program, "handed", of, {16, 4}, of.sums(handed, last));
  for (const int rows : {0, 9, 990}) {
    Matrices some(32, 8, rows);
    const auto each = [&](int x, int, int row) {
      return some.a[static_cast<size_t>(row * some.m + x)];
    };
    expectSums(program, "many", some, {16, 4}, some.sums(each, first));
  }
  const auto across = [&](int x, int y, int row) {
    return a(x, row) * of.b[static_cast<size_t>(y * of.rows + row)];
  };
  expectSums(program, "across", of, {4, 16}, of.sums(across, first), {8, 32});
}

TEST(LockstepLoops, AreThoseThatWholeGroupsGoThrough) {
  const auto program =
      build(kIds +
            "kernel void some(PARAMETERS) { IDS; int sum = x - y;"
            " if (get_local_id(1) != 1) BLOCKS BLOCK sum += AT_A * AT_B;"
            " to[y * m + x] = sum; }"
            "kernel void left(PARAMETERS) { IDS; int sum = x - y;"
            " BLOCKS { if (sum == 1 << 30) break; BLOCK sum += AT_A * AT_B; }"
            " to[y * m + x] = sum; }"
            "kernel void early(PARAMETERS) { IDS; int sum = x - y;"
            " if (x == 5) return;"
            " BLOCKS BLOCK sum += AT_A * AT_B;"
            " to[y * m + x] = sum; }"
            // Those whose rows read what no others do, that others see, and that are soon over.
            "kernel void own(PARAMETERS) { IDS; int sum = x - y;"
            " BLOCKS BLOCK sum += a[(k + j) * m + (x ^ y) % m] * AT_B;"
            " to[y * m + x] = sum; }"
            "kernel void stores(PARAMETERS) { IDS; int sum = x - y;"
            " BLOCKS { BLOCK sum += AT_A * AT_B; to[y * m + x] = sum; } }"
            "kernel void small(PARAMETERS) { IDS; int sum = x - y;"
            " for (int k = 0; k < 8; ++k) for (int j = 0; j < 8; ++j) sum += AT_A * AT_B;"
            " to[y * m + x] = sum; }"
            // What is read once more than there are iterations.
            "kernel void more(PARAMETERS) { IDS; int sum = x - y, same = 0, one = 0, v;"
            " for (int k = 0, j = 0; v = AT_A, k < 40 * 24; ++k) {"
            "  sum += v * AT_B; same += v - one; one = v; }"
            " to[y * m + x] = sum + v - same + one; }"
            // What is written once more.
            "kernel void counted(PARAMETERS) { IDS; int sum = x - y, same = 0, one = 0, seen[3] = "
            "{0, 0, 0};"
            " for (int k = 0, j = 0; seen[(k ^ m) % 3] = k, k < 40 * 24; ++k) {"
            "  int v = AT_A; sum += v * AT_B; same += v - one; one = v; }"
            " to[y * m + x] = sum - same + one + seen[0] + seen[1] + seen[2]; }"
            "kernel void meets(PARAMETERS) { IDS; int sum = x - y;"
            " barrier(CLK_GLOBAL_MEM_FENCE);"
            " BLOCKS BLOCK sum += AT_A * AT_B;"
            " to[y * m + x] = sum; }");
  Matrices of(32, 8, 48);
  const auto all = [&](int x, int y, int row) { return of.product(x, y, row); };
  for (const char* name :
       {"some", "left", "early", "own", "stores", "small", "more", "counted", "meets"}) {
    const auto* info = kernelInfo(program, name);
    ASSERT_TRUE(info);
    EXPECT_FALSE(info->lockstepLoops) << name;
  }
  const auto rest = [&](int x, int y, int row) { return y % 4 != 1 ? all(x, y, row) : 0; };
  expectSums(program, "some", of, {8, 4}, of.sums(rest, first));
  expectSums(program, "left", of, {8, 4}, of.sums(all, first));
  std::vector<int> early = of.sums(all, first);
  for (size_t i = 5; i < early.size(); i += 32) early[i] = 0;
  expectSums(program, "early", of, {8, 4}, early);
  expectSums(program, "meets", of, {8, 4}, of.sums(all, first));
  Matrices longer(32, 8, 961);
  const auto before = [&](int x, int y, int row) {
    return row < 960 ? longer.product(x, y, row) : 0;
  };
  const auto last = [&](int x, int y) {
    return x - y + longer.a[static_cast<size_t>(960 * 32 + x)];
  };
  expectSums(program, "more", longer, {8, 4}, longer.sums(before, last));
  int seen[3] = {0, 0, 0};
  for (int k = 0; k <= 960; ++k) seen[(k ^ 32) % 3] = k;
  const auto places = [&](int x, int y) { return x - y + seen[0] + seen[1] + seen[2]; };
  expectSums(program, "counted", longer, {8, 4}, longer.sums(before, places));
}

}  // namespace
}  // namespace weft
