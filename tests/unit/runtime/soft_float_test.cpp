// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exec/soft_float.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace weft::runtime {
namespace {

template <class T>
void expectSame(T got, T expected, const char* what, T input) {
  if (std::isnan(expected)) {
    ASSERT_TRUE(std::isnan(got)) << what << " of " << input;
    return;
  }
  ASSERT_EQ(got, expected) << what << " of " << input;
  ASSERT_EQ(std::signbit(got), std::signbit(expected)) << what << " of " << input;
}

/// Numbers of all exponents, small whole ones and halves, and the special ones.
template <class T>
class Numbers {
 public:
  T next() {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    constexpr T kSpecial[] = {0,
                              T(-0.0),
                              1,
                              -1,
                              T(0.5),
                              T(-2.5),
                              std::numeric_limits<T>::infinity(),
                              std::numeric_limits<T>::quiet_NaN(),
                              std::numeric_limits<T>::denorm_min(),
                              -std::numeric_limits<T>::min(),
                              std::numeric_limits<T>::max()};
    switch (engine_() % 8) {
      case 0:
        return kSpecial[engine_() % std::size(kSpecial)];
      case 1:
        return T(static_cast<int>(engine_() % 4001) - 2000) / 2;
      case 2:
      case 3:
        return std::ldexp(T(1) + T(engine_() % 1024) / 1024, static_cast<int>(engine_() % 60) - 30);
      default:
        return std::bit_cast<T>(static_cast<Bits>(engine_()));
    }
  }
  bool coin() { return (engine_() & 1) != 0; }

 private:
  std::mt19937_64 engine_{7};
};

constexpr int kRounds = 200000;

TEST(SoftFloat, FmaRoundsOnce) {
  Numbers<double> doubles;
  Numbers<float> floats;
  for (int i = 0; i < kRounds; ++i) {
    const double a = doubles.next();
    const double b = doubles.next();
    const double c = doubles.coin() ? doubles.next() : -a * b;
    expectSame(soft::fma(a, b, c), std::fma(a, b, c), "fma", a);
    const float x = floats.next();
    const float y = floats.next();
    const float z = floats.coin() ? floats.next() : -x * y;
    expectSame(soft::fmaf(x, y, z), std::fma(x, y, z), "fmaf", x);
    if (HasFatalFailure()) FAIL() << a << " " << b << " " << c << ", " << x << " " << y << " " << z;
  }
}

TEST(SoftFloat, RoundingToWholeNumbers) {
  Numbers<double> doubles;
  Numbers<float> floats;
  for (int i = 0; i < kRounds && !HasFatalFailure(); ++i) {
    const double x = doubles.next();
    expectSame(soft::floor(x), std::floor(x), "floor", x);
    expectSame(soft::ceil(x), std::ceil(x), "ceil", x);
    expectSame(soft::trunc(x), std::trunc(x), "trunc", x);
    expectSame(soft::round(x), std::round(x), "round", x);
    expectSame(soft::rint(x), std::rint(x), "rint", x);
    const float y = floats.next();
    expectSame(soft::floorf(y), std::floor(y), "floorf", y);
    expectSame(soft::ceilf(y), std::ceil(y), "ceilf", y);
    expectSame(soft::truncf(y), std::trunc(y), "truncf", y);
    expectSame(soft::roundf(y), std::round(y), "roundf", y);
    expectSame(soft::rintf(y), std::rint(y), "rintf", y);
  }
}

}  // namespace
}  // namespace weft::runtime
