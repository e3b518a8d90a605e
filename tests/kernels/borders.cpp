// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work-items at the borders of rows, and those between: what they ask of ids, in all ways, for
// limits within the range, behind it and before it. Every launch runs in all forms, which have to
// agree with fibers of one lane.
#include <gtest/gtest.h>

#include <climits>
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

constexpr int kMost = 1600, kPad = 8;
/// Of which bodies can still subtract something.
constexpr int kLeastLimit = INT_MIN + 8;

const std::string kBodies[] = {
    "r = i - 2 >= 0 && i + 3 < n ? in[i + 3] - in[i - 2] : 7;",
    "r = (i >= 2 ? in[i - 2] : 1) + (i + 1 < n ? in[i + 1] : 2) + (i + 3 < n ? in[i + 3] : 3);",
    "if (i < 2 || i >= n - 5) { out[i] = in[i]; return; } r = in[i - 1] * 3 + in[i + 1];",
    "if (2 < i) { if (n - 3 > i) r = in[i + 3]; else r = -in[i - 3]; }",
    "if ((uint)i < (uint)n) r = in[i]; if ((uint)(i - 1) < (uint)n) r += in[i + 1];",
    "if ((long)i + 2 < (long)n) r = in[i + 2]; if (get_global_id(0) >= (size_t)n) r += 5;",
    "for (int j = -2; j <= 2; ++j) if (i + j >= 0 && i + j < n) r += in[i + j] * (j + 3);",
    "for (int j = 0; j < 4; ++j) { if (i > 70) r += in[i - j]; if (i < n) r ^= in[i + j]; }",
    "if (i > n) return; if (i <= 3) r = 1; else if (i + 2 <= n) r = in[i + 2]; else r = 9;",
    "if (!(i < 4) != (i < n)) r = in[i + 1]; if (i < n && in[i] > 40) r += in[i + 2];",
    "if (i + 1073741823 < n) r = in[i]; if (i - 1073741823 < n) r += in[i + 1];",
    "r = in[clamp(i - 2, 0, max(n - 1, 0)) & 1023] + in[clamp(i + 3, 0, max(n - 1, 0)) & 1023];",
    "r = in[min(i + 2, n) & 1023] + in[max(i - 3, 2)] * 3 + in[max(i, n) & 1023];",
    "r = max(i - 5, n) ^ min(i + 7, max(i - 1, 4)) ^ (min(n, i) << 3) ^ max(3 - i, -20);",
    "r = (int)min((uint)i, (uint)n) + (int)max((uint)(i - 1), 9u); if (max(i - 1, 0) < n) r += "
    "in[i];",
    "for (int j = -3; j < 4; ++j) r = r * 3 + (i + j >= 0 && i + j < n ? in[i + j] : 5);",
    "for (int j = -1; j <= 1; ++j) r += in[clamp(i + j * 2, 0, max(n - 1, 0)) & 1023] * (j + 2);",
    "for (int j = 0; j < 3; ++j) for (int h = 0; h < 2; ++h) if (i + j + h < n) r += in[i + j];",
    "r = i == 0 || i == n - 1 ? 3 : in[i - 1] + in[i + 1]; if (i != 2 && n != i) r *= 5;",
    "if (i - 3 == 0 || i + 4 == n) r = in[i]; else if (i == 70 || i != m) r = in[i + 2];",
    "if (i == n) r = in[i + 2];",
    "r = n - 1 != i ? in[i + 1] : 11;",
    "r = (int)((uint)i + (uint)n) > 5 ? in[i + 1] : 3;",
    "r = (int)((uint)n - (uint)i) < -5 ? in[i + 1] : 3;",
    "if (i < 100000) r = in[i]; if (i + 5 > 1000) r += in[i + 1]; if (i < m) r += 3;",
};

struct Range {
  uint64_t items, group, offset;
};

/// Launches kernels of one body, for limits in ranges.
class Bodies {
 public:
  Bodies() : in_(kMost + 2 * kPad), out_(kMost) {
    for (size_t k = 0; k < in_.size(); ++k) in_[k] = static_cast<int>(k * 13 % 97);
  }

