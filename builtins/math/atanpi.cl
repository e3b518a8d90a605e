// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/atanpi.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/atan.h"
WEFT_CONST Real atanpi(Real x) {
  Real a = __builtin_elementwise_abs(x);
  Int inverted = a > R(1);
  Real value = weftAtanUnit(inverted ? R(1) / a : a) * WEFT_ONE_OVER_PI;
  return __builtin_elementwise_copysign(inverted ? R(0.5) - value : value, x);
}
#endif
