// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/relaxed.cl"
#include "math/float_width.h"
#else
#include "math/half_turns.h"
#include "math/native.h"

// What calls of the plain names become under -cl-unsafe-math-optimizations (the front end's linker
// does it): functions for which OpenCL C relaxes the accuracy there far enough to be worth it.
// Denormal numbers count as zeros.

WEFT_HOT Real weft_relaxed_sin(Real x) {
  Int quadrant;
  Real r = weftNativeReduce(x, &quadrant);
  return weftNativeSinOf(r, quadrant);
}
WEFT_HOT Real weft_relaxed_cos(Real x) {
  Int quadrant;
  Real r = weftNativeReduce(x, &quadrant);
  return weftNativeSinOf(r, quadrant + 1);
}
WEFT_HOT Real weft_relaxed_tan(Real x) {
  Int quadrant;
  Real r = weftNativeReduce(x, &quadrant);
  return weftNativeTanOf(r, quadrant);
}
WEFT_HOT Real weft_relaxed_sinpi(Real x) {
  Int quadrant;
  Real r = weftHalfTurns(x, &quadrant);
  return weftNativeSinOf(r, quadrant);
}
WEFT_HOT Real weft_relaxed_cospi(Real x) {
  Int quadrant;
  Real r = weftHalfTurns(x, &quadrant);
  return weftNativeSinOf(r, quadrant + 1);
}

WEFT_HOT Real weft_relaxed_exp(Real x) { return weftNativeExp(x); }
WEFT_HOT Real weft_relaxed_exp2(Real x) { return weftNativeExp2(x); }
WEFT_HOT Real weft_relaxed_exp10(Real x) { return weftNativeExp10(x); }

// As weftLogResult, with denormal numbers for zeros.
WEFT_INLINE Real weftRelaxedLogResult(Real x, Real value) {
  return weftLogResult(__builtin_elementwise_abs(x) < 0x1p-126f ? (Real)R(0) : x, value);
}

WEFT_INLINE Real weftRelaxedLog2(Real x) {
  Real e;
  Real f = weftSplitNormal(x, &e);
  return FMA(f, weftLog2Poly(f), e);
}
WEFT_HOT Real weft_relaxed_log2(Real x) { return weftRelaxedLogResult(x, weftRelaxedLog2(x)); }
WEFT_HOT Real weft_relaxed_log(Real x) {
  Real e;
  Real f = weftSplitNormal(x, &e);
  Real value = FMA(f * f, weftLogTail(f), f);
  return weftRelaxedLogResult(x, FMA(e, 0x1.62e43p-1f, value));
}
WEFT_HOT Real weft_relaxed_log10(Real x) {
  Real e;
  Real f = weftSplitNormal(x, &e);
  Real value = FMA(f, weftLog10Poly(f), e * 0x1.3509f8p-18f);
  return weftRelaxedLogResult(x, FMA(e, 0x1.344p-2f, value));
}

// 2^(y log2 x) for x >= 0, 0 for x = 0 or a power of infinity as it comes.
WEFT_INLINE Real weftRelaxedPower(Real x, Real y) {
  Real logarithm = weftRelaxedLog2(x);
  logarithm = x < 0x1p-126f ? (Real)-R(INFINITY) : logarithm;
  logarithm = x == R(INFINITY) ? x : logarithm;
  return weftNativeExp2(y * logarithm);
}
WEFT_HOT Real weft_relaxed_powr(Real x, Real y) { return weftRelaxedPower(x, y); }
WEFT_HOT Real weft_relaxed_pow(Real x, Real y) {
  Real value = weftRelaxedPower(__builtin_elementwise_abs(x), y);
  Real half_y = y * R(0.5);
  Int odd = (__builtin_elementwise_trunc(y) == y) & (__builtin_elementwise_trunc(half_y) != half_y);
  value = odd ? __builtin_elementwise_copysign(value, x) : value;
  return y == R(0) ? (Real)R(1) : value;
}
WEFT_INLINE Real weftRelaxedSign(Real value, Real x, Int32 n) {
  return (n & 1) != 0 ? __builtin_elementwise_copysign(value, x) : value;
}
WEFT_HOT Real weft_relaxed_pown(Real x, Int32 n) {
  Real value = weftRelaxedPower(__builtin_elementwise_abs(x), TO(n, Real));
  return n == 0 ? (Real)R(1) : weftRelaxedSign(value, x, n);
}
WEFT_HOT Real weft_relaxed_rootn(Real x, Int32 n) {
  Real value = weftRelaxedPower(__builtin_elementwise_abs(x), R(1) / TO(n, Real));
  return weftRelaxedSign(value, x, n);
}
#endif
