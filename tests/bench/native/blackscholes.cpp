// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>

#include "native.h"

namespace weft::bench::native {
namespace {

/// For arguments that do not overflow, some 2e-7 off.
inline float exponential(float x) {
  const float whole = __builtin_rintf(x * 1.44269504f);
  const float r = x - whole * 0.693145752f - whole * 1.42860677e-6f;
  const float p =
      1.0f +
      r * (1.0f + r * (0.5f + r * (0.166666666f + r * (0.0416666666f + r * (0.00833333333f +
                                                                            r * 0.00138888889f)))));
  return p * std::bit_cast<float>((static_cast<int32_t>(whole) + 127) << 23);
}

/// For normal arguments: 2 atanh(f / (2 + f)) after taking out the power of two.
inline float logarithm(float x) {
  const auto bits = std::bit_cast<int32_t>(x) - 0x3f3504f3;
  const auto exponent = static_cast<float>(bits >> 23);
  const float f = std::bit_cast<float>((bits & 0x7fffff) + 0x3f3504f3) - 1.0f;
  const float s = f / (2.0f + f), z = s * s;
  const float p = 2.0f + z * (0.666666667f + z * (0.4f + z * (0.285714286f + z * 0.222222222f)));
  return s * p + exponent * 0.693147181f;
}

inline float cumulative(float x) {
  const float k = 1.0f / (1.0f + 0.2316419f * __builtin_fabsf(x));
  const float sum =
      k * (0.319381530f +
           k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228040f * exponential(-0.5f * x * x) * sum;
  return x > 0 ? 1.0f - tail : tail;
}

}  // namespace

void blackScholes(const float* price, const float* strike, const float* years, float* call,
                  float* put, float rate, float volatility, size_t begin, size_t end) {
#pragma omp simd
  for (size_t i = begin; i < end; ++i) {
    const float s = price[i], k = strike[i], t = years[i];
    const float root = volatility * __builtin_sqrtf(t);
    const float d1 = (logarithm(s / k) + (rate + 0.5f * volatility * volatility) * t) / root;
    const float d2 = d1 - root;
    const float discounted = k * exponential(-rate * t);
    const float n1 = cumulative(d1), n2 = cumulative(d2);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
  }
}

}  // namespace weft::bench::native
