// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/minmax.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
// llvm.minnum and llvm.maxnum: of a number and a NaN the number.
WEFT_HOT Real fmin(Real x, Real y) { return __builtin_elementwise_min(x, y); }
WEFT_HOT Real fmax(Real x, Real y) { return __builtin_elementwise_max(x, y); }
#if WIDTH > 1
WEFT_HOT Real fmin(Real x, REAL y) { return __builtin_elementwise_min(x, (Real)y); }
WEFT_HOT Real fmax(Real x, REAL y) { return __builtin_elementwise_max(x, (Real)y); }
#endif
WEFT_HOT Real minmag(Real x, Real y) {
  Real a = __builtin_elementwise_abs(x);
  Real b = __builtin_elementwise_abs(y);
  return a < b ? x : (b < a ? y : __builtin_elementwise_min(x, y));
}
WEFT_HOT Real maxmag(Real x, Real y) {
  Real a = __builtin_elementwise_abs(x);
  Real b = __builtin_elementwise_abs(y);
  return a > b ? x : (b > a ? y : __builtin_elementwise_max(x, y));
}
#endif
