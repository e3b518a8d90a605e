// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/asin.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/asin.h"
// Above 1/2 through asin a = pi/2 - 2 asin sqrt((1 - a) / 2). NaN beyond 1.
WEFT_CONST Real asin(Real x) {
  Real a = __builtin_elementwise_abs(x);
  Int upper = a > R(0.5);
  Real z = upper ? (R(1) - a) * R(0.5) : a * a;
  Real t = upper ? __builtin_elementwise_sqrt(z) : a;
  Real tail = weftAsinTail(t, z);
  Real value = upper ? WEFT_HALF_PI - (R(2) * t + (R(2) * tail - WEFT_HALF_PI_LOW)) : t + tail;
  return __builtin_elementwise_copysign(value, x);
}
#endif
