// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of a body (see each_width.h): e^r, 2^r and 10^r on the interval of one binade around 0,
// and multiplication by 2^n.

#include "math/estimate.h"

#ifndef WEFT_ROUNDER
#define WEFT_ROUNDER R(REAL_IS_FLOAT ? 0x1.8p23f : 0x1.8p52)
// So much that the sum's last bits are an integer and twice the bias of exponents.
#define WEFT_POWER_ROUNDER \
  R(REAL_IS_FLOAT ? 0x1.8p23f + 2 * EXPONENT_BIAS : 0x1.8p52 + 2 * EXPONENT_BIAS)
#define WEFT_LOG2_E R(REAL_IS_FLOAT ? 0x1.715476p+0f : 0x1.71547652b82fep+0)
#define WEFT_LN2_HIGH R(REAL_IS_FLOAT ? 0x1.62e430p-1f : 0x1.62e42fefa39efp-1)
#define WEFT_LN2_LOW R(REAL_IS_FLOAT ? -0x1.05c610p-29f : 0x1.abc9e3b39803fp-56)
#define WEFT_LOG2_10 R(REAL_IS_FLOAT ? 0x1.a934f0p+1f : 0x1.a934f0979a371p+1)
#define WEFT_LOG10_2_HIGH R(REAL_IS_FLOAT ? 0x1.344136p-2f : 0x1.34413509f79ffp-2)
#define WEFT_LOG10_2_LOW R(REAL_IS_FLOAT ? -0x1.ec10c0p-27f : -0x1.9dc1da994fd21p-59)
// Beyond these results are 0 or infinite whatever the rest does.
#define WEFT_EXP2_LOWEST R(REAL_IS_FLOAT ? -160.0f : -1100.0)
#define WEFT_EXP2_HIGHEST R(REAL_IS_FLOAT ? 130.0f : 1030.0)
// Powers of 2 whose exponents are less than this are normal numbers.
#define WEFT_EXP2_USUAL R(REAL_IS_FLOAT ? 126 : 1022)
#endif

#if REAL_IS_FLOAT
// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2
WEFT_INLINE Real weftExpTail(Real r) {
  Real r2 = r * r;
  Real p = FMA(r2, 0x1.6a62c2p-10f, POLY_2(FMA, r, 0x1.5558a0p-5f, 0x1.123c5ap-7f));
  return FMA(r2, p, POLY_2(FMA, r, 0x1.fffffcp-2f, 0x1.55548ep-3f));
}
WEFT_INLINE Real weftExpPoly(Real r) { return FMA(r, FMA(r, weftExpTail(r), 1), 1); }
WEFT_INLINE Real weftExp2Poly(Real r) {
  Real r2 = r * r;
  Real p = FMA(r2, 0x1.4bca62p-13f, POLY_2(FMA, r, 0x1.3b21ccp-7f, 0x1.5fbd7cp-10f));
  p = FMA(r2, p, POLY_2(FMA, r, 0x1.ebfbe6p-3f, 0x1.c6ada8p-5f));
  p = FMA(r, p, 0x1.62e432p-1f);
  return FMA(r, p, 1);
}
WEFT_INLINE Real weftExp10Poly(Real r) {
  Real r2 = r * r;
  Real p = FMA(r2, 0x1.a6685cp-3f, POLY_2(FMA, r, 0x1.2bd9e4p+0f, 0x1.156dd4p-1f));
  p = FMA(r2, p, POLY_2(FMA, r, 0x1.53524ap+1f, 0x1.046f98p+1f));
  p = FMA(r, p, 0x1.26bb1cp+1f);
  return FMA(r, p, 1);
}
#else
WEFT_INLINE Real weftExpTail(Real r) {
  Real r2 = r * r;
  Real r4 = r2 * r2;
  Real p = FMA(r4, POLY_2(FMA, r, 0x1.28ae11e8054c0p-22, 0x1.adb182efc7d3ap-26),
               POLY_4(FMA, r, r2, 0x1.6c16c1847cfc5p-10, 0x1.a01a0139a7894p-13,
                      0x1.a019994b140fbp-16, 0x1.71df049edc2d0p-19));
  return FMA(r4, p,
             POLY_4(FMA, r, r2, 0x1.000000000000ap-1, 0x1.5555555555507p-3, 0x1.55555555506aap-5,
                    0x1.1111111124bb4p-7));
}
WEFT_INLINE Real weftExpPoly(Real r) { return R(1) + FMA(r * r, weftExpTail(r), r); }
WEFT_INLINE Real weftExp2Poly(Real r) {
  Real r2 = r * r;
  Real r4 = r2 * r2;
  Real p = FMA(r4, POLY_2(FMA, r, 0x1.e6131c3062f24p-28, 0x1.e8296a2531c99p-32),
               POLY_4(FMA, r, r2, 0x1.4309130c66d7cp-13, 0x1.ffcbfc0025788p-17,
                      0x1.62bfccf36e7b8p-20, 0x1.b525fcefc6cdep-24));
  p = FMA(r4, p,
          POLY_4(FMA, r, r2, 0x1.ebfbdff82c59dp-3, 0x1.c6b08d704a0d9p-5, 0x1.3b2ab6fba0fbdp-7,
                 0x1.5d87fe78b267ap-10));
  p = FMA(r, p, 0x1.62e42fefa39efp-1);
  return FMA(r, p, 1);
}
// 10^r = e^(r ln 10); r is small and exact, so ln 10 in two parts is enough.
WEFT_INLINE Real weftExp10Poly(Real r) {
  Real high = r * R(0x1.26bb1bbb55516p+1);
  Real low = FMA(r, 0x1.26bb1bbb55516p+1, -high);
  low = FMA(r, -0x1.f48ad494ea3e9p-53, low);
  return R(1) + (high + FMA(high * high, weftExpTail(high), low));
}
#endif

