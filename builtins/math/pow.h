// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of a body, after exp.h and log.h: powers and their special cases (OpenCL C, section on
// mathematical functions, edge case behaviour).

#if REAL_IS_FLOAT
// x^y for x >= 0 and any y; NaN where one is, and for 0 times infinity in the exponent.
WEFT_INLINE Real weftPowMagnitude(Real x, Wide y) {
  Wide t = y * weftWideLog2(x);
  t = t < -160.0 ? (Wide)-160.0 : t;
  t = t > 130.0 ? (Wide)130.0 : t;
  Wide shifted = t + 0x1.8p52;
  Real r = TO(t - (shifted - 0x1.8p52), Real);
  return weftScale(weftExp2Poly(r), TO(AS(shifted, WideInt), Int));
}
#else
WEFT_INLINE Real weftPowMagnitude(Real x, Real y) { return pow(x, y); }
#endif

WEFT_INLINE Real weftPow(Real x, Real y) {
  Real magnitude = __builtin_elementwise_abs(x);
  Real value = weftPowMagnitude(magnitude, TO(y, Wide));
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
