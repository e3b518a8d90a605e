// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/hypot.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#if REAL_IS_FLOAT
WEFT_CONST Real hypot(Real x, Real y) {
  Wide a = TO(x, Wide);
  Wide b = TO(y, Wide);
  Real value = TO(__builtin_elementwise_sqrt(a * a + b * b), Real);
#else
WEFT_CONST Real hypot(Real x, Real y) {
  Real a = __builtin_elementwise_abs(x);
  Real b = __builtin_elementwise_abs(y);
  Real most = __builtin_elementwise_max(a, b);
  Real up = most > 0x1p500 ? (Real)0x1p-600 : (most < 0x1p-500 ? (Real)0x1p600 : (Real)1.0);
  Real down = most > 0x1p500 ? (Real)0x1p600 : (most < 0x1p-500 ? (Real)0x1p-600 : (Real)1.0);
  a *= up;
  b *= up;
  Real value = __builtin_elementwise_sqrt(FMA(a, a, b * b)) * down;
#endif
  Int infinite =
      (__builtin_elementwise_abs(x) == R(INFINITY)) | (__builtin_elementwise_abs(y) == R(INFINITY));
  return infinite ? (Real)R(INFINITY) : value;
}
#endif
