// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/sinh.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/expm1.h"
WEFT_CONST Real sinh(Real x) {
  Real a = __builtin_elementwise_abs(x);
  Real h = weftExpScaled(a, (INT)-1);
  Real large = h - R(0.25) / h;
  Real m = weftExpm1(a);
  Real small = R(0.5) * (m + m / (m + R(1)));
  // Halving would lose the last bit of a denormal.
  small = a < R(REAL_IS_FLOAT ? 0x1p-13 : 0x1p-28) ? a : small;
  return __builtin_elementwise_copysign(a > R(1) ? large : small, x);
}
#endif
