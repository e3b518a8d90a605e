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

/// By one number for all work-items of a row, which may be any.
template <class T>
void divideByOne(const std::string& type) {
  using Limits = std::numeric_limits<T>;
  const auto program =
      build("kernel void k(global const " + type + "* a, global const " + type + "* b, global " +
            type + "* q, global " + type +
            "* r) { size_t j = get_global_id(1), i = j * 400 + get_global_id(0); " + type +
            " y = b[j]; q[i] = a[i] / y; r[i] = a[i] % y; }");
  constexpr size_t kDividends = 400;
  std::mt19937_64 random(8);
  std::vector<T> b;
  for (const int64_t each : {1, 2, 3, 5, 7, 10, 100, 127})
    for (const int64_t signedOne : {each, -each}) b.push_back(static_cast<T>(signedOne));
  for (int64_t i = 0; i < 8; ++i) {
    b.push_back(static_cast<T>(Limits::max() - i));
    b.push_back(static_cast<T>(Limits::max() / 2 - i + 4));
    b.push_back(static_cast<T>(Limits::min() + i + 1));
    b.push_back(static_cast<T>(random() >> (random() % 64) | 1));
  }
  std::vector<T> a;
  for (const T by : b)
    for (size_t i = 0; i < kDividends; ++i) {
      const auto most = static_cast<int64_t>(Limits::max()) / static_cast<int64_t>(by);
      const int64_t times = i < 40 ? most - (most > 0 ? 1 : -1) * static_cast<int64_t>(i / 3)
                                   : static_cast<int64_t>(random() >> (random() % 64));
      T one = static_cast<T>(static_cast<uint64_t>(times) * static_cast<uint64_t>(by) + i % 3 - 1);
      if (i % 50 == 49) one = i % 100 == 49 ? Limits::min() : Limits::max();
      // What has no quotient in the type.
      if (std::is_signed_v<T> && one == Limits::min() && static_cast<int64_t>(by) == -1) one = 0;
      a.push_back(one);
    }
  std::vector<T> quotients(a.size()), remainders(a.size());
  Launch(program, "k")
      .range({kDividends, b.size()}, {kDividends, 1})
      .buffer(a)
      .buffer(b)
      .buffer(quotients)
      .buffer(remainders)
      .inEveryForm([&](const Outcome&) {
        for (size_t i = 0; i < a.size(); ++i) {
          const T by = b[i / kDividends];
          ASSERT_EQ(quotients[i], static_cast<T>(a[i] / by)) << +a[i] << " / " << +by;
          ASSERT_EQ(remainders[i], static_cast<T>(a[i] % by)) << +a[i] << " % " << +by;
        }
      });
}

/// What follows of a division is folded while there are blocks ahead that are yet to be written.
TEST(Division, OfOneAndWhatFollows) {
  const auto program = build(R"(
    kernel void k(global const int* a, global int* one, global uint* out) {
      size_t i = get_global_id(0);
      switch (1 % a[i]) {
        case 0: one[i] = 5;
        case 1: out[i] = 1 % (uint)a[i] == 0;
      }
    })");
  std::vector<int> a, one(300), ones;
  std::vector<unsigned> out(300), expected;
  for (int i = 0; i < 300; ++i) {
    a.push_back(i % 7 > 3 ? 1 - 2 * (i & 1) : i - 1000);
    ones.push_back(a.back() == 1 || a.back() == -1 ? 5 : 0);
    expected.push_back(a.back() == 1);
  }
  Launch(program, "k")
      .range(300)
      .buffer(a)
      .buffer(one)
      .buffer(out)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(one, ones);
        EXPECT_EQ(out, expected);
      });
}

/// Rows and columns of an index of one dimension, with neighbours: what puts them together again.
TEST(Division, AndBackToTheDividend) {
  for (const char* type : {"int", "uint", "long", "ulong"}) {
    const auto program = build(R"(
      kernel void k(global const int* in, global int* out, TYPE w, int n) {
        TYPE i = get_global_id(0), y = i / w, x = i % w;
        int sum = in[y * w + x];
        if (x > 0 && y > 1) sum += in[(y - 2) * w + x - 1] * 3;
        if (i + w < n) sum -= in[(size_t)w + (size_t)y * w + x];
        TYPE z = y / 5, v = y % 5;
        out[(z * 5 + v) * w + x] = sum + (int)(x * 100 + y);
      })",
                               std::string("-DTYPE=") + type);
    for (const int w : {1, 7, 33, 256, 5000}) {
      SCOPED_TRACE(std::string(type) + " " + std::to_string(w));
      constexpr int kCount = 1200;
      std::vector<int> in, out(kCount), expected;
      for (int i = 0; i < kCount; ++i) in.push_back(i * i % 1013);
      const auto at = [&](int i) { return in[static_cast<size_t>(i)]; };
      for (int i = 0; i < kCount; ++i) {
        const int y = i / w, x = i % w;
        int sum = at(i);
        if (x > 0 && y > 1) sum += at(i - 2 * w - 1) * 3;
        if (i + w < kCount) sum -= at(i + w);
        expected.push_back(sum + x * 100 + y);
      }
      Launch launch(program, "k");
      launch.range(kCount).buffer(in).buffer(out);
      if (std::string_view(type).ends_with("long"))
        launch.value(int64_t{w});
      else
        launch.value(w);
      launch.value(kCount).inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
    }
  }
}

