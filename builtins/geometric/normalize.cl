// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "geometric/sums.h"

// A vector with infinite components points where these point: they count as one and the others
// as zero. A zero vector is returned as it is; a NaN spreads to every component.
#define DIRECTION(n, T)                                                                    \
  WEFT_INLINE double##n infiniteAxes(double##n x) {                                       \
    double##n zero = x == x ? __builtin_elementwise_copysign((double##n)(0.0), x) : x;    \
    double##n one = __builtin_elementwise_copysign((double##n)(1.0), x);                  \
    return __builtin_elementwise_abs(x) == (double##n)((double)INFINITY) ? one : zero;    \
  }                                                                                       \
  /* Pre: the squares of the components of x neither overflow nor vanish. */              \
  WEFT_INLINE double##n direction(double##n x, double largest, double##n scaled) {        \
    double##n v = largest == (double)INFINITY ? infiniteAxes(x) : scaled;                 \
    double square = WEFT_DOT(n, v, v);                                                    \
    return square == 0.0 ? x : v * (1.0 / __builtin_elementwise_sqrt(square));            \
  }
WEFT_FOR_GEOMETRIC(DIRECTION, double)

#define NARROW(n, T)                                                                      \
  WEFT_CONST T##n normalize(T##n x) {                                                     \
    double##n wide = WEFT_CONVERT(n, double, x);                                          \
    double largest = WEFT_LARGEST(n, __builtin_elementwise_abs(wide));                    \
    return WEFT_CONVERT(n, T, direction(wide, largest, wide));                            \
  }
WEFT_FOR_GEOMETRIC(NARROW, float)
WEFT_FOR_GEOMETRIC(NARROW, half)

#define DOUBLE(n, T)                                                                      \
  WEFT_CONST double##n normalize(double##n x) {                                           \
    double largest = WEFT_LARGEST(n, __builtin_elementwise_abs(x));                       \
    return direction(x, largest, x * weftScaleFor(largest));                              \
  }
WEFT_FOR_GEOMETRIC(DOUBLE, double)
