// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/half_exp.cl"
#include "math/float_width.h"
#else
#include "math/exp.h"
#include "math/log.h"
WEFT_INLINE Real weftHalfExp2(Real x) {
  Int n;
  Real bounded = weftClamp(x, WEFT_EXP2_LOWEST, WEFT_EXP2_HIGHEST);
  Real whole = weftNearest(bounded, &n);
  return weftScale(weftExp2Poly(bounded - whole), n);
}
WEFT_INLINE Real weftHalfLog2(Real x) {
  Int exponent;
  Real f = weftSplit(x, &exponent);
  return weftLogResult(x, FMA(f, weftLog2Poly(f), TO(exponent, Real)));
}
WEFT_HOT Real half_exp2(Real x) { return weftHalfExp2(x); }
WEFT_HOT Real half_exp(Real x) { return weftHalfExp2(x * WEFT_LOG2_E); }
WEFT_HOT Real half_exp10(Real x) { return weftHalfExp2(x * WEFT_LOG2_10); }
WEFT_HOT Real half_log2(Real x) { return weftHalfLog2(x); }
WEFT_HOT Real half_log(Real x) { return weftHalfLog2(x) * WEFT_LN2_HIGH; }
WEFT_HOT Real half_log10(Real x) { return weftHalfLog2(x) * WEFT_LOG10_2_HIGH; }
// The error of the logarithm grows with the exponent to some 2^7 ULP, well within 8192.
WEFT_HOT Real half_powr(Real x, Real y) { return weftHalfExp2(y * weftHalfLog2(x)); }
#endif