TEST(Division, ByOneNumberForARowIsExact) {
  divideByOne<int8_t>("char");
  divideByOne<uint8_t>("uchar");
  divideByOne<int16_t>("short");
  divideByOne<uint16_t>("ushort");
  divideByOne<int32_t>("int");
  divideByOne<uint32_t>("uint");
}

/// Two quotients by each divisor, which is what reciprocals are for.
template <class T>
void divideTwice(const std::string& type, const std::string& options) {
  const auto program =
      build("kernel void k(global const " + type + "* a, global const " + type + "* b, global " +
                type + "* q, global " + type + "* h) { size_t i = get_global_id(0); " + type +
                " x = a[i], y = b[i]; q[i] = x / y; h[i] = (x >> 1) / y; }",
            options);
  std::vector<T> b;
  std::vector<T> a = dividends(b);
  std::vector<T> quotients(a.size()), halves(a.size());
  Launch(program, "k")
      .range(a.size())
      .buffer(a)
      .buffer(b)
      .buffer(quotients)
      .buffer(halves)
      .inEveryForm([&](const Outcome&) {
        for (size_t i = 0; i < a.size(); ++i) {
          ASSERT_EQ(quotients[i], static_cast<T>(a[i] / b[i])) << +a[i] << " / " << +b[i];
          ASSERT_EQ(halves[i], static_cast<T>((a[i] >> 1) / b[i])) << +a[i] << " >> 1 / " << +b[i];
        }
      });
}

/// Options that let arithmetic in floating point be less exact. They say nothing of integers.
class DivisionUnder : public testing::TestWithParam<std::string> {};

TEST_P(DivisionUnder, IsExact) {
  divideTwice<int8_t>("char", GetParam());
  divideTwice<uint16_t>("ushort", GetParam());
  divideTwice<int32_t>("int", GetParam());
  divideTwice<uint32_t>("uint", GetParam());
}

TEST_P(DivisionUnder, IsExactByOneNumberForAll) {
  const auto program = build(R"(
    kernel void ints(global int* r, int w) {
      int i = get_global_id(0);
      r[i] = (i + 1) / w * 7 + i / w;
    }
    __attribute__((noinline)) int outOfLine(int i, int w) { return (i + 1) / w * 7 + i / w; }
    kernel void calls(global int* r, int w) { r[get_global_id(0)] = outOfLine(get_global_id(0), w); }
    kernel void shorts(global int* r, int w) {
      short i = get_global_id(0), v = w;
      r[i] = (short)((short)(i + 1) / v) * 7 + (short)(i / v);
    })",
                             GetParam());
  std::vector<int32_t> r(4096);
  for (const char* kernel : {"ints", "calls", "shorts"})
    for (const int w : {3, 7, 49, 4095})
      Launch(program, kernel).range(r.size()).buffer(r).value(w).inEveryForm([&](const Outcome&) {
        for (int i = 0; i < 4096; ++i) ASSERT_EQ(r[i], (i + 1) / w * 7 + i / w) << i << " / " << w;
      });
}

// The program's quotient of the same two numbers may be less exact.
TEST_P(DivisionUnder, IsExactBesideDivisionInFloatingPoint) {
  const auto program = build(R"(
    kernel void k(global int* r, int w, global double* q) {
      int i = get_global_id(0);
      q[i] = (double)(i + 1) / (double)w;
      r[i] = (i + 1) / w * 7 + i / w;
    })",
                             GetParam());
  std::vector<int32_t> r(4096);
  std::vector<double> q(r.size());
  for (const int w : {3, 49, 4095})
    Launch(program, "k")
        .range(r.size())
        .buffer(r)
        .value(w)
        .buffer(q)
        .unordered()
        .inEveryForm([&](const Outcome&) {
          for (int i = 0; i < 4096; ++i) {
            ASSERT_EQ(r[i], (i + 1) / w * 7 + i / w) << i << " / " << w;
            ASSERT_NEAR(q[i], (i + 1.0) / w, 1e-12 * (i + 1));
          }
        });
}

INSTANTIATE_TEST_SUITE_P(Options, DivisionUnder,
                         testing::Values("-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations",
                                         "-cl-finite-math-only -cl-no-signed-zeros -cl-mad-enable",
                                         "-cl-denorms-are-zero -cl-single-precision-constant"));

}  // namespace
}  // namespace weft::test
