// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "math/address_spaces.h"
#include "math/lanes.h"
#include "weft_libm.h"

WEFT_CONST double lgamma(double x) {
  int sign;
  return weft_libm_lgamma_r(x, &sign);
}
WEFT_CONST float lgamma(float x) { return (float)lgamma((double)x); }
WEFT_LANES_1(lgamma, double, double)
WEFT_LANES_1(lgamma, float, float)

// The sign is 0 at the poles, where the function has none.
WEFT_INLINE double weftLgamma(double x, __private int* sign) {
  double value = weft_libm_lgamma_r(x, sign);
  bool pole = x <= 0.0 && __builtin_elementwise_floor(x) == x;
  *sign = pole ? 0 : *sign;
  return value;
}
WEFT_INLINE float weftLgamma(float x, __private int* sign) {
  return (float)weftLgamma((double)x, sign);
}

#define WEFT_SCALAR(space, T)                 \
  WEFT_API T lgamma_r(T x, space int* sign) { \
    int s;                                    \
    T value = weftLgamma(x, &s);              \
    *sign = s;                                \
    return value;                             \
  }
#define WEFT_VECTOR(space, T, n)                                                      \
  WEFT_API WEFT_CAT(T, n) lgamma_r(WEFT_CAT(T, n) x, space WEFT_CAT(int, n) * sign) { \
    WEFT_CAT(T, n) value;                                                             \
    WEFT_CAT(int, n) signs;                                                           \
    for (int i = 0; i < n; ++i) {                                                     \
      int s;                                                                          \
      value[i] = weftLgamma(x[i], &s);                                                \
      signs[i] = s;                                                                   \
    }                                                                                 \
    *sign = signs;                                                                    \
    return value;                                                                     \
  }
#define WEFT_FORM(space)                                                                        \
  WEFT_SCALAR(space, float)                                                                     \
  WEFT_SCALAR(space, double)                                                                    \
  WEFT_VECTOR(space, float, 2)                                                                  \
  WEFT_VECTOR(space, float, 3) WEFT_VECTOR(space, float, 4) WEFT_VECTOR(space, float, 8)        \
      WEFT_VECTOR(space, float, 16) WEFT_VECTOR(space, double, 2) WEFT_VECTOR(space, double, 3) \
          WEFT_VECTOR(space, double, 4) WEFT_VECTOR(space, double, 8)                           \
              WEFT_VECTOR(space, double, 16)
WEFT_ADDRESS_SPACES(WEFT_FORM)
