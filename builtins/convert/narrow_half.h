// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "weft_common.h"

// Rounding of float and double to half in every mode, right for all inputs:
//   half##n weftToHalf_<mode>(float##n or double##n), mode one of rte rtz rtp rtn.

// Pre: x is not NaN. The half next to x in the direction of zero, or, when it differs from x and
// `away` is set, the next half beyond it; both without the sign. Works on the bits of |x|.
// Beyond the largest half the next one is infinity.
#define WEFT_HALF_MAGNITUDE(n, unused)                                                    \
  WEFT_INLINE uint##n weftHalfMagnitude(uint##n x, uint##n away) {                        \
    uint##n exponent = x >> 23;                                                           \
    uint##n fraction = x & 0x7fffff;                                                      \
    fraction = exponent == 0u ? fraction : fraction | 0x800000u;                          \
    /* Denormal halfs count units of 2^-24. */                                            \
    uint##n shift = 126u - __builtin_elementwise_min(exponent, (uint##n)(112));           \
    shift = __builtin_elementwise_min(shift, (uint##n)(31));                              \
    uint##n tiny = fraction >> shift;                                                     \
    uint##n tinyLoss = fraction ^ (tiny << shift);                                        \
    uint##n result = x < 0x38800000u ? tiny : (x - 0x38000000u) >> 13;                    \
    uint##n loss = x < 0x38800000u ? tinyLoss : x & 0x1fffu;                              \
    result = x < 0x47800000u ? result : (uint##n)(0x7bff);                                \
    loss = x < 0x47800000u ? loss : (uint##n)(1);                                         \
    result += loss == 0u ? (uint##n)(0) : away;                                           \
    return x == 0x7f800000u ? (uint##n)(0x7c00) : result;                                 \
  }

// `up` of a sign (0 or 1) says whether magnitudes grow.
#define WEFT_TO_HALF_MODE(n, mode, up)                                                    \
  WEFT_INLINE half##n weftToHalf_##mode(float##n value) {                                 \
    uint##n bits = WEFT_AS(uint##n, value);                                               \
    uint##n sign = bits >> 31;                                                            \
    uint##n magnitude = bits & 0x7fffffffu;                                               \
    uint##n number = weftHalfMagnitude(magnitude, (uint##n)(up));                         \
    uint##n nan = 0x7e00u | ((magnitude >> 13) & 0x3ffu);                                 \
    uint##n result = magnitude > 0x7f800000u ? nan : number;                              \
    return WEFT_AS(half##n, WEFT_CONVERT(n, ushort, sign << 15 | result));                \
  }

// Rounding to odd: what is lost sets the last bit, so that a second rounding to a format with
// less than 23 bits sees on which side of its midpoints the number lies.
#define WEFT_FROM_DOUBLE(n, unused)                                                       \
  WEFT_INLINE float##n weftToOdd(double##n value) {                                       \
    float##n nearest = WEFT_CONVERT(n, float, value);                                     \
    double##n back = WEFT_CONVERT(n, double, nearest);                                    \
    int##n outside = WEFT_CONVERT(n, int, __builtin_elementwise_abs(back) >               \
                                          __builtin_elementwise_abs(value)) & 1;          \
    int##n inexact = WEFT_CONVERT(n, int, (back < value) | (back > value)) & 1;           \
    return WEFT_AS(float##n, (WEFT_AS(int##n, nearest) - outside) | inexact);             \
  }                                                                                       \
  WEFT_INLINE half##n weftToHalf_rte(float##n value) { return WEFT_CONVERT(n, half, value); } \
  WEFT_INLINE half##n weftToHalf_rte(double##n value) {                                   \
    return weftToHalf_rte(weftToOdd(value));                                              \
  }                                                                                       \
  WEFT_INLINE half##n weftToHalf_rtz(double##n value) {                                   \
    return weftToHalf_rtz(weftToOdd(value));                                              \
  }                                                                                       \
  WEFT_INLINE half##n weftToHalf_rtp(double##n value) {                                   \
    return weftToHalf_rtp(weftToOdd(value));                                              \
  }                                                                                       \
  WEFT_INLINE half##n weftToHalf_rtn(double##n value) {                                   \
    return weftToHalf_rtn(weftToOdd(value));                                              \
  }

WEFT_FOR_SIZES(WEFT_HALF_MAGNITUDE, 0)
WEFT_FOR_SIZES(WEFT_TO_HALF_MODE, rtz, 0u)
WEFT_FOR_SIZES(WEFT_TO_HALF_MODE, rtp, sign ^ 1u)
WEFT_FOR_SIZES(WEFT_TO_HALF_MODE, rtn, sign)
WEFT_FOR_SIZES(WEFT_FROM_DOUBLE, 0)
