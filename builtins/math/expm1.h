// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of a body (see each_width.h).
#include "math/exp.h"

// 2^n (e^r - 1) + (2^n - 1), at half the size so that n = 128 does not overflow early.
WEFT_INLINE Real weftExpm1(Real x) {
  Int n;
  Real bounded = weftClamp(x, (REAL)(-2 * (MANTISSA_BITS + 2) * WEFT_LN2_HIGH),
                           (REAL)(WEFT_EXP2_HIGHEST * WEFT_LN2_HIGH));
  Real whole = weftNearest(bounded * WEFT_LOG2_E, &n);
  Real r = FMA(whole, -WEFT_LN2_HIGH, bounded);
  Real rest = R(0) - whole * R(WEFT_LN2_LOW);
  Real reduced = r + rest;
  // What the sum above rounded away.
  rest = rest - (reduced - r);
  Real part = reduced + FMA(reduced * reduced, weftExpTail(reduced), rest);
  Int over = whole > R(EXPONENT_BIAS + 1);
  n = over ? (Int)0 : n;
  Real scale = AS((n + (INT)(EXPONENT_BIAS - 1)) << (INT)MANTISSA_BITS, Real);
  Real value = FMA(scale, part, scale - R(0.5)) * R(2);
  value = over ? (Real)R(INFINITY) : value;
  return __builtin_elementwise_abs(x) < R(REAL_IS_FLOAT ? 0x1p-26 : 0x1p-55) ? x : value;
}
