// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of a body: powers of magnitudes, and what their signs and special cases have in common.
#include "math/exp.h"
#include "math/log.h"

#if REAL_IS_FLOAT
// x^y for x >= 0 and any y; NaN where one is, and for 0 times infinity in the exponent. The
// low part of y is below the accuracy of float.
WEFT_INLINE Real weftPowMagnitude(Real x, Wide y, Wide y_low) {
  Wide t = y * weftWideLog2(x);
  t = t < -160.0 ? (Wide)-160.0 : t;
  t = t > 130.0 ? (Wide)130.0 : t;
  Wide shifted = t + 0x1.8p52;
  Real r = TO(t - (shifted - 0x1.8p52), Real);
  return weftScale(weftExp2Poly(r), TO(AS(shifted, WideInt), Int));
}

// The same for positive normal x whose power is a normal number, and whether it may be none.
WEFT_INLINE Real weftPowOfNormal(Real x, Real y, __private Int* unusual) {
  Int bits = AS(x, Int) - WEFT_ROOT_HALF_BITS;
  Wide t = TO(y, Wide) * weftWideLog2Of(weftFraction(bits), bits >> MANTISSA_BITS);
  Wide whole = (t + 0x1.8p52) - 0x1.8p52;
  Real power = TO(whole, Real);
  *unusual = weftIsUnusual(x) | weftIsBeyond(power, WEFT_EXP2_USUAL);
  return weftScaleNormal(weftExp2Poly(TO(t - whole, Real)), power + WEFT_ROUNDER);
}

#if WIDTH == 1
// |x|^y where weft_estimate_onhost(); unusual is what is no number on the way.
WEFT_INLINE Real weftPowOnHost(Real x, Real y, __private Int* unusual) {
  Real e;
  Real f = weftSplitOnHost(x, &e);
  Wide wide = TO(f, Wide);
  Wide t = TO(y, Wide) * WIDE_FMA(wide, weftWideLog2Poly(wide), TO(e, Wide));
  t = t < -160.0 ? (Wide)-160.0 : t;
  t = t > 130.0 ? (Wide)130.0 : t;
  Wide whole = (t + 0x1.8p52) - 0x1.8p52;
  Real power = TO(whole, Real);
  *unusual = power != power;
  return weft_estimate_scale(weftExp2Poly(TO(t - whole, Real)), power);
}
#endif
#else
// log2((1 + f) 2^e) as the sum of two doubles, to more than 62 bits. With s = f / (2 + f), in two
// parts, log2(1 + f) = s (2 / ln 2 + z (2 / 3 ln 2 + z Q(z))), z = s^2.
WEFT_INLINE Real weftLog2PartsOf(Real f, Real e, __private Real* low) {
  Real d = R(2) + f;
  Real d_low = f - (d - R(2));
  Real inverse = R(1) / d;
  Real s = f * inverse;
  Real s_low = FMA(-s, d_low, FMA(-s, d, f)) * inverse;
  Real z = s * s;
  Real z_low = FMA(s + s, s_low, FMA(s, s, -z));
  Real z2 = z * z;
  Real z4 = z2 * z2;
  Real q = FMA(z4,
               POLY_4(FMA, z, z2, 0x1.c68fb43181847p-3, 0x1.89e5753e03054p-3, 0x1.5c48168743dd4p-3,
                      0x1.4363575b86ffdp-3),
               POLY_4(FMA, z, z2, 0x1.2776c50ef9bffp-1, 0x1.a61762a7ad851p-2, 0x1.484b13d8878f4p-2,
                      0x1.0c9a840ac87b3p-2));
  const REAL third = 0x1.ec709dc3a03fdp-1;
  Real p = z * third;
  Real p_low = FMA(z_low, third, FMA(z, third, -p));
  p_low = FMA(z, FMA(z, q, 0x1.d27f05548af0cp-55), p_low);
  const REAL scale = 0x1.71547652b82fep+1;
  Real a = scale + p;
  Real a_low = (p - (a - scale)) + (p_low + 0x1.777d0ffda0d24p-55);
  Real l = s * a;
  Real l_low = FMA(s_low, a, FMA(s, a_low, FMA(s, a, -l)));
  // |e| >= |l| unless e is 0.
  Real value = e + l;
  *low = (l - (value - e)) + l_low;
  return value;
}

// The same of x >= 0; of a NaN a NaN.
WEFT_INLINE Real weftLog2Parts(Real x, __private Real* low) {
  Real e;
  Real f = weftSplitReal(x, &e);
  Real value = weftLog2PartsOf(f, e, low);
  Int regular = (x > R(0)) & (x < R(INFINITY));
  *low = regular ? *low : (Real)R(0);
  return regular ? value : (x == R(0) ? (Real)R(-INFINITY) : x);
}

