// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/exp.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/exp.h"
#if WIDTH > 1
WEFT_HOT Real exp(Real x) {
#else
WEFT_RARE Real weft_rare_exp(Real x) {
#endif
  return weftExpScaled(x, (INT)0);
}
#if WIDTH == 1
WEFT_HOT Real exp(Real x) {
  const int on_host = weft_estimate_onhost();
  Real bounded = on_host ? weftClamp(x, (REAL)(WEFT_EXP2_LOWEST * WEFT_LN2_HIGH),
                                     (REAL)(WEFT_EXP2_HIGHEST * WEFT_LN2_HIGH))
                         : x;
  Real shifted = FMA(bounded, WEFT_LOG2_E, WEFT_ROUNDER);
  Real whole = shifted - WEFT_ROUNDER;
  Real r = FMA(whole, -WEFT_LN2_HIGH, bounded);
  r = FMA(whole, -WEFT_LN2_LOW, r);
  Real power = weftExpPoly(r);
  if (on_host) return weft_estimate_scale(power, whole);
  Real value = weftScaleNormal(power, shifted);
  if (weftIsBeyond(x, (REAL)(WEFT_EXP2_USUAL * R(0.693)))) value = weft_rare_exp(x);
  return value;
}
#endif
#endif