// x within bounds; a NaN stays one.
WEFT_INLINE Real weftClamp(Real x, REAL lowest, REAL highest) {
  x = x < lowest ? (Real)lowest : x;
  return x > highest ? (Real)highest : x;
}

// Whether |x| is not less than `bound`; a NaN is not.
WEFT_INLINE Int weftIsBeyond(Real x, REAL bound) { return !(__builtin_elementwise_abs(x) < bound); }

// The integer nearest to x, |x| small, also as Int.
WEFT_INLINE Real weftNearest(Real x, __private Int* integer) {
  Real shifted = x + WEFT_ROUNDER;
  *integer = AS(shifted, Int) - AS((Real)WEFT_ROUNDER, Int);
  return shifted - WEFT_ROUNDER;
}

// The two factors of a power of 2, each within the range of normal numbers: only the second product
// can round. The last bits of `biased` are the exponent and twice the bias; what is above those of
// an exponent's field does not matter.
WEFT_INLINE Real weftScaleBiased(Real x, Uint biased) {
  Uint half_of_it = biased >> (UINT)1;
  return x * AS(half_of_it << (UINT)MANTISSA_BITS, Real) *
         AS((biased - half_of_it) << (UINT)MANTISSA_BITS, Real);
}

// x 2^n
WEFT_INLINE Real weftScale(Real x, Int n) {
  return weftScaleBiased(x, AS(n, Uint) + (UINT)(2 * EXPONENT_BIAS));
}

// x 2^n for the n of shifted = n + WEFT_POWER_ROUNDER.
WEFT_INLINE Real weftScaleShifted(Real x, Real shifted) {
  return weftScaleBiased(x, AS(shifted, Uint));
}

// x 2^n for the n of shifted = n + WEFT_ROUNDER, where it and x are normal numbers.
WEFT_INLINE Real weftScaleNormal(Real x, Real shifted) {
  return AS(AS(x, Int) + (AS(shifted, Int) << (INT)MANTISSA_BITS), Real);
}

// e^x times 2^shift, with one rounding at the ends of the range.
WEFT_INLINE Real weftExpScaled(Real x, INT shift) {
  Real bounded = weftClamp(x, (REAL)(WEFT_EXP2_LOWEST * WEFT_LN2_HIGH),
                           (REAL)(WEFT_EXP2_HIGHEST * WEFT_LN2_HIGH));
  const REAL rounder = WEFT_POWER_ROUNDER + (REAL)shift;
  Real shifted = FMA(bounded, WEFT_LOG2_E, rounder);
  Real whole = shifted - rounder;
  Real r = FMA(whole, -WEFT_LN2_HIGH, bounded);
  r = FMA(whole, -WEFT_LN2_LOW, r);
  return weftScaleShifted(weftExpPoly(r), shifted);
}
