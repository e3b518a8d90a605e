// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/atan2pi.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/atan.h"
// Like atan2 with angles in half turns, which are exact on the axes and diagonals.
WEFT_CONST Real atan2pi(Real y, Real x) {
  Real ay = __builtin_elementwise_abs(y);
  Real ax = __builtin_elementwise_abs(x);
  Int steep = ay > ax;
  Real value = weftAtanUnit((steep ? ax : ay) / (steep ? ay : ax)) * WEFT_ONE_OVER_PI;
  value = ay == ax ? (ay == R(0) ? (Real)R(0) : (Real)R(0.25)) : value;
  value = steep ? R(0.5) - value : value;
  value = AS(x, Int) < (INT)0 ? R(1) - value : value;
  value = __builtin_elementwise_copysign(value, y);
  return ((x != x) | (y != y)) ? x + y : value;
}
#endif
