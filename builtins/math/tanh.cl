// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/tanh.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/expm1.h"
WEFT_CONST Real tanh(Real x) {
  Real a = __builtin_elementwise_abs(x);
  Real bounded = a > R(22) ? (Real)R(22) : a;
  Real m = weftExpm1(R(2) * bounded);
  return __builtin_elementwise_copysign(m / (m + R(2)), x);
}
#endif
