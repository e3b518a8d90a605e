// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/from_integer.h"

WEFT_FOR_SIZES(WEFT_EXACT, float, char)
WEFT_FOR_SIZES(WEFT_EXACT, float, uchar)
WEFT_FOR_SIZES(WEFT_EXACT, float, short)
WEFT_FOR_SIZES(WEFT_EXACT, float, ushort)
WEFT_FOR_SIZES(WEFT_EXACT, float, half)
WEFT_FOR_SIZES(WEFT_EXACT, float, float)
WEFT_DIRECTED(float, int, uint, 32, int, 24, 127)
WEFT_DIRECTED(float, long, ulong, 64, int, 24, 127)

// Steps from the nearest float, where it lies on the wrong side of the double, to the next one.
// The next float is the next pattern of bits; rounding overflowed where that is infinity's.
#define NARROW(n, unused)                                                                    \
  WEFT_INLINE float##n weftStep(float##n nearest, int##n towardsZero, int##n away) {         \
    return WEFT_AS(float##n, WEFT_AS(int##n, nearest) - towardsZero + away);                 \
  }                                                                                          \
  WEFT_DEFINE_NEAREST(n, float, double, WEFT_CONVERT(n, float, x))                           \
  WEFT_CONST float##n convert_float##n##_rtz(double##n x) {                                  \
    float##n nearest = WEFT_CONVERT(n, float, x);                                            \
    double##n back = WEFT_CONVERT(n, double, nearest);                                       \
    int##n outside = WEFT_CONVERT(n, int, __builtin_elementwise_abs(back) >                  \
                                              __builtin_elementwise_abs(x)) & 1;             \
    return weftStep(nearest, outside, 0);                                                    \
  }                                                                                          \
  WEFT_CONST float##n convert_float##n##_rtp(double##n x) {                                  \
    float##n nearest = WEFT_CONVERT(n, float, x);                                            \
    int##n below = WEFT_CONVERT(n, int, WEFT_CONVERT(n, double, nearest) < x) & 1;           \
    int##n negative = (WEFT_AS(int##n, nearest) >> 31) & 1;                                  \
    return weftStep(nearest, below & negative, below & (negative ^ 1));                      \
  }                                                                                          \
  WEFT_CONST float##n convert_float##n##_rtn(double##n x) {                                  \
    float##n nearest = WEFT_CONVERT(n, float, x);                                            \
    int##n above = WEFT_CONVERT(n, int, WEFT_CONVERT(n, double, nearest) > x) & 1;           \
    int##n negative = (WEFT_AS(int##n, nearest) >> 31) & 1;                                  \
    return weftStep(nearest, above & (negative ^ 1), above & negative);                      \
  }
WEFT_FOR_SIZES(NARROW, 0)
