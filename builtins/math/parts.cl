// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#include "math/address_spaces.h"
#define WEFT_BODY "math/parts.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
WEFT_INLINE Real weftFract(Real x, Real whole) {
  const REAL below_one = REAL_IS_FLOAT ? (REAL)0x1.fffffep-1f : (REAL)0x1.fffffffffffffp-1;
  Real part = x - whole;
  part = part > below_one ? (Real)below_one : part;
  Int magnitude = AS(x, Int) & (INT)MAGNITUDE_MASK;
  part = magnitude == (INT)INFINITY_BITS ? (Real)R(0) : part;
  return ((part == R(0)) & ((magnitude == (INT)0) | (magnitude == (INT)INFINITY_BITS)))
             ? __builtin_elementwise_copysign(part, x)
             : part;
}
WEFT_INLINE Real weftModf(Real x, Real whole) {
  Int infinite = __builtin_elementwise_abs(x) == R(INFINITY);
  return __builtin_elementwise_copysign(infinite ? (Real)R(0) : x - whole, x);
}
#define WEFT_FORM(space)                           \
  WEFT_API Real fract(Real x, space Real* whole) { \
    Real w = __builtin_elementwise_floor(x);       \
    *whole = w;                                    \
    return weftFract(x, w);                        \
  }                                                \
  WEFT_API Real modf(Real x, space Real* whole) {  \
    Real w = __builtin_elementwise_trunc(x);       \
    *whole = w;                                    \
    return weftModf(x, w);                         \
  }
WEFT_ADDRESS_SPACES(WEFT_FORM)
#undef WEFT_FORM
#endif
