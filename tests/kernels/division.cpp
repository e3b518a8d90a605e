// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quotients and remainders of integers that are as close to the next integer as they can be.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

/// Pairs of a dividend and a divisor: multiples, what is next to them, and the ends of the type.
template <class T>
std::vector<T> dividends(std::vector<T>& divisors) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> result;
  divisors.clear();
  auto add = [&](int64_t a, int64_t b) {
    if (b == 0 || (a == int64_t{Limits::min()} && b == -1)) return;
    result.push_back(static_cast<T>(a));
    divisors.push_back(static_cast<T>(b));
  };
  std::mt19937_64 random(7);
  auto any = [&] {
    const uint64_t bits = random() >> (random() % 64);
    return static_cast<int64_t>(static_cast<T>(random() % 2 ? bits : 0 - bits));
  };
  for (int i = 0; i < 3000; ++i) {
    const int64_t b = any();
    if (b == 0) continue;
    const int64_t most = static_cast<int64_t>(Limits::max()) / b;
    const int64_t k = most == 0 ? 0 : any() % (most + (most > 0 ? 1 : -1));
    for (const int64_t step : {-1, 0, 1}) {
      const int64_t a = k * b + step;
      if (a >= int64_t{Limits::min()} && a <= int64_t{Limits::max()}) add(a, b);
    }
    add(any(), b);
    add(int64_t{Limits::max()}, b);
    add(int64_t{Limits::min()}, b);
    add(int64_t{Limits::max()}, int64_t{Limits::max()} - i % 5);
  }
  return result;
}

template <class T>
void divide(const std::string& type) {
  const auto program = build("kernel void k(global const " + type + "* a, global const " + type +
                             "* b, global " + type + "* q, global " + type +
                             "* r) { size_t i = get_global_id(0);"
                             " q[i] = a[i] / b[i]; r[i] = a[i] % b[i]; }");
  std::vector<T> b;
  std::vector<T> a = dividends(b);
  std::vector<T> quotients(a.size()), remainders(a.size());
  Launch(program, "k")
      .range(a.size())
      .buffer(a)
      .buffer(b)
      .buffer(quotients)
      .buffer(remainders)
      .inEveryForm([&](const Outcome&) {
        for (size_t i = 0; i < a.size(); ++i) {
          ASSERT_EQ(quotients[i], static_cast<T>(a[i] / b[i])) << +a[i] << " / " << +b[i];
          ASSERT_EQ(remainders[i], static_cast<T>(a[i] % b[i])) << +a[i] << " % " << +b[i];
        }
      });
}

TEST(Division, IsExactNextToMultiples) {
  divide<int8_t>("char");
  divide<uint8_t>("uchar");
  divide<int16_t>("short");
  divide<uint16_t>("ushort");
  divide<int32_t>("int");
  divide<uint32_t>("uint");
}

}  // namespace
}  // namespace weft::test
