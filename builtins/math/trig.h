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
  Real z2 = z * z;
  Real p = FMA(z2, POLY_2(FMA, z, -0x1.ae5e544805ecbp-26, 0x1.5d8e2a710fe55p-33),
               POLY_2(FMA, z, -0x1.a01a019bf1da2p-13, 0x1.71de355ec99ccp-19));
  p = FMA(z2, p, POLY_2(FMA, z, -0x1.5555555555548p-3, 0x1.111111110f75bp-7));
  return r * FMA(z, p, 1);
}
WEFT_INLINE Real weftCosPoly(Real r) {
  Real z = r * r;
  Real z2 = z * z;
  Real p = FMA(z2, POLY_2(FMA, z, 0x1.1ee9dc094e38ep-29, -0x1.8fa6a1968fb72p-37),
               POLY_2(FMA, z, 0x1.a01a019c8f8fdp-16, -0x1.27e4f7f1e6642p-22));
  p = FMA(z2, p, POLY_2(FMA, z, 0x1.555555555554bp-5, -0x1.6c16c16c15018p-10));
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

#if REAL_IS_FLOAT
WEFT_INLINE Real weftSine(Real x) {
  Int quadrant;
  Real r = weftReduceSmall(x, &quadrant);
  return weftSinOf(r, quadrant);
}
WEFT_INLINE Real weftCosine(Real x) {
  Int quadrant;
  Real r = weftReduceSmall(x, &quadrant);
  return weftSinOf(r, quadrant + (INT)1);
}
#else
// A longer polynomial on twice the interval costs less than two of which one is chosen.

// (sin r - r) / r^3 for |r| <= pi/2
WEFT_INLINE Real weftHalfTurnTail(Real z) {
  Real z2 = z * z;
  Real z4 = z2 * z2;
  return FMA(z4,
             POLY_4(FMA, z, z2, -0x1.ae6454d553c7ap-26, 0x1.6123cd5076610p-33,
                    -0x1.ae439b72be09ep-41, 0x1.8835730c288a0p-49),
             POLY_4(FMA, z, z2, -0x1.5555555555555p-3, 0x1.11111111110c8p-7, -0x1.a01a01a014d85p-13,
                    0x1.71de3a52a1f54p-19));
}
// x - n pi
WEFT_INLINE Real weftLessHalfTurns(Real x, Real n) {
  Real r = FMA(n, -0x1.921fb54442d18p+1, x);
  r = FMA(n, -0x1.1a62633145c06p-53, r);
  return FMA(n, -0x1.c1cd129024e08p-106, r);
}
WEFT_INLINE Real weftFlipOdd(Real value, Real shifted) {
  return AS(AS(value, Int) ^ (AS(shifted, Int) << (INT)63), Real);
}
// Arguments as for weftReduceSmall.
WEFT_INLINE Real weftSine(Real x) {
  Real shifted = FMA(x, 0x1.45f306dc9c883p-2, 0x1.8p52);
  Real r = weftLessHalfTurns(x, shifted - R(0x1.8p52));
  Real z = r * r;
  // As a product: keeps the sign of a zero.
  return weftFlipOdd(r * FMA(z, weftHalfTurnTail(z), 1), shifted);
}
// sin(x + pi/2)
WEFT_INLINE Real weftCosine(Real x) {
  Real shifted = FMA(x, 0x1.45f306dc9c883p-2, 0.5) + R(0x1.8p52);
  Real r = weftLessHalfTurns(x, (shifted - R(0x1.8p52)) - R(0.5));
  Real z = r * r;
  return weftFlipOdd(FMA(r * z, weftHalfTurnTail(z), r), shifted);
}
#endif
