// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one pass takes for granted and another changes: blocks that more has been merged into, loads
// that have become parts of wider ones, values that only some work-items have.
#include <algorithm>
#include <functional>
#include <iterator>
#include <string>

#include "harness.h"

namespace weft::test {
namespace {

struct Shape {
  uint64_t items, group;
};
constexpr Shape kShapes[] = {{1, 1}, {7, 7}, {64, 64}, {100, 50}, {256, 4}, {1024, 256}};

/// Work-item `i`, with local id `l` in group `g` of `size` work-items.
struct Item {
  int i, l, g, size;
};

/// What is in `z`.
int in(int index) { return index * 7 % 11 + 3; }

/// Runs `kernel void k(global int* x, global int* y, global int* z, int n) { BODY }`, with `i`,
/// `l`, `g` and `size` as above and `local int L[256]`, in every form, for several shapes and
/// limits `n`. Where x and y are not written they keep -1.
void run(const std::string& body,
         const std::function<void(const Item&, int n, int& x, int& y)>& expected) {
  const auto program = build(
      "kernel void k(global int* x, global int* y, global const int* z, int n) { local int L[256]; "
      "int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0), size = "
      "get_local_size(0);\n" +
      body + "}");
  for (const auto [items, group] : kShapes) {
    for (const int n : {0, 1, 50, static_cast<int>(items), static_cast<int>(items) + 5}) {
      std::vector<int> x(items, -1), y(items, -1), wantedX(items, -1), wantedY(items, -1), z(items);
      for (int i = 0; i < static_cast<int>(items); ++i) {
        const int size = static_cast<int>(group);
        z[i] = in(i);
        expected({i, i % size, i / size, size}, n, wantedX[i], wantedY[i]);
      }
      Launch(program, "k")
          .range({items}, {group})
          .buffer(x)
          .buffer(y)
          .buffer(z)
          .value(n)
          .inEveryForm([&](const Outcome&) {
            EXPECT_EQ(x, wantedX) << items << " items, n = " << n;
            EXPECT_EQ(y, wantedY) << items << " items, n = " << n;
          });
    }
  }
}

const auto kGuarded = [](const Item& item, int n, int& x, int& y) {
  if (item.i < n) x = 1;
  y = 7;
};
const auto kGuardedLocally = [](const Item& item, int n, int& x, int& y) {
  if (item.l < n) x = 1;
  y = 7;
};

TEST(PassContracts, WhatFollowsAGuardIsForAll) {
  run("if (i < n) x[i] = 1; y[i] = 7;", kGuarded);
  run("if ((uint)i < (uint)n) x[i] = 1; y[i] = 7;", kGuarded);
  run("if (get_global_id(0) < (size_t)n) x[i] = 1; y[i] = 7;", kGuarded);
  run("if (!(i >= n)) x[i] = 1; y[i] = 7;", kGuarded);
  run("if (n > i) { x[i] = 1; } y[i] = 7;", kGuarded);
  run("if (i < n) x[i] = 1; volatile global int* v = y + i; *v = 7;", kGuarded);
  run("if (i < n) x[i] = 1; atomic_add(y + i, 8);", kGuarded);
}

TEST(PassContracts, WhatFollowsAGuardOnLocalIdsIsForAll) {
  run("if (l < n) x[i] = 1; y[i] = 7;", kGuardedLocally);
  run("if (get_local_id(0) < (size_t)n) x[i] = 1; y[i] = 7;", kGuardedLocally);
  run("if (l < n) { if (l < n / 2) x[i] = 2; else x[i] = 1; } y[i] = 7;",
      [](const Item& item, int n, int& x, int& y) {
        if (item.l < n) x = item.l < n / 2 ? 2 : 1;
        y = 7;
      });
}

TEST(PassContracts, WhatFollowsAGuardBetweenBarriersIsForAll) {
  run("L[l] = i; barrier(CLK_LOCAL_MEM_FENCE); if (l < n) x[i] = L[size - 1 - l]; y[i] = 7;",
      [](const Item& item, int n, int& x, int& y) {
        if (item.l < n) x = item.g * item.size + item.size - 1 - item.l;
        y = 7;
      });
  run("if (l < n) L[l] = i; y[i] = 7; barrier(CLK_LOCAL_MEM_FENCE); int m = size - 1 - l; "
      "if (m < n) x[i] = L[m];",
      [](const Item& item, int n, int& x, int& y) {
        const int m = item.size - 1 - item.l;
        if (m < n) x = item.g * item.size + m;
        y = 7;
      });
  // Nobody can prove that the group agrees here.
  run("L[l] = i; if (y[i] < 0) barrier(CLK_LOCAL_MEM_FENCE); if (i < n) x[i] = L[size - 1 - l]; "
      "y[i] = 7;",
      [](const Item& item, int n, int& x, int& y) {
        if (item.i < n) x = item.g * item.size + item.size - 1 - item.l;
        y = 7;
      });
}

TEST(PassContracts, WhatOneWorkItemKnowsIsItsOwn) {
  const auto first = [](const Item& item, int, int& x, int&) { x = in(item.g) + 1; };
  run("int u; if (l == 0) u = z[g]; barrier(CLK_LOCAL_MEM_FENCE); if (l == 0) L[0] = u + 1; "
      "barrier(CLK_LOCAL_MEM_FENCE); x[i] = L[0];",
      first);
  run("int u, v; if (l == 0) { u = z[g]; v = u * 3 + n; } barrier(CLK_LOCAL_MEM_FENCE); "
      "if (l == 0) { if (v > 3 * u + n) L[0] = 0; else L[0] = u + 1; } "
      "barrier(CLK_LOCAL_MEM_FENCE); x[i] = L[0];",
      first);
  run("int u = -1; if (l == 0) u = z[g]; barrier(CLK_LOCAL_MEM_FENCE); if (l == 0) L[0] = u + 1; "
      "barrier(CLK_LOCAL_MEM_FENCE); x[i] = L[0];",
      first);
  run("int u[3]; if (l == 0) { u[0] = z[g]; u[1] = 1; } barrier(CLK_LOCAL_MEM_FENCE); "
      "if (l == 0) L[0] = u[0] + u[1]; barrier(CLK_LOCAL_MEM_FENCE); x[i] = L[0];",
      first);
  run("long4 u; if (l == 0) u = (long4)(z[g]); barrier(CLK_LOCAL_MEM_FENCE); "
      "if (l == 0) L[0] = u.y + 1; barrier(CLK_LOCAL_MEM_FENCE); x[i] = L[0];",
      first);
  run("global const int* u; if (l == 0) u = z[g] ? z + g : z; barrier(CLK_LOCAL_MEM_FENCE); "
      "if (l == 0) L[0] = *u + 1; barrier(CLK_LOCAL_MEM_FENCE); x[i] = L[0];",
      first);
}

TEST(PassContracts, WhatOneWorkItemKnowsIsItsOwnInEveryTurn) {
  run("for (int k = 0; k < 3; ++k) { int u; if (l == k % size) u = z[k % size]; "
      "barrier(CLK_LOCAL_MEM_FENCE); if (l == k % size) L[k] = u; barrier(CLK_LOCAL_MEM_FENCE); } "
      "x[i] = L[0] + L[1] * 20 + L[2] * 400;",
      [](const Item& item, int, int& x, int&) {
        x = in(0) + in(1 % item.size) * 20 + in(2 % item.size) * 400;
      });
  run("int u; for (int k = 0; k < 3; ++k) { if (l == k % size) u = z[k % size]; "
      "barrier(CLK_LOCAL_MEM_FENCE); if (l == k % size) L[k] = u; barrier(CLK_LOCAL_MEM_FENCE); } "
      "x[i] = L[0] + L[1] * 20 + L[2] * 400;",
      [](const Item& item, int, int& x, int&) {
        x = in(0) + in(1 % item.size) * 20 + in(2 % item.size) * 400;
      });
}

TEST(PassContracts, WhatOneWorkItemKnowsIsItsOwnWhereWaysOfTheGroupJoin) {
  run("int u; L[l] = 0; if (n & 1) { barrier(CLK_LOCAL_MEM_FENCE); if (l == 0) u = z[g]; } else "
      "barrier(CLK_LOCAL_MEM_FENCE); int c = x[i] + L[l]; barrier(CLK_LOCAL_MEM_FENCE); "
      "if (l == 0 && (n & 1)) L[0] = u; barrier(CLK_LOCAL_MEM_FENCE); x[i] = L[0]; y[i] = c;",
      [](const Item& item, int n, int& x, int&) { x = n & 1 ? in(item.g) : 0; });
  run("int u; if (n & 1) { if (l == 0) u = z[g]; barrier(CLK_LOCAL_MEM_FENCE); L[l] = l; } else { "
      "if (l == size - 1) u = z[g] + 1; barrier(CLK_LOCAL_MEM_FENCE); L[l] = l + 1; } "
      "barrier(CLK_LOCAL_MEM_FENCE); if (l == (n & 1 ? 0 : size - 1)) L[0] = u; "
      "barrier(CLK_LOCAL_MEM_FENCE); x[i] = L[0];",
      [](const Item& item, int n, int& x, int&) { x = in(item.g) + (n & 1 ? 0 : 1); });
  run("int u; switch (l) { case 0: u = z[g]; break; case 1: x[i] = 5; break; default: break; } "
      "barrier(CLK_LOCAL_MEM_FENCE); if (l == 0) { L[0] = u + 1; x[i] = 6; } "
      "barrier(CLK_LOCAL_MEM_FENCE); y[i] = L[0];",
      [](const Item& item, int, int& x, int& y) {
        if (item.l < 2) x = 6 - item.l;
        y = in(item.g) + 1;
      });
}

// In lanes, what only some of them know need not be kept for each: nobody else asks.
TEST(PassContracts, WhatSomeLanesKnowIsForThem) {
  run("int u; if (l % 3 == 1) u = z[g]; x[i] = -2; if (l % 3 == 1) x[i] = u * 2 + n;",
      [](const Item& item, int n, int& x, int&) { x = item.l % 3 == 1 ? in(item.g) * 2 + n : -2; });
  run("int sum = 0; for (int k = 0; k < (i & 7); ++k) { int u; if ((k + i) % 3 == 1) u = z[g] + k; "
      "sum += 1; if ((k + i) % 3 == 1) sum += u; } x[i] = sum;",
      [](const Item& item, int, int& x, int&) {
        x = 0;
        for (int k = 0; k < (item.i & 7); ++k) x += (k + item.i) % 3 == 1 ? 1 + in(item.g) + k : 1;
      });
  run("int u; for (int k = 0; k <= (i & 7); ++k) if (k == (i & 3)) { u = z[g] + k; if (i & 16) "
      "break; } x[i] = (i & 7) >= (i & 3) ? u : 0;",
      [](const Item& item, int, int& x, int&) {
        x = (item.i & 7) >= (item.i & 3) ? in(item.g) + (item.i & 3) : 0;
      });
}

/// Runs `kernel void k(global TYPE* out, global int* ones, uint d) { size_t i = get_global_id(0);
/// BODY }` over one to three dimensions, where d is 0 and ones[i] is 1.
template <class T>
void runInBoxes(const std::string& type, const std::string& body,
                const std::function<T(std::array<uint64_t, 3> id, std::array<uint64_t, 3> group,
                                      std::array<uint64_t, 3> local)>& expected) {
  const auto program = build(
      "__attribute__((noinline)) uint mine(uint d) { return get_group_id(d); }"
      "kernel void k(global " +
      type +
      "* out, global int* ones, uint d) { size_t i = (get_global_id(2) * get_global_size(1) + "
      "get_global_id(1)) * get_global_size(0) + get_global_id(0);" +
      body + "}");
  struct Box {
    Sizes global, local;
  };
  for (const Box& box : {Box{{256}, {4}}, Box{{256}, {1}}, Box{{64}, {64}}, Box{{16, 8}, {4, 2}},
                         Box{{12, 4, 2}, {2, 2, 1}}}) {
    auto sizeOf = [](const Sizes& sizes, size_t d) { return d < sizes.size() ? sizes[d] : 1; };
    std::vector<T> wanted;
    for (uint64_t z = 0; z < sizeOf(box.global, 2); ++z)
      for (uint64_t y = 0; y < sizeOf(box.global, 1); ++y)
        for (uint64_t x = 0; x < box.global[0]; ++x) {
          std::array<uint64_t, 3> id{x, y, z}, group{}, local{};
          for (size_t d = 0; d < 3; ++d) {
            local[d] = id[d] % sizeOf(box.local, d);
            group[d] = id[d] / sizeOf(box.local, d);
          }
          wanted.push_back(expected(id, group, local));
        }
    std::vector<T> out(wanted.size());
    std::vector<int> ones(wanted.size(), 1);
    Launch(program, "k")
        .range(box.global, box.local)
        .buffer(out)
        .buffer(ones)
        .value(uint32_t{0})
        .inEveryForm([&](const Outcome&) {
          EXPECT_EQ(out, wanted) << body << ", " << box.global[0] << " in " << box.local[0];
        });
  }
}

using Box = const std::array<uint64_t, 3>&;

TEST(PassContracts, GroupsThatAreReadAsVectorsAreTheirOwn) {
  using Pair = std::array<int, 2>;
  using Long = std::array<uint64_t, 2>;
  using Four = std::array<uint64_t, 4>;
  runInBoxes<Pair>("int2", "out[i] = (int2)(get_group_id(0), get_group_id(1));",
                   [](Box, Box group, Box) {
                     return Pair{static_cast<int>(group[0]), static_cast<int>(group[1])};
                   });
  runInBoxes<Long>("ulong2", "out[i] = (ulong2)(get_group_id(0), get_group_id(1));",
                   [](Box, Box group, Box) { return Long{group[0], group[1]}; });
  runInBoxes<Long>("ulong2", "out[i] = (ulong2)(get_group_id(1), get_group_id(0));",
                   [](Box, Box group, Box) { return Long{group[1], group[0]}; });
  runInBoxes<Long>("ulong2", "out[i] = (ulong2)(get_global_id(0), get_global_id(1));",
                   [](Box id, Box, Box) { return Long{id[0], id[1]}; });
  runInBoxes<Four>("ulong4",
                   "out[i] = (ulong4)(get_group_id(0), get_group_id(1), get_group_id(2), 7);",
                   [](Box, Box group, Box) { return Four{group[0], group[1], group[2], 7}; });
  runInBoxes<Four>("ulong4",
                   "out[i] = (ulong4)(get_global_id(0), get_global_id(1), get_global_id(2), "
                   "get_group_id(0));",
                   [](Box id, Box group, Box) { return Four{id[0], id[1], id[2], group[0]}; });
  runInBoxes<Four>("ulong4",
                   "out[i] = (ulong4)(get_group_id(0), get_group_id(1), get_global_id(0), "
                   "get_global_id(1));",
                   [](Box id, Box group, Box) { return Four{group[0], group[1], id[0], id[1]}; });
  runInBoxes<Four>("ulong4",
                   "out[i] = (ulong4)(get_group_id(0) * 3 + 1, get_group_id(1) * 3 + 1, "
                   "get_group_id(2) * 3 + 1, 1) + (ulong4)(get_local_id(0));",
                   [](Box, Box group, Box local) {
                     return Four{group[0] * 3 + 1 + local[0], group[1] * 3 + 1 + local[0],
                                 group[2] * 3 + 1 + local[0], 1 + local[0]};
                   });
}

TEST(PassContracts, GroupsThatAreAskedForInOddWaysAreTheirOwn) {
  runInBoxes<int>("int", "out[i] = get_group_id(d) * ones[i];",
                  [](Box, Box group, Box) { return static_cast<int>(group[0]); });
  runInBoxes<int>("int", "out[i] = get_group_id(d) + get_group_id(0) * 2 + mine(d) * 4;",
                  [](Box, Box group, Box) { return static_cast<int>(group[0] * 7); });
  runInBoxes<int>("int", "out[i] = mine(ones[i] - 1) + get_group_id(ones[i] - 1);",
                  [](Box, Box group, Box) { return static_cast<int>(group[0] * 2); });
  runInBoxes<int>(
      "int",
      "int sum = 0; for (uint e = 0; e <= d; ++e) sum += get_group_id(e) + ones[i + e]; "
      "out[i] = sum;",
      [](Box, Box group, Box) { return static_cast<int>(group[0] + 1); });
  runInBoxes<uint8_t>("uchar", "out[i] = (uchar)get_group_id(0) + (uchar)(get_group_id(0) >> 8);",
                      [](Box, Box group, Box) { return static_cast<uint8_t>(group[0]); });
  runInBoxes<int>("int", "out[i] = (int)(get_group_id(0) >> 32) + (int)(get_global_id(0) >> 3);",
                  [](Box id, Box, Box) { return static_cast<int>(id[0] >> 3); });
}

// LLVM's straight-line vectoriser puts vectors together of elements of others, of values that occur
// several times, and of constants, of which it lost the last.
TEST(PassContracts, ConstantsAmongElementsOfVectorsAreKept) {
  const auto program = build(
      "kernel void k(global uchar* out, global const uchar* a, global const uchar* b, uchar s) { "
      "size_t i = get_global_id(0); uchar8 x = vload8(i, a), y = vload8(i, b); "
      "global uchar* p = out + 8 * i; p[0] = x.s0; p[1] = s; p[2] = s; p[3] = s; p[4] = y.s0; "
      "p[5] = s; p[6] = 85; p[7] = s; }");
  std::vector<uint8_t> a(8 * 100), b(a.size()), out(a.size()), wanted(a.size());
  constexpr uint8_t kSame = 5;
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<uint8_t>(i);
    b[i] = static_cast<uint8_t>(i * 3);
  }
  for (size_t i = 0; i < wanted.size(); i += 8) {
    const uint8_t values[] = {a[i], kSame, kSame, kSame, b[i], kSame, 85, kSame};
    std::copy(std::begin(values), std::end(values), wanted.begin() + static_cast<ptrdiff_t>(i));
  }
  Launch(program, "k")
      .range({a.size() / 8}, {50})
      .buffer(out)
      .buffer(a)
      .buffer(b)
      .value(kSame)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
}

}  // namespace
// The lower of two lanes in one register lost its mask, if they had been extended from 16 bits and
// the address was put together of parts from before a branch.
TEST(PassContracts, LanesOfAddressesAreCutApart) {
  const auto program = build(
      "kernel void k(global uint* out, global const double* in, global uint* sums) { "
      "size_t i = get_global_id(0); uint p[8] = {1, 2, 3, 4, 5, 6, 7, 8}; private uint* q = &p[3]; "
      "barrier(CLK_LOCAL_MEM_FENCE); p[0] = 9; "
      "if (in[i] > 1e6) atomic_add(&sums[4], 1u); "
      "q[((short)(convert_short_sat(in[i]) & (short)1) > (short)0 ? 2u : 4u) & 3u] = 100; "
      "barrier(CLK_LOCAL_MEM_FENCE); uint sum = 0; "
      "for (int j = 0; j < 8; ++j) sum = sum * 3 + p[j]; out[i] = sum; }");
  std::vector<double> in(122);
  std::vector<uint32_t> out(in.size()), sums(8), wanted(in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<double>(i * 7 % 10) + 0.5;
    uint32_t p[8] = {9, 2, 3, 4, 5, 6, 7, 8};
    p[3 + (i * 7 % 10 % 2 != 0 ? 2 : 0)] = 100;
    for (const uint32_t each : p) wanted[i] = wanted[i] * 3 + each;
  }
  Launch(program, "k")
      .range({in.size()}, {in.size()})
      .buffer(out)
      .buffer(in)
      .buffer(sums)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
}

}  // namespace weft::test
