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
#else
// log2 of x >= 0 as the sum of two doubles, to more than 62 bits. With s = f / (2 + f), in two
// parts, log2(1 + f) = 2 / ln 2 (s + s (z / 3 + z^2 Q(z))), z = s^2.
WEFT_INLINE Real weftLog2Parts(Real x, __private Real* low) {
  Int exponent;
  Real f = weftSplit(x, &exponent);
  Real d = R(2) + f;
  Real d_low = f - (d - R(2));
  Real s = f / d;
  Real s_low = FMA(-s, d_low, FMA(-s, d, f)) / d;
  Real z = s * s;
  Real z_low = FMA(s, s, -z) + R(2) * s * s_low;
  Real q = FMA(z, 0x1.c04f9fd453ab6p-5, 0x1.e2d220925e5a7p-5);
  q = FMA(z, q, 0x1.1107331f02744p-4);
  q = FMA(z, q, 0x1.3b13f2236afb4p-4);
  q = FMA(z, q, 0x1.745d168051015p-4);
  q = FMA(z, q, 0x1.c71c71c830dccp-4);
  q = FMA(z, q, 0x1.249249249200bp-3);
  q = FMA(z, q, 0x1.999999999999ap-3);
  const REAL third = 0x1.5555555555555p-2;
  const REAL third_low = 0x1.5555555555555p-56;
  Real p = z * third;
  Real p_low = FMA(z, third, -p) + FMA(z, third_low, z_low * third) + z * z * q;
  Real t = s * p;
  Real t_low = FMA(s, p, -t) + FMA(s, p_low, s_low * p);
  Real sum = s + t;
  Real sum_low = (t - (sum - s)) + (t_low + s_low);
  const REAL scale = 0x1.71547652b82fep+1;
  const REAL scale_low = 0x1.777d0ffda0d24p-55;
  Real l = sum * scale;
  Real l_low = FMA(sum, scale, -l) + FMA(sum, scale_low, sum_low * scale);
  Real e = TO(exponent, Real);
  // |e| >= |l| unless e is 0.
  Real value = e + l;
  Real value_low = (l - (value - e)) + l_low;
  Int regular = (x > R(0)) & (x < R(INFINITY));
  *low = regular ? value_low : (Real)R(0);
  return regular ? value : (x == R(0) ? (Real)R(-INFINITY) : x);
}

// x^(y + y_low), as for float.
WEFT_INLINE Real weftPowMagnitude(Real x, Real y, Real y_low) {
  Real l_low;
  Real l = weftLog2Parts(x, &l_low);
  Real t = y * l;
  Real t_low = FMA(y, l, -t) + FMA(y, l_low, y_low * l);
  t_low = __builtin_elementwise_abs(t) < R(1100) ? t_low : (Real)R(0);
  Int n;
  t = weftClamp(t, R(-1100), R(1030));
  Real whole = weftNearest(t, &n);
  return weftScale(weftExp2Poly((t - whole) + t_low), n);
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
