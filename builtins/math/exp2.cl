// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/exp2.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/exp.h"
#if WIDTH > 1
WEFT_HOT Real exp2(Real x) {
#else
WEFT_RARE Real weft_rare_exp2(Real x) {
#endif
  Real bounded = weftClamp(x, WEFT_EXP2_LOWEST, WEFT_EXP2_HIGHEST);
  Real shifted = bounded + WEFT_POWER_ROUNDER;
  return weftScaleShifted(weftExp2Poly(bounded - (shifted - WEFT_POWER_ROUNDER)), shifted);
}
#if WIDTH == 1
WEFT_HOT Real exp2(Real x) {
  const int on_host = weft_estimate_onhost();
  Real bounded = on_host ? weftClamp(x, WEFT_EXP2_LOWEST, WEFT_EXP2_HIGHEST) : x;
  Real shifted = bounded + WEFT_ROUNDER;
  Real whole = shifted - WEFT_ROUNDER;
  Real power = weftExp2Poly(bounded - whole);
  if (on_host) return weft_estimate_scale(power, whole);
  Real value = weftScaleNormal(power, shifted);
  if (weftIsBeyond(x, WEFT_EXP2_USUAL)) value = weft_rare_exp2(x);
  return value;
}
#endif
#endif