// x^(y + y_low), as for float.
WEFT_INLINE Real weftPowMagnitude(Real x, Real y, Real y_low) {
  Real l_low;
  Real l = weftLog2Parts(x, &l_low);
  Real t = y * l;
  Real t_low = FMA(y, l_low, FMA(y, l, -t)) + y_low * l;
  t_low = __builtin_elementwise_abs(t) < R(1100) ? t_low : (Real)R(0);
  Int n;
  t = weftClamp(t, R(-1100), R(1030));
  Real whole = weftNearest(t, &n);
  return weftScale(weftExp2Poly((t - whole) + t_low), n);
}

WEFT_INLINE Real weftPowOfNormal(Real x, Real y, __private Int* unusual) {
  Real e, l_low;
  Real f = weftSplitNormal(x, &e);
  Real l = weftLog2PartsOf(f, e, &l_low);
  Real t = y * l;
  Real t_low = FMA(y, l_low, FMA(y, l, -t));
  *unusual = weftIsUnusual(x) | weftIsBeyond(t, WEFT_EXP2_USUAL);
  Real shifted = t + WEFT_ROUNDER;
  Real whole = shifted - WEFT_ROUNDER;
  return weftScaleNormal(weftExp2Poly((t - whole) + t_low), shifted);
}

#if WIDTH == 1
WEFT_INLINE Real weftPowOnHost(Real x, Real y, __private Int* unusual) {
  Real e, l_low;
  Real f = weftSplitOnHost(x, &e);
  Real l = weftLog2PartsOf(f, e, &l_low);
  Real t = y * l;
  Real t_low = FMA(y, l_low, FMA(y, l, -t));
  t_low = __builtin_elementwise_abs(t) < R(1100) ? t_low : (Real)R(0);
  t = weftClamp(t, R(-1100), R(1030));
  Real whole = (t + WEFT_ROUNDER) - WEFT_ROUNDER;
  *unusual = whole != whole;
  return weft_estimate_scale(weftExp2Poly((t - whole) + t_low), whole);
}
#endif
#endif

#if WIDTH == 1
// |x|^y, and whether it may be something else.
WEFT_INLINE Real weftPowUsual(Real x, Real y, __private Int* unusual) {
  if (weft_estimate_onhost()) return weftPowOnHost(x, y, unusual);
  return weftPowOfNormal(__builtin_elementwise_abs(x), y, unusual);
}

// x^y, and whether it may be something else: so it is for negative x where y is not whole.
WEFT_INLINE Real weftPowOfSigned(Real x, Real y, __private Int* unusual) {
  Real value = weftPowUsual(x, y, unusual);
  Real half_y = y * R(0.5);
  Int part = __builtin_elementwise_trunc(y) != y;
  Int odd = __builtin_elementwise_trunc(half_y) != half_y;
  *unusual |= part & (AS(x, Int) < (INT)0);
  Int sign = AS(x, Int) & (odd ? ~(Int)MAGNITUDE_MASK : (Int)0);
  return AS(AS(value, Int) ^ sign, Real);
}
#endif

WEFT_INLINE Real weftPow(Real x, Real y) {
  Real magnitude = __builtin_elementwise_abs(x);
  Real value = weftPowMagnitude(magnitude, TO(y, Wide), (Wide)0.0);
  Real half_y = y * R(0.5);
  Int whole = __builtin_elementwise_trunc(y) == y;
  Int odd = whole & (__builtin_elementwise_trunc(half_y) != half_y);
  Int negative = AS(x, Int) < (INT)0;
  value = (odd & negative) ? -value : value;
  // Infinities count as whole numbers here, so neither a base nor an exponent of infinity fails.
  Int invalid = (x < R(0)) & (x > R(-INFINITY)) & !whole;
  value = invalid ? (Real)R(NAN) : value;
  Int one = (x == R(1)) | (y == R(0));
  one |= (magnitude == R(1)) & (__builtin_elementwise_abs(y) == R(INFINITY));
  return one ? (Real)R(1) : value;
}

// x^y where negative x is an error and so is every indefinite form.
WEFT_INLINE Real weftPowr(Real x, Real y) {
  Real magnitude = __builtin_elementwise_abs(x);
  Real value = weftPowMagnitude(magnitude, TO(y, Wide), (Wide)0.0);
  // 1^inf and the like are NaN by the product in the exponent already.
  value = ((y == R(0)) & (x > R(0)) & (x < R(INFINITY))) ? (Real)R(1) : value;
  return ((x < R(0)) | (y != y) | (x != x)) ? (Real)R(NAN) : value;
}

// The sign of an odd power or root.
WEFT_INLINE Real weftOddSign(Real value, Real x, Int32 n) {
  Int odd = TO(n & 1, Int) != (INT)0;
  return odd ? __builtin_elementwise_copysign(value, x) : value;
}
