// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exec/soft_float.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace weft::runtime::soft {
namespace {

using Wide = unsigned __int128;

constexpr int kTop = 125;  ///< bit of the first digit; leaves room for a carry
constexpr int kMinExponent = -1074;

/// (-1)^negative significand 2^exponent
struct Number {
  Wide significand;
  int exponent;
  bool negative;
};

int leadingZeros(Wide value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  return high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<uint64_t>(value));
}

/// A finite number other than zero, with its first digit anywhere.
Number split(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  const int field = static_cast<int>(bits >> 52 & 0x7ff);
  const uint64_t fraction = bits & 0xfffffffffffff;
  return {field == 0 ? fraction : fraction | uint64_t{1} << 52, (field == 0 ? 1 : field) - 1075,
          bits >> 63 != 0};
}

Number normalised(Number n) {
  const int shift = leadingZeros(n.significand) - (127 - kTop);
  return {n.significand << shift, n.exponent - shift, n.negative};
}

/// Shifts right; what falls off stays visible in the last bit.
Wide shiftRight(Wide value, int count) {
  if (count == 0) return value;
  if (count > 127) return 1;
  const bool rest = (value & ((Wide{1} << count) - 1)) != 0;
  return value >> count | (rest ? 1 : 0);
}

Number sum(Number a, Number b) {
  if (a.exponent < b.exponent) std::swap(a, b);
  b.significand = shiftRight(b.significand, a.exponent - b.exponent);
  if (a.negative == b.negative) return {a.significand + b.significand, a.exponent, a.negative};
  const bool swapped = a.significand < b.significand;
  return {swapped ? b.significand - a.significand : a.significand - b.significand, a.exponent,
          swapped ? b.negative : a.negative};
}

double powerOfTwo(int exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

/// The double nearest to a number other than zero, ties to even.
double rounded(const Number& n) {
  const int digits = 128 - leadingZeros(n.significand);
  // So many digits go: all beyond 53, and all below the least denormal.
  const int gone = std::max({digits - 53, kMinExponent - n.exponent, 0});
  Wide kept = gone > 127 ? 0 : n.significand >> gone;
  const Wide rest = gone > 127 ? n.significand : n.significand - (kept << gone);
  const Wide half = gone == 0 || gone > 127 ? 0 : Wide{1} << (gone - 1);
  if (gone != 0 && gone <= 127 && (rest > half || (rest == half && (kept & 1) != 0))) ++kept;
  // In steps that are exact: `kept` has no more digits than the result.
  auto value = static_cast<double>(static_cast<uint64_t>(kept));
  int exponent = n.exponent + gone;
  for (; exponent > 1000; exponent -= 1000) value *= powerOfTwo(1000);
  for (; exponent < -1000; exponent += 1000) value *= powerOfTwo(-1000);
  value *= powerOfTwo(exponent);
  return n.negative ? -value : value;
}

bool isFinite(double x) { return x - x == 0; }

template <class T>
T withSign(T magnitude, T sign) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
  return std::bit_cast<T>(static_cast<Bits>((std::bit_cast<Bits>(magnitude) & ~kSign) |
                                            (std::bit_cast<Bits>(sign) & kSign)));
}

/// The first number from which on all are whole.
template <class T>
constexpr T kWhole = T(uint64_t{1} << (std::numeric_limits<T>::digits - 1));

/// Whether x is whole already, or not a number.
template <class T>
bool isWhole(T x) {
  return !(x < kWhole<T> && x > -kWhole<T>);
}

template <class T>
T truncated(T x) {
  return isWhole(x) ? x : withSign(static_cast<T>(static_cast<int64_t>(x)), x);
}
template <class T>
T floored(T x) {
  const T whole = truncated(x);
  return whole > x ? whole - 1 : whole;
}
template <class T>
T raised(T x) {
  const T whole = truncated(x);
  return whole < x ? withSign(whole + 1, x) : whole;
}
template <class T>
T roundedAway(T x) {
  const T whole = truncated(x);
  const T rest = x - whole;
  if (rest >= T(0.5)) return whole + 1;
  return rest <= T(-0.5) ? whole - 1 : whole;
}
template <class T>
T roundedEven(T x) {
  if (isWhole(x)) return x;
  const T rounder = withSign(kWhole<T>, x);
  // Not to be folded into x.
  volatile T shifted = x + rounder;
  return withSign(static_cast<T>(shifted - rounder), x);
}

}  // namespace

double fma(double a, double b, double c) noexcept {
  if (!isFinite(a) || !isFinite(b) || a == 0 || b == 0) return a * b + c;
  if (!isFinite(c)) return c;
  if (c == 0) return a * b;
  const Number x = split(a);
  const Number y = split(b);
  const Number product{x.significand * y.significand, x.exponent + y.exponent,
                       x.negative != y.negative};
  const Number result = sum(normalised(product), normalised(split(c)));
  return result.significand == 0 ? 0.0 : rounded(result);
}

float fmaf(float a, float b, float c) noexcept {
  const double product = double(a) * double(b);
  const double addend = c;
  double result = product + addend;
  const double part = result - product;
  const double rest = (product - (result - part)) + (addend - part);
  // Rounded to odd, so that the rounding to float is the only one.
  if (rest != 0 && rest - rest == 0) {
    const auto bits = std::bit_cast<uint64_t>(result);
    const bool inward = (rest < 0) != (result < 0);
    result = std::bit_cast<double>((bits - (inward ? 1 : 0)) | 1);
  }
  return static_cast<float>(result);
}

double floor(double x) noexcept { return floored(x); }
double ceil(double x) noexcept { return raised(x); }
double trunc(double x) noexcept { return truncated(x); }
double round(double x) noexcept { return roundedAway(x); }
double rint(double x) noexcept { return roundedEven(x); }
float floorf(float x) noexcept { return floored(x); }
float ceilf(float x) noexcept { return raised(x); }
float truncf(float x) noexcept { return truncated(x); }
float roundf(float x) noexcept { return roundedAway(x); }
float rintf(float x) noexcept { return roundedEven(x); }

}  // namespace weft::runtime::soft
