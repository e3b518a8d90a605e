// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/minmax.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
// Of a number and a NaN the number. LLVM's own minimum of two halves made wider is a minimum of
// halves, for which it calls the C library; this is the same instructions without that.
WEFT_HOT Real fmin(Real x, Real y) {
  Real least = x < y ? x : y;
  return y != y ? x : least;
}
WEFT_HOT Real fmax(Real x, Real y) {
  Real most = x > y ? x : y;
  return y != y ? x : most;
}
#if WIDTH > 1
WEFT_HOT Real fmin(Real x, REAL y) { return fmin(x, (Real)y); }
WEFT_HOT Real fmax(Real x, REAL y) { return fmax(x, (Real)y); }
#endif
WEFT_HOT Real minmag(Real x, Real y) {
  Real a = __builtin_elementwise_abs(x);
  Real b = __builtin_elementwise_abs(y);
  return a < b ? x : (b < a ? y : fmin(x, y));
}
WEFT_HOT Real maxmag(Real x, Real y) {
  Real a = __builtin_elementwise_abs(x);
  Real b = __builtin_elementwise_abs(y);
  return a > b ? x : (b > a ? y : fmax(x, y));
}
#endif
