// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/exp10.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/exp.h"
#if WIDTH > 1
WEFT_HOT Real exp10(Real x) {
#else
WEFT_RARE Real weft_rare_exp10(Real x) {
#endif
  Real bounded = weftClamp(x, (REAL)(WEFT_EXP2_LOWEST * WEFT_LOG10_2_HIGH),
                           (REAL)(WEFT_EXP2_HIGHEST * WEFT_LOG10_2_HIGH));
  Real shifted = FMA(bounded, WEFT_LOG2_10, WEFT_POWER_ROUNDER);
  Real whole = shifted - WEFT_POWER_ROUNDER;
  Real r = FMA(whole, -WEFT_LOG10_2_HIGH, bounded);
  r = FMA(whole, -WEFT_LOG10_2_LOW, r);
  return weftScaleShifted(weftExp10Poly(r), shifted);
}
#if WIDTH == 1
WEFT_HOT Real exp10(Real x) {
  const int on_host = weft_estimate_onhost();
  Real bounded = on_host ? weftClamp(x, (REAL)(WEFT_EXP2_LOWEST * WEFT_LOG10_2_HIGH),
                                     (REAL)(WEFT_EXP2_HIGHEST * WEFT_LOG10_2_HIGH))
                         : x;
  Real shifted = FMA(bounded, WEFT_LOG2_10, WEFT_ROUNDER);
  Real whole = shifted - WEFT_ROUNDER;
  Real r = FMA(whole, -WEFT_LOG10_2_HIGH, bounded);
  r = FMA(whole, -WEFT_LOG10_2_LOW, r);
  Real power = weftExp10Poly(r);
  if (on_host) return weft_estimate_scale(power, whole);
  Real value = weftScaleNormal(power, shifted);
  if (weftIsBeyond(x, (REAL)(WEFT_EXP2_USUAL * R(0.301)))) value = weft_rare_exp10(x);
  return value;
}
#endif
#endif
