// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/atan2.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/atan.h"
WEFT_CONST Real atan2(Real y, Real x) {
  Real ay = __builtin_elementwise_abs(y);
  Real ax = __builtin_elementwise_abs(x);
  Int steep = ay > ax;
  Real t = (steep ? ax : ay) / (steep ? ay : ax);
  // Both zero or both infinite.
  t = ay == ax ? (ay == R(0) ? (Real)R(0) : (Real)R(1)) : t;
  Real value = weftAtanUnit(t);
  value = steep ? WEFT_HALF_PI + (WEFT_HALF_PI_LOW - value) : value;
  value = AS(x, Int) < (INT)0 ? WEFT_PI + (WEFT_PI_LOW - value) : value;
  value = __builtin_elementwise_copysign(value, y);
  return ((x != x) | (y != y)) ? x + y : value;
}
#endif
