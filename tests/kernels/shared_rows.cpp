// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels without barriers whose rows of work-items read the same in a loop, with the conditions
// that ranges are rounded up for: products of matrices of all sizes, in ranges with offsets, with
// limits of every kind, and groups that are within them, at their ends and beyond.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

/// Which work-items do anything, in OpenCL C and in C++; of ids x and y, and the size of the
/// product, w by h.
struct Condition {
  const char* name;
  const char* text;
  bool (*holds)(int x, int y, int w, int h);
};

constexpr Condition kConditions[] = {
    {"And", "x < w && y < h", [](int x, int y, int w, int h) { return x < w && y < h; }},
    {"NotOr", "!(x >= w || h <= y)", [](int x, int y, int w, int h) { return x < w && y < h; }},
    {"UpToIncluded", "x <= w - 1 && y <= h - 1",
     [](int x, int y, int w, int h) { return x < w && y < h; }},
    {"Unsigned", "(uint)x < (uint)w && (uint)y < (uint)h",
     [](int x, int y, int w, int h) { return x < w && y < h; }},
    {"Inside", "x > 2 && x < w - 2 && y >= 1 && y < h - 1",
     [](int x, int y, int w, int h) { return x > 2 && x < w - 2 && y >= 1 && y < h - 1; }},
    {"AndOfTheGroup", "x < w && y < h && w > 3",
     [](int x, int y, int w, int h) { return x < w && y < h && w > 3; }},
    {"Outside", "(x >= w || y >= h) && y < h + 7 && x < w + 9",
     [](int x, int y, int w, int h) { return (x >= w || y >= h) && y < h + 7 && x < w + 9; }},
    {"OfOneId", "y < h && x < w + 9",
     [](int x, int y, int w, int h) { return y < h && x < w + 9; }},
};

class SharedRows : public testing::TestWithParam<Condition> {
 protected:
  static constexpr int kDepth = 37, kWide = 80, kHigh = 70;

  static int left(int y, int k) { return (y * 7 + k * 3) % 23 - 9; }
  static int right(int k, int x) { return (k * 5 + x * 11) % 19 - 6; }

  struct Ranges {
    std::array<uint64_t, 2> global, local, offset;
  };

  void check(const Program& program, int w, int h, const Ranges& ranges) {
    std::vector<int> a, b, out(kWide * kHigh, -7), expected(out);
    for (int y = 0; y < kHigh; ++y)
      for (int k = 0; k < kDepth; ++k) a.push_back(left(y, k));
    for (int k = 0; k < kDepth; ++k)
      for (int x = 0; x < kWide; ++x) b.push_back(right(k, x));
    const auto [global, local, offset] = ranges;
    for (uint64_t y = offset[1]; y < offset[1] + global[1]; ++y)
      for (uint64_t x = offset[0]; x < offset[0] + global[0]; ++x) {
        const int column = static_cast<int>(x), row = static_cast<int>(y);
        if (!GetParam().holds(column, row, w, h) || column >= kWide || row >= kHigh) continue;
        int sum = 0;
        for (int k = 0; k < kDepth; ++k) sum += left(row, k) * right(k, column);
        expected[y * kWide + x] = sum;
      }
    Launch(program, "k")
        .range({global[0], global[1]}, {local[0], local[1]}, {offset[0], offset[1]})
        .buffer(out)
        .buffer(a)
        .buffer(b)
        .value(w)
        .value(h)
        .value(kDepth)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected) << w << " x " << h; });
  }

  static constexpr Ranges kRanges[] = {{{64, 64}, {16, 16}, {0, 0}},
                                       {{64, 64}, {32, 8}, {0, 0}},
                                       {{48, 60}, {8, 4}, {5, 3}},
                                       {{64, 8}, {64, 4}, {0, 0}}};
};

TEST_P(SharedRows, Products) {
  const Program program = build(R"(
    kernel void k(global int* out, global const int* a, global const int* b, int w, int h, int n) {
      int x = get_global_id(0), y = get_global_id(1);
      if (()" + std::string(GetParam().text) +
                                R"() && x < 80 && y < 70) {
        int sum = 0;
        for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * 80 + x];
        out[y * 80 + x] = sum;
      }
    })");
  for (const Ranges& ranges : kRanges)
    for (const auto [w, h] :
         {std::array{64, 64}, std::array{61, 50}, std::array{2, 70}, std::array{80, 1}})
      check(program, w, h, ranges);
}

TEST_P(SharedRows, ProductsBehindAReturn) {
  const Program program = build(R"(
    kernel void k(global int* out, global const int* a, global const int* b, int w, int h, int n) {
      size_t x = get_global_id(0), y = get_global_id(1);
      if (x >= 80) return;
      if (y >= 70) return;
      if (!)" + std::string("(") +
                                GetParam().text + R"()) return;
      int sum = 0;
      for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * 80 + x];
      out[y * 80 + x] = sum;
    })");
  // Of ids as they are, w and h are compared as unsigned numbers of 64 bits.
  for (const Ranges& ranges : kRanges)
    for (const auto [w, h] : {std::array{64, 64}, std::array{61, 50}, std::array{40, 70}})
      check(program, w, h, ranges);
}

INSTANTIATE_TEST_SUITE_P(Conditions, SharedRows, testing::ValuesIn(kConditions),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace weft::test
