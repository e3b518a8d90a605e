// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/exp10.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/exp.h"
WEFT_HOT Real exp10(Real x) {
  Int n;
  Real bounded = weftClamp(x, (REAL)(WEFT_EXP2_LOWEST * WEFT_LOG10_2_HIGH),
                           (REAL)(WEFT_EXP2_HIGHEST * WEFT_LOG10_2_HIGH));
  Real whole = weftNearest(bounded * WEFT_LOG2_10, &n);
  Real r = FMA(whole, -WEFT_LOG10_2_HIGH, bounded);
  r = FMA(whole, -WEFT_LOG10_2_LOW, r);
  return weftScale(weftExp10Poly(r), n);
}
#endif
