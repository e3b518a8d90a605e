// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/acos.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/asin.h"
WEFT_CONST Real acos(Real x) {
  Real a = __builtin_elementwise_abs(x);
  Int upper = a > R(0.5);
  Real z = upper ? (R(1) - a) * R(0.5) : a * a;
  Real t = upper ? __builtin_elementwise_sqrt(z) : x;
  Real tail = weftAsinTail(t, z);
  Real near_one = R(2) * (t + tail);
  near_one = x < R(0) ? WEFT_PI - (near_one - WEFT_PI_LOW) : near_one;
  return upper ? near_one : WEFT_HALF_PI - (t + (tail - WEFT_HALF_PI_LOW));
}
#endif
