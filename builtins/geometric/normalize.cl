// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "geometric/sums.h"

// A vector with infinite components points where these point: they count as one and the others
// as zero. A zero vector is returned as it is; a NaN spreads to every component.
#define HELPERS(n, T)                                                                     \
  WEFT_INLINE double##n finite(double##n x, double largest) {                             \
    double##n zero = x == x ? __builtin_elementwise_copysign((double##n)(0.0), x) : x;    \
    double##n one = __builtin_elementwise_copysign((double##n)(1.0), x);                  \
    double##n axes =                                                                      \
        __builtin_elementwise_abs(x) == (double##n)((double)INFINITY) ? one : zero;       \
    return largest == (double)INFINITY ? axes : x;                                        \
  }                                                                                       \
  /* x over the length of x * scale. */                                                   \
  WEFT_INLINE double##n over(double##n x, double scale) {                                 \
    double##n scaled = x * scale;                                                         \
    double square = WEFT_DOT(n, scaled, scaled);                                          \
    return square == 0.0 ? x : x * (1.0 / __builtin_elementwise_sqrt(square));            \
  }
WEFT_FOR_GEOMETRIC(HELPERS, double)

#define NARROW(n, T)                                                                      \
  WEFT_CONST T##n normalize(T##n x) {                                                     \
    double##n wide = WEFT_CONVERT(n, double, x);                                          \
    double largest = WEFT_LARGEST(n, __builtin_elementwise_abs(wide));                    \
    return WEFT_CONVERT(n, T, over(finite(wide, largest), 1.0));                          \
  }
WEFT_FOR_GEOMETRIC(NARROW, float)
WEFT_FOR_GEOMETRIC(NARROW, half)

// Components far smaller than the largest one lose their last bits when they are scaled down
// before the division, so scaling up comes first and scaling down last.
#define DOUBLE(n, T)                                                                      \
  WEFT_CONST double##n normalize(double##n x) {                                           \
    double largest = WEFT_LARGEST(n, __builtin_elementwise_abs(x));                       \
    double scale = weftScaleFor(largest == (double)INFINITY ? 1.0 : largest);             \
    double up = scale > 1.0 ? scale : 1.0;                                                \
    double down = scale < 1.0 ? scale : 1.0;                                              \
    return over(finite(x, largest) * up, down) * down;                                    \
  }
WEFT_FOR_GEOMETRIC(DOUBLE, double)
