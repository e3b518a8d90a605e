// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/cbrt.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/log.h"
// x = m 8^k with m in [1/sqrt 2, 8): a parabola within 2 percent, two steps of Halley's iteration,
// which cube the error, and a last correction from the exact residual.
WEFT_CONST Real cbrt(Real x) {
  Real a = __builtin_elementwise_abs(x);
  Int exponent;
  Real f = weftSplit(a, &exponent);
  // Rounds down; exact for all exponents there are.
  Int k = (((exponent + (INT)3072) * (INT)21846) >> (INT)16) - (INT)1024;
  Int rest = exponent - (INT)3 * k;
  Real m = (f + R(1)) * AS((rest + (INT)EXPONENT_BIAS) << (INT)MANTISSA_BITS, Real);
  Real r =
      FMA(m, FMA(m, R(-0x1.df4a81ab31f3cp-7), R(0x1.12357454e159ep-2)), R(0x1.869a9153224f5p-1));
  Real cube = r * r * r;
  r = r * (cube + R(2) * m) / (R(2) * cube + m);
  cube = r * r * r;
  r = r * (cube + R(2) * m) / (R(2) * cube + m);
  Real square = r * r;
  Real residual = FMA(square, r, -m) + FMA(r, r, -square) * r;
  r = r - residual / (R(3) * square);
  r = r * AS((k + (INT)EXPONENT_BIAS) << (INT)MANTISSA_BITS, Real);
  Int regular = (a > R(0)) & (a < R(INFINITY));
  return regular ? __builtin_elementwise_copysign(r, x) : x;
}
#endif
