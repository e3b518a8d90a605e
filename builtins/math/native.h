// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of a body of floats (see each_width.h): the shorter way of native_ and half_ functions. 22
// bits are right, arguments of trigonometric functions may be up to some 2^20, denormal results are
// zero, and the logarithm of denormal numbers is that of zero.
#include "math/exp.h"
#include "math/log.h"
#include "math/trig.h"

// Far out r is a little beyond pi/4. Beyond the range there is no right value, but there still is one
// of a sine.
WEFT_INLINE Real weftNativeReduce(Real x, __private Int* quadrant) {
  return weftClamp(weftReduceSmall(x, quadrant), -1.0f, 1.0f);
}

WEFT_INLINE Real weftNativeCos(Real r) {
  Real z = r * r;
  Real p = FMA(z, -0x1.6449eap-10f, 0x1.553e66p-5f);
  p = FMA(z, p, -0x1.ffffb2p-2f);
  return FMA(z, p, 0x1.0p+0f);
}
// As weftSinOf and weftTanOf, but for the cosine, whose last term would not change 24 bits by more than
// half of the last. The sine's would.
WEFT_INLINE Real weftNativeSinOf(Real r, Int quadrant) {
  Real value = (quadrant & 1) != 0 ? weftNativeCos(r) : weftSinPoly(r);
  return AS(AS(value, Int) ^ ((quadrant & 2) << 30), Real);
}
WEFT_INLINE Real weftNativeTanOf(Real r, Int quadrant) {
  Real s = weftSinPoly(r);
  Real c = weftNativeCos(r);
  Int odd = (quadrant & 1) != 0;
  return (odd ? -c : s) / (odd ? s : c);
}

// 2^(r + n) for |r| of 1/2 or next to nothing more. The power is at the ends of the range where x, of
// which it is computed, is at `lowest` and `highest`.
WEFT_INLINE Real weftNativePowerOf2(Real r, Int n, Real x, REAL lowest, REAL highest) {
  Real p = FMA(r, 0x1.5b54acp-10f, 0x1.3cee54p-7f);
  p = FMA(r, p, 0x1.c6b866p-5f);
  p = FMA(r, p, 0x1.ebf9b2p-3f);
  p = FMA(r, p, 0x1.62e428p-1f);
  p = FMA(r, p, 1);
  // At the ends of the range p is on the side of 1 where the exponent has room.
  Real value = AS(AS(p, Int) + (n << 23), Real);
  value = x < lowest ? (Real)0.0f : value;
  return x < highest ? value : x + R(INFINITY);
}
WEFT_INLINE Real weftNativeExp2(Real x) {
  Int n;
  Real whole = weftNearest(x, &n);
  return weftNativePowerOf2(x - whole, n, x, -126.0f, 128.0f);
}
// 2^(x (scale + scale_low)): what is left of the product has all its bits.
WEFT_INLINE Real weftNativePower(Real x, REAL scale, REAL scale_low, REAL lowest, REAL highest) {
  Real shifted = FMA(x, scale, WEFT_ROUNDER);
  Int n = AS(shifted, Int) - AS((Real)WEFT_ROUNDER, Int);
  Real r = FMA(x, scale, WEFT_ROUNDER - shifted);
  return weftNativePowerOf2(FMA(x, scale_low, r), n, x, lowest, highest);
}
WEFT_INLINE Real weftNativeExp(Real x) {
  return weftNativePower(x, 0x1.715476p+0f, 0x1.4ae0cp-26f, -0x1.5d589ep+6f, 0x1.62e43p+6f);
}
WEFT_INLINE Real weftNativeExp10(Real x) {
  return weftNativePower(x, 0x1.a934fp+1f, 0x1.2f346ep-24f, -0x1.2f703p+5f, 0x1.344136p+5f);
}

// A logarithm to a base above 1, or its special case: NaN below zero, and of a NaN.
WEFT_INLINE Real weftNativeLogResult(Real x, Real value) {
  value = x < R(INFINITY) ? value : x;
  value = x < 0x1p-126f ? (Real)-R(INFINITY) : value;
  return x <= -0x1p-126f ? (Real)R(NAN) : value;
}
WEFT_INLINE Real weftNativeLog2(Real x) {
  Real e;
  Real f = weftSplitNormal(x, &e);
  Real p = FMA(f, 0x1.013736p-3f, -0x1.a75c2cp-3f);
  p = FMA(f, p, 0x1.b96b98p-3f);
  p = FMA(f, p, -0x1.e98634p-3f);
  p = FMA(f, p, 0x1.26dc1cp-2f);
  p = FMA(f, p, -0x1.715b64p-2f);
  p = FMA(f, p, 0x1.ec736ep-2f);
  p = FMA(f, p, -0x1.715472p-1f);
  return weftNativeLogResult(x, FMA(f, FMA(f, p, 0x1.715476p+0f), e));
}

// x^y for x >= 0. A logarithm of 24 bits would lose those that its product with y has before the
// point: it has 30.
WEFT_INLINE Real weftNativePowr(Real x, Real y) {
  Real e;
  Real f = weftSplitNormal(x, &e);
  Real tail = FMA(f, 0x1.8d1a36p-4f, -0x1.5a24dcp-3f);
  tail = FMA(f, tail, 0x1.6066dp-3f);
  tail = FMA(f, tail, -0x1.6e6ce8p-3f);
  tail = FMA(f, tail, 0x1.a3ed72p-3f);
  tail = FMA(f, tail, -0x1.ec79b2p-3f);
  tail = FMA(f, tail, 0x1.278084p-2f);
  Wide g = TO(f, Wide);
  Wide p = WIDE_FMA(g, TO(tail, Wide), -0x1.715491c4f7d6cp-2);
  p = WIDE_FMA(g, p, 0x1.ec707f0cc790dp-2);
  p = WIDE_FMA(g, p, -0x1.715476288a36fp-1);
  p = WIDE_FMA(g, p, 0x1.715476569fa24p+0);
  Wide power = TO(y, Wide) * WIDE_FMA(g, p, TO(e, Wide));
  Wide shifted = power + 0x1.8p52;
  Real r = TO(power - (shifted - 0x1.8p52), Real);
  Int n = TO(AS(shifted, WideInt), Int);
  // Zero where it matters most how it is rounded.
  Real excess = TO(power - 128.0, Real);
  // Of zero, infinities and what is no number.
  Int regular = (x >= 0x1p-126f) & (x < R(INFINITY));
  excess = regular ? excess : y * weftNativeLogResult(x, x);
  return weftNativePowerOf2(r, n, excess, -254.0f, 0.0f);
}
