// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one pass takes for granted and another changes: blocks that more has been merged into, loads
// that have become parts of wider ones, values that only some work-items have.
#include <functional>
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

/// Runs `kernel void k(global int* x, global int* y, int n) { BODY }`, with `i`, `l`, `g` and `size`
/// as above and `local int L[256]`, in every form, for several shapes and limits `n`. Where x and y
/// are not written they keep -1.
void run(const std::string& body,
         const std::function<void(const Item&, int n, int& x, int& y)>& expected) {
  const auto program = build(
      "kernel void k(global int* x, global int* y, int n) { local int L[256]; "
      "int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0), size = "
      "get_local_size(0);\n" +
      body + "}");
  for (const auto [items, group] : kShapes) {
    for (const int n : {0, 1, 50, static_cast<int>(items), static_cast<int>(items) + 5}) {
      std::vector<int> x(items, -1), y(items, -1), wantedX(items, -1), wantedY(items, -1);
      for (int i = 0; i < static_cast<int>(items); ++i) {
        const int size = static_cast<int>(group);
        expected({i, i % size, i / size, size}, n, wantedX[i], wantedY[i]);
      }
      Launch(program, "k")
          .range({items}, {group})
          .buffer(x)
          .buffer(y)
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

}  // namespace
}  // namespace weft::test
