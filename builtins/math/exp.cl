// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/exp.cl"
#include "math/float_width.h"
#include "math/double_width.h"
#else
#include "math/exp.h"
WEFT_CONST Real exp(Real x) {
  Int n;
  Real bounded = weftClamp(x, (REAL)(WEFT_EXP2_LOWEST * WEFT_LN2_HIGH), (REAL)(WEFT_EXP2_HIGHEST * WEFT_LN2_HIGH));
  Real whole = weftNearest(bounded * WEFT_LOG2_E, &n);
  Real r = FMA(whole, -WEFT_LN2_HIGH, bounded);
  r = FMA(whole, -WEFT_LN2_LOW, r);
  return weftScale(R(1) + FMA(r * r, weftExpTail(r), r), n);
}
#endif
