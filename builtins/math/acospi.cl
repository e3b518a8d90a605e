// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/acospi.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/asin.h"
WEFT_CONST Real acospi(Real x) {
  Real a = __builtin_elementwise_abs(x);
  Int upper = a > R(0.5);
  Real z = upper ? (R(1) - a) * R(0.5) : a * a;
  Real t = upper ? __builtin_elementwise_sqrt(z) : x;
  Real value = (t + weftAsinTail(t, z)) * WEFT_ONE_OVER_PI;
  Real near_one = x < R(0) ? R(1) - R(2) * value : R(2) * value;
  return upper ? near_one : R(0.5) - value;
}
#endif
