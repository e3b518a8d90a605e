// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/atanh.cl"
#include "math/double_width.h"

#include "math/float_width.h"
#else
#if REAL_IS_FLOAT
WEFT_CONST Real atanh(Real x) { return TO(atanh(TO(x, Wide)), Real); }
#else
#include "math/log1p.h"
WEFT_CONST Real atanh(Real x) {
  Real a = __builtin_elementwise_abs(x);
  Real value = R(0.5) * weftLog1p(R(2) * a / (R(1) - a));
  value = a < 0x1p-28 ? a : value;
  value = a > R(1) ? (Real)R(NAN) : value;
  return __builtin_elementwise_copysign(value, x);
}
#endif
#endif
