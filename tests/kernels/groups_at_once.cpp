// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait for their own results, for which several lane groups run at once.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

/// Ranges of no, one, two and three lane groups and a part of one, in rows and planes.
const std::vector<std::pair<Sizes, Sizes>> kRanges{
    {{50}, {50}},   {{64}, {64}}, {{200}, {8}},         {{192}, {192}},
    {{256}, {256}}, {{333}, {1}}, {{130, 3}, {130, 1}}, {{64, 2, 3}, {64, 2, 1}}};

/// Runs `k` with `times` iterations of `STEP`, and compares with `step`.
template <class T, class Step>
void check(const char* type, const std::string& body, std::vector<T> factors, Step step) {
  const auto program = build(std::string("typedef ") + type + " T;\n" + R"(
    kernel void k(global const T* in, global T* out, constant T* factors, int times) {
      size_t i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) +
                 get_global_id(0);
      T x = in[i], y = (T)i;
      out[i] = x - y;
      for (int t = 0; t < times; ++t) { )" +
                             body + R"( }
      out[i] += x * 2 + y; })");
  for (const auto& [global, local] : kRanges) {
    size_t items = 1;
    for (const size_t size : global) items *= size;
    std::vector<T> in(items);
    for (size_t i = 0; i < items; ++i) in[i] = static_cast<T>(i * 7 % 31);
    for (const int times : {0, 1, 2, 9}) {
      std::vector<T> out(items);
      Launch(program, "k")
          .range(global, local)
          .buffer(in)
          .buffer(out)
          .buffer(factors)
          .value(times)
          .inEveryForm([&](const Outcome&) {
            for (size_t i = 0; i < items; ++i) {
              T x = in[i], y = static_cast<T>(i);
              const auto first = static_cast<T>(x - y);
              for (int t = 0; t < times; ++t) step(x, y, t);
              ASSERT_EQ(out[i], static_cast<T>(first + static_cast<T>(x * 2 + y)))
                  << type << ", item " << i << " of " << items << ", " << times << " times";
            }
          });
    }
  }
}

// In 16 bits wherever registers have 256, in 32 where they have 512.
TEST(GroupsAtOnce, Shorts) {
  const std::vector<cl_ushort> factors(9, 3);
  check<cl_ushort>("ushort", "y = y * x + 5; x = x * y + 3;", factors,
                   [](cl_ushort& x, cl_ushort& y, int) {
                     y = static_cast<cl_ushort>(uint32_t{y} * x + 5);
                     x = static_cast<cl_ushort>(uint32_t{x} * y + 3);
                   });
}

TEST(GroupsAtOnce, IntsWithATable) {
  const std::vector<cl_uint> factors{3, 1, 4, 1, 5, 9, 2, 6, 5};
  check<cl_uint>("uint", "y = y * factors[t] + x; x = x * y + t;", factors,
                 [&](cl_uint& x, cl_uint& y, int t) {
                   y = y * factors[static_cast<size_t>(t)] + x;
                   x = x * y + static_cast<cl_uint>(t);
                 });
}

TEST(GroupsAtOnce, FloatsInTwoChains) {
  const std::vector<cl_float> factors(9, 0.5F);
  check<cl_float>("float", "y = y * 0.5f + 1; x = x * 0.25f - 2;", factors,
                  [](cl_float& x, cl_float& y, int) {
                    y = y * 0.5F + 1;
                    x = x * 0.25F - 2;
                  });
}

}  // namespace
}  // namespace weft::test
