// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "geometric/sums.h"

// Squares of floats and halves neither overflow nor underflow in double.
#define LENGTH_NARROW(n, T)                                                               \
  WEFT_CONST T length(T##n x) {                                                           \
    double##n wide = WEFT_CONVERT(n, double, x);                                          \
    return (T)__builtin_elementwise_sqrt(WEFT_DOT(n, wide, wide));                        \
  }                                                                                       \
  WEFT_CONST T distance(T##n x, T##n y) {                                                 \
    double##n wide = WEFT_CONVERT(n, double, x) - WEFT_CONVERT(n, double, y);             \
    return (T)__builtin_elementwise_sqrt(WEFT_DOT(n, wide, wide));                        \
  }
#define LENGTH_DOUBLE(n, T)                                                               \
  WEFT_CONST double length(double##n x) {                                                 \
    double largest = WEFT_LARGEST(n, __builtin_elementwise_abs(x));                       \
    x *= weftScaleFor(largest);                                                           \
    return __builtin_elementwise_sqrt(WEFT_DOT(n, x, x)) * weftUnscaleFor(largest);       \
  }                                                                                       \
  WEFT_CONST double distance(double##n x, double##n y) { return length(x - y); }

WEFT_CONST float length(float x) { return __builtin_elementwise_abs(x); }
WEFT_CONST float distance(float x, float y) { return __builtin_elementwise_abs(x - y); }
WEFT_CONST double length(double x) { return __builtin_elementwise_abs(x); }
WEFT_CONST double distance(double x, double y) { return __builtin_elementwise_abs(x - y); }
WEFT_CONST half length(half x) { return __builtin_elementwise_abs(x); }
WEFT_CONST half distance(half x, half y) { return __builtin_elementwise_abs(x - y); }

#define ALL(T, M) M(2, T) M(3, T) M(4, T)
ALL(float, LENGTH_NARROW)
ALL(half, LENGTH_NARROW)
ALL(double, LENGTH_DOUBLE)
