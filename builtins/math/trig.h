// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of a body (see each_width.h): argument reduction by pi/2 and sin and cos on the rest.
// Reduction is Cody and Waite's with fused multiply-adds up to a bound; what lies beyond it is rare
// (host/huge_trig.cl).

#ifndef WEFT_RARE_TRIG
#define WEFT_RARE_TRIG
WEFT_RARE float weft_rare_sin(float x);
WEFT_RARE float weft_rare_cos(float x);
WEFT_RARE float weft_rare_tan(float x);
WEFT_RARE double weft_rare_sin(double x);
WEFT_RARE double weft_rare_cos(double x);
WEFT_RARE double weft_rare_tan(double x);
#endif

// r in [-pi/4, pi/4] and the low bits of the quadrant, for arguments that are not huge; NaN for
// infinities.
#if REAL_IS_FLOAT
WEFT_INLINE Real weftReduceSmall(Real x, __private Int* quadrant) {
  Real shifted = FMA(x, 0x1.45f306p-1f, 0x1.8p23f);
  Real n = shifted - 0x1.8p23f;
  *quadrant = AS(shifted, Int);
  // The parts of pi/2 are truncated, so all are positive and a negative zero stays one.
  Real r = FMA(n, -0x1.921fb4p+0f, x);
  r = FMA(n, -0x1.4442d0p-24f, r);
  return FMA(n, -0x1.846988p-48f, r);
}

WEFT_INLINE Real weftSinPoly(Real r) {
  Real z = r * r;
  Real p = FMA(z, -0x1.9953fep-13f, 0x1.110778p-7f);
  p = FMA(z, p, -0x1.555546p-3f);
  // As a product: keeps the sign of a zero.
  return r * FMA(z, p, 1);
}
WEFT_INLINE Real weftCosPoly(Real r) {
  Real z = r * r;
  Real p = FMA(z, 0x1.99e80cp-16f, -0x1.6c0c28p-10f);
  p = FMA(z, p, 0x1.55554ap-5f);
  return FMA(z, FMA(z, p, -0.5f), 1);
}

#else
WEFT_INLINE Real weftReduceSmall(Real x, __private Int* quadrant) {
  Real shifted = FMA(x, 0x1.45f306dc9c883p-1, 0x1.8p52);
  Real n = shifted - 0x1.8p52;
  *quadrant = AS(shifted, Int);
  Real r = FMA(n, -0x1.921fb54442d18p+0, x);
  r = FMA(n, -0x1.1a62633145c06p-54, r);
  return FMA(n, -0x1.c1cd129024e08p-107, r);
}

WEFT_INLINE Real weftSinPoly(Real r) {
  Real z = r * r;
  Real p = FMA(z, 0x1.5d8e2a710fe55p-33, -0x1.ae5e544805ecbp-26);
  p = FMA(z, p, 0x1.71de355ec99ccp-19);
  p = FMA(z, p, -0x1.a01a019bf1da2p-13);
  p = FMA(z, p, 0x1.111111110f75bp-7);
  p = FMA(z, p, -0x1.5555555555548p-3);
  return r * FMA(z, p, 1);
}
WEFT_INLINE Real weftCosPoly(Real r) {
  Real z = r * r;
  Real p = FMA(z, -0x1.8fa6a1968fb72p-37, 0x1.1ee9dc094e38ep-29);
  p = FMA(z, p, -0x1.27e4f7f1e6642p-22);
  p = FMA(z, p, 0x1.a01a019c8f8fdp-16);
  p = FMA(z, p, -0x1.6c16c16c15018p-10);
  p = FMA(z, p, 0x1.555555555554bp-5);
  return FMA(z, FMA(z, p, -0.5), 1);
}
#endif

// Finite, and beyond what weftReduceSmall can do.
WEFT_INLINE Int weftIsHuge(Real x) {
  const UINT huge = REAL_IS_FLOAT ? (UINT)0x4a000000 : (UINT)0x41d0000000000000UL;
  return ((AS(x, Uint) & (UINT)MAGNITUDE_MASK) - huge) < (UINT)INFINITY_BITS - huge;
}

// sin(r + quadrant pi/2); cos for the quadrant one further.
WEFT_INLINE Real weftSinOf(Real r, Int quadrant) {
  Real value = (quadrant & (INT)1) != (INT)0 ? weftCosPoly(r) : weftSinPoly(r);
  Int sign = (quadrant & (INT)2) << (INT)(sizeof(REAL) * 8 - 2);
  return AS(AS(value, Int) ^ sign, Real);
}
WEFT_INLINE Real weftTanOf(Real r, Int quadrant) {
  Real s = weftSinPoly(r);
  Real c = weftCosPoly(r);
  Int odd = (quadrant & (INT)1) != (INT)0;
  return (odd ? -c : s) / (odd ? s : c);
}
