// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/cbrt.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else

// The bits of a number are its logarithm, nearly: minus a third of them is m^(-1/3) within 4
// percent. Polynomials in h = 1 - m y^3, for (1 - h)^(-1/3), bring that to half of the bits at
// least.
#if REAL_IS_FLOAT
WEFT_INLINE Real weftInverseCubeRoot(Real m) {
  Real third = FMA(TO(AS(m, Int), Real), -0x1.555556p-2f, 0x1.5289aap+30f);
  Real y = AS(TO(third, Int), Real);
  Real h = FMA(-m * y, y * y, 1);
  Real p = FMA(h, 0x1.5d44f6p-3f, 0x1.c9a9d4p-3f);
  return FMA(y * h, FMA(h, p, 0x1.5558dcp-2f), y);
}
#else
WEFT_INLINE Real weftInverseCubeRoot(Real m) {
  // In the upper halves, and with 2^52 for the conversions of integers.
  Real upper = AS((AS(m, Uint) >> (UINT)32) | (UINT)0x4330000000000000UL, Real) - R(0x1p52);
  Real third = FMA(upper, -0x1.5555555555555p-2, 0x1p52 + 0x1.54fbdffcp+30);
  Real y = AS(AS(third, Uint) << (UINT)32, Real);
  Real h = FMA(-m * y, y * y, 1);
  Real p = FMA(h, 0x1.22f144p-3, 0x1.653b5ep-3);
  p = FMA(h, p, 0x1.c7263ep-3);
  y = FMA(y * h, FMA(h, p, 0x1.55544ap-2), y);
  h = FMA(-m * y, y * y, 1);
  return FMA(y * h, FMA(h, 0x1.c71c71c71c71cp-3, 0x1.5555555555555p-2), y);
}
#endif

// The root from its inverse, and a last correction by the exact residual.
WEFT_CONST Real cbrt(Real x) {
  Real a = __builtin_elementwise_abs(x);
  // So small that the residual might be denormal.
  Int small = a < R(REAL_IS_FLOAT ? 0x1p-70 : 0x1p-900);
  Real m = small ? a * R(REAL_IS_FLOAT ? 0x1p72 : 0x1p162) : a;
  Real y = weftInverseCubeRoot(m);
  // Of zero this is zero: y^2 is finite there.
  Real y_square = y * y;
  Real r = m * y_square;
  Real square = r * r;
  Real residual = FMA(-square, r, m) - FMA(r, r, -square) * r;
  r = FMA(residual, y_square * R(1.0 / 3), r);
  r = small ? r * R(REAL_IS_FLOAT ? 0x1p-24 : 0x1p-54) : r;
  return a < R(INFINITY) ? __builtin_elementwise_copysign(r, x) : x;
}
#endif
