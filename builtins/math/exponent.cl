// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#include "math/address_spaces.h"
#define WEFT_BODY "math/exponent.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
// The exponent field of |x| with denormals brought to normal first.
WEFT_INLINE Int weftExponent(Real x, __private Real* normal) {
  const REAL lift = REAL_IS_FLOAT ? (REAL)0x1p24 : (REAL)0x1p54;
  const INT lifted = REAL_IS_FLOAT ? 24 : 54;
  Int magnitude = AS(x, Int) & (INT)MAGNITUDE_MASK;
  Int denormal = magnitude < ((INT)1 << MANTISSA_BITS);
  Real scaled = denormal ? x * lift : x;
  *normal = scaled;
  Int field = (AS(scaled, Int) & (INT)MAGNITUDE_MASK) >> (INT)MANTISSA_BITS;
  return field - (INT)EXPONENT_BIAS - (denormal ? (Int)lifted : (Int)0);
}

WEFT_CONST Int32 ilogb(Real x) {
  Real unused;
  Int exponent = weftExponent(x, &unused);
  Int magnitude = AS(x, Int) & (INT)MAGNITUDE_MASK;
  exponent = magnitude == (INT)0 ? (Int)FP_ILOGB0 : exponent;
  exponent = magnitude == (INT)INFINITY_BITS ? (Int)INT_MAX : exponent;
  exponent = magnitude > (INT)INFINITY_BITS ? (Int)FP_ILOGBNAN : exponent;
  return TO(exponent, Int32);
}

WEFT_CONST Real logb(Real x) {
  Real unused;
  Real result = TO(weftExponent(x, &unused), Real);
  Int magnitude = AS(x, Int) & (INT)MAGNITUDE_MASK;
  result = magnitude == (INT)0 ? (Real)-R(INFINITY) : result;
  return magnitude >= (INT)INFINITY_BITS ? x * x : result;
}

// Rounds once: the result's exponent is set directly where it is normal, else a power of two
// below it is set and the last step down is a multiplication.
WEFT_CONST Real ldexp(Real x, Int32 k) {
  const INT step = 2 * MANTISSA_BITS;
  const INT least = 1 - EXPONENT_BIAS;
  Real normal;
  Int exponent = weftExponent(x, &normal);
  Int shift = TO(k, Int);
  shift = shift > (INT)(8 * EXPONENT_BIAS) ? (Int)(8 * EXPONENT_BIAS) : shift;
  shift = shift < (INT)(-8 * EXPONENT_BIAS) ? (Int)(-8 * EXPONENT_BIAS) : shift;
  Int target = exponent + shift;
  Int low = target < least;
  Int over = target > (INT)EXPONENT_BIAS;
  Int field = low ? target + step : target;
  // Less than half of the least denormal all rounds to zero alike.
  field = field < least ? (Int)least : field;
  Int fraction = AS(normal, Int) & ~(Int)INFINITY_BITS;
  Int bits = fraction | ((field + (INT)EXPONENT_BIAS) << (INT)MANTISSA_BITS);
  Real down = AS((Int)((INT)(EXPONENT_BIAS - step) << MANTISSA_BITS), Real);
  Real scaled = AS(bits, Real);
  scaled = low ? scaled * down : scaled;
  Int sign = AS(x, Int) & ~(Int)MAGNITUDE_MASK;
  scaled = over ? AS(sign | (INT)INFINITY_BITS, Real) : scaled;
  Int magnitude = AS(x, Int) & (INT)MAGNITUDE_MASK;
  return ((magnitude == (INT)0) | (magnitude >= (INT)INFINITY_BITS)) ? x + x : scaled;
}
#if WIDTH > 1
WEFT_CONST Real ldexp(Real x, int k) { return ldexp(x, (Int32)k); }
#endif

WEFT_INLINE Real weftFrexp(Real x, __private Int32* exponent) {
  Real normal;
  Int e = weftExponent(x, &normal) + (INT)1;
  Int magnitude = AS(x, Int) & (INT)MAGNITUDE_MASK;
  Int whole = (magnitude == (INT)0) | (magnitude >= (INT)INFINITY_BITS);
  Int bits = (AS(normal, Int) & ~(Int)INFINITY_BITS) | ((INT)(EXPONENT_BIAS - 1) << MANTISSA_BITS);
  *exponent = TO(whole ? (Int)0 : e, Int32);
  return whole ? x + x : AS(bits, Real);
}
#define WEFT_FORM(space)                               \
  WEFT_API Real frexp(Real x, space Int32* exponent) { \
    Int32 e;                                           \
    Real r = weftFrexp(x, &e);                         \
    *exponent = e;                                     \
    return r;                                          \
  }
WEFT_ADDRESS_SPACES(WEFT_FORM)
#undef WEFT_FORM
#endif
