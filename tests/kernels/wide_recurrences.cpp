// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that carry more vectors of the program from iteration to iteration than there are
// registers.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

constexpr size_t kItems = 75, kComponents = 16;
constexpr int kTimes = 11;

using Numbers = std::array<uint32_t, kComponents>;

/// The first values of the components that differ from work-item to work-item, and of the others.
constexpr Numbers kFactors{3, 7, 1, 11, 5, 13, 9, 15, 21, 17, 19, 23, 29, 25, 31, 27};
constexpr Numbers kFirst{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

std::string text(const Numbers& numbers) {
  std::string list;
  for (const uint32_t number : numbers) list += (list.empty() ? "" : ", ") + std::to_string(number);
  return "(uint16)(" + list + ")";
}

/// Stores of each component, of all work-items side by side: vectors that are stored whole would
/// stay whole in lanes.
std::string stores() {
  std::string all;
  for (size_t c = 0; c < kComponents; ++c) {
    const std::string place = "[" + std::to_string(c) + " * n + i] = ";
    const std::string component = std::string(".s") + "0123456789abcdef"[c] + ";\n";
    all += "xs" + place + "x" + component + "ys" + place + "y" + component;
  }
  return all;
}

/// Runs a loop over `x` and `y` of 16 numbers each, and compares both with what `step` makes of
/// them, one work-item's at a time.
template <class Step>
void check(const std::string& body, Step step) {
  const auto program = build(R"(
    kernel void k(global const uint* restrict in, global uint* restrict xs, global uint* restrict ys,
                  int times) {
      int i = get_global_id(0), n = get_global_size(0);
      uint16 x = (uint16)(in[i]) * )" +
                             text(kFactors) + ", y = (uint16)(i) + " + text(kFirst) + R"(;
      for (int t = 0; t < times; ++t) { )" +
                             body + " }\n" + stores() + "}");
  std::vector<uint32_t> in(kItems), xs(kItems * kComponents), ys(xs.size());
  for (size_t i = 0; i < kItems; ++i) in[i] = static_cast<uint32_t>(i * 2654435761U);
  const auto verify = [&] {
    for (size_t i = 0; i < kItems; ++i) {
      Numbers x{}, y{};
      for (size_t c = 0; c < kComponents; ++c) {
        x[c] = in[i] * kFactors[c];
        y[c] = static_cast<uint32_t>(i) + kFirst[c];
      }
      for (uint32_t t = 0; t < kTimes; ++t) step(x, y, t);
      for (size_t c = 0; c < kComponents; ++c) {
        ASSERT_EQ(xs[c * kItems + i], x[c]) << "item " << i << ", component " << c;
        ASSERT_EQ(ys[c * kItems + i], y[c]) << "item " << i << ", component " << c;
      }
    }
  };
  Launch(program, "k")
      .range(kItems)
      .buffer(in)
      .buffer(xs)
      .buffer(ys)
      .value(kTimes)
      .inEveryForm([&](const Outcome&) { verify(); });
}

TEST(WideRecurrences, OfComponents) {
  check("x = y * x + y; y = x * y + x;", [](Numbers& x, Numbers& y, uint32_t) {
    for (size_t c = 0; c < kComponents; ++c) {
      x[c] = y[c] * x[c] + y[c];
      y[c] = x[c] * y[c] + x[c];
    }
  });
}

TEST(WideRecurrences, ThatCountIterations) {
  check("x = y * x + (uint16)(t); y = x * y + x;", [](Numbers& x, Numbers& y, uint32_t t) {
    for (size_t c = 0; c < kComponents; ++c) {
      x[c] = y[c] * x[c] + t;
      y[c] = x[c] * y[c] + x[c];
    }
  });
}

TEST(WideRecurrences, OfWhichSomeDependOnEachOther) {
  check("x = y * x + y; x.s0 += y.sf; y = x * y + x; y.s3 ^= x.s7;",
        [](Numbers& x, Numbers& y, uint32_t) {
          for (size_t c = 0; c < kComponents; ++c) x[c] = y[c] * x[c] + y[c];
          x[0] += y[15];
          for (size_t c = 0; c < kComponents; ++c) y[c] = x[c] * y[c] + x[c];
          y[3] ^= x[7];
        });
}

}  // namespace
}  // namespace weft::test