  void launch(const Program& program, const Range& range, int limit) {
    SCOPED_TRACE(std::to_string(range.items) + " from " + std::to_string(range.offset) +
                 " in groups of " + std::to_string(range.group) + ", limit " +
                 std::to_string(limit));
    std::ranges::fill(out_, -1);
    Launch(program, "k")
        .range({range.items}, {range.group}, {range.offset})
        .buffer(in_)
        .buffer(out_)
        .value(limit)
        .value(int{20})
        .inEveryForm([](const Outcome&) {});
  }

 private:
  std::vector<int> in_, out_;
};

const std::string kStart =
    "kernel void k(global const int* in, global int* out, int n, int m) { in += 8;"
    " int i = get_global_id(0); ";

TEST(Borders, WorkItemsBetweenThemDoAsThoseBeyond) {
  const std::vector<int> limits{0,   1,   3,       64, 65,      500,        776,
                                777, 778, 100'000, -5, INT_MAX, kLeastLimit};
  const std::vector<Range> ranges{{1, 1, 0}, {64, 1, 0}, {130, 1, 3}, {777, 1, 0}, {600, 1, 200}};
  Bodies bodies;
  for (const std::string& body : kBodies) {
    SCOPED_TRACE(body);
    const auto program = build(kStart + "int r = 0; " + body + " out[i] = r; }");
    size_t turn = 0;
    for (const Range& range : ranges)
      for (const int limit : limits)
        // All limits in two ranges, one in three in the others.
        if (range.items >= 500 || turn++ % 3 == 0) bodies.launch(program, range, limit);
  }
}

// The same of work-items that meet at a barrier: groups that are all between the borders run other
// code than those at one. Groups are shorter at the end of a range.
TEST(Borders, GroupsBetweenThemDoAsThoseBeyond) {
  const std::vector<int> limits{0, 3, 64, 65, 500, 776, 777, 100'000, -5, INT_MAX, kLeastLimit};
  const std::vector<Range> ranges{{777, 64, 0}, {600, 24, 200}};
  Bodies bodies;
  size_t turn = 0;
  for (const std::string& body : kBodies) {
    SCOPED_TRACE(body);
    const auto program = build(kStart +
                               "local int all[64]; int l = get_local_id(0); all[l] = in[i];"
                               " barrier(CLK_LOCAL_MEM_FENCE); int r = all[l / 2]; " +
                               body + " out[i] = r; }");
    for (const Range& range : ranges)
      for (const int limit : limits)
        // All limits in one range, one in three, others for the next body, in the other one.
        if (range.offset == 0 || turn++ % 3 == 0) bodies.launch(program, range, limit);
  }
}

// Rows of two dimensions, whose own borders are conditions that all work-items of a row share.
TEST(Borders, OfPlanes) {
  const auto program = build(R"(
    kernel void k(global const float* in, global float* out, int w, int h) {
      int x = get_global_id(0), y = get_global_id(1);
      if (x >= w || y >= h) return;
      if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2) { out[y * w + x] = in[y * w + x]; return; }
      float sum = 0;
      for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) sum += in[(y + dy) * w + x + dx] * (dx + 3 * dy);
      out[y * w + x] = sum;
    })");
  constexpr int kWidth = 213, kHeight = 9;
  std::vector<float> in(size_t{kWidth} * kHeight), out(in.size()), expected = in;
  for (size_t k = 0; k < in.size(); ++k) in[k] = static_cast<float>(k * 13 % 31);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const auto at = [&](int dx, int dy) {
        return in[static_cast<size_t>((y + dy) * kWidth + x + dx)];
      };
      float& result = expected[static_cast<size_t>(y * kWidth + x)];
      result = at(0, 0);
      if (x < 2 || y < 2 || x >= kWidth - 2 || y >= kHeight - 2) continue;
      result = 0;
      for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) result += at(dx, dy) * static_cast<float>(dx + 3 * dy);
    }
  for (const Sizes& global : {Sizes{kWidth, kHeight}, Sizes{256, 12}})
    Launch(program, "k")
        .range(global, {1, 1})
        .buffer(in)
        .buffer(out)
        .value(kWidth)
        .value(kHeight)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

}  // namespace
}  // namespace weft::test
