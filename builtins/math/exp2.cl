// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/exp2.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/exp.h"
WEFT_HOT Real exp2(Real x) {
  Real bounded = weftClamp(x, WEFT_EXP2_LOWEST, WEFT_EXP2_HIGHEST);
  Real shifted = bounded + WEFT_POWER_ROUNDER;
  return weftScaleShifted(weftExp2Poly(bounded - (shifted - WEFT_POWER_ROUNDER)), shifted);
}
#endif
