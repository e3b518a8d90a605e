// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/asinh.cl"
#include "math/double_width.h"

#include "math/float_width.h"
#else
#if REAL_IS_FLOAT
WEFT_CONST Real asinh(Real x) { return TO(asinh(TO(x, Wide)), Real); }
#else
#include "math/log1p.h"
// log(a + sqrt(a^2 + 1)), arranged so that small arguments keep their digits; for large ones
// log 2a.
WEFT_CONST Real asinh(Real x) {
  Real a = __builtin_elementwise_abs(x);
  Int large = a > 0x1p60;
  Real square = a * a;
  Real direct = a + square / (R(1) + __builtin_elementwise_sqrt(R(1) + square));
  Real value = weftLog1p(large ? a : direct);
  value = large ? value + 0x1.62e42fefa39efp-1 : value;
  return __builtin_elementwise_copysign(value, x);
}
#endif
#endif
