// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of a body (see each_width.h): x = (1 + f) 2^e with 1 + f in [sqrt 1/2, sqrt 2), and
// logarithms of 1 + f.

#include "math/estimate.h"

#ifndef WEFT_ROOT_HALF_BITS
#define WEFT_ROOT_HALF_BITS (REAL_IS_FLOAT ? (INT)0x3f3504f3 : (INT)0x3fe6a09e667f3bcdL)
#define WEFT_SMALLEST_NORMAL R(REAL_IS_FLOAT ? 0x1p-126 : 0x1p-1022)
#define WEFT_DENORMAL_LIFT R(REAL_IS_FLOAT ? 0x1p24 : 0x1p54)
#define WEFT_DENORMAL_SHIFT (REAL_IS_FLOAT ? 24 : 54)
#endif

// f of the bits of 1 + f, less those of sqrt 1/2 and with any exponent.
WEFT_INLINE Real weftFraction(Int bits) {
  Int fraction = bits & (((INT)1 << MANTISSA_BITS) - 1);
  return AS(fraction + WEFT_ROOT_HALF_BITS, Real) - R(1);
}

// Any positive finite x; f is exact.
WEFT_INLINE Real weftSplit(Real x, __private Int* exponent) {
  Int denormal = x < WEFT_SMALLEST_NORMAL;
  x = denormal ? x * WEFT_DENORMAL_LIFT : x;
  Int bits = AS(x, Int) - WEFT_ROOT_HALF_BITS;
  *exponent = (bits >> (INT)MANTISSA_BITS) - (denormal ? (Int)WEFT_DENORMAL_SHIFT : (Int)0);
  return weftFraction(bits);
}

// The same with the exponent as a Real. Hosts without 64-bit conversions and arithmetic shifts need
// neither for double: an exponent that is not negative is or-ed to 2^52.
WEFT_INLINE Real weftSplitReal(Real x, __private Real* e) {
  Int denormal = x < WEFT_SMALLEST_NORMAL;
  x = denormal ? x * WEFT_DENORMAL_LIFT : x;
#if REAL_IS_FLOAT
  Int bits = AS(x, Int) - WEFT_ROOT_HALF_BITS;
  Real exponent = TO(bits >> (INT)MANTISSA_BITS, Real);
#else
  Int bits = AS(x, Int) + (((INT)EXPONENT_BIAS << MANTISSA_BITS) - WEFT_ROOT_HALF_BITS);
  Uint field = AS(bits, Uint) >> (UINT)MANTISSA_BITS;
  Real exponent = AS(field | (UINT)0x4330000000000000UL, Real) - R(0x1p52 + EXPONENT_BIAS);
#endif
  *e = denormal ? exponent - R(WEFT_DENORMAL_SHIFT) : exponent;
  return weftFraction(bits);
}

// The same for normal numbers.
WEFT_INLINE Real weftSplitNormal(Real x, __private Real* e) {
#if REAL_IS_FLOAT
  Int bits = AS(x, Int) - WEFT_ROOT_HALF_BITS;
  *e = TO(bits >> (INT)MANTISSA_BITS, Real);
#else
  Int bits = AS(x, Int) + (((INT)EXPONENT_BIAS << MANTISSA_BITS) - WEFT_ROOT_HALF_BITS);
  Uint field = AS(bits, Uint) >> (UINT)MANTISSA_BITS;
  *e = AS(field | (UINT)0x4330000000000000UL, Real) - R(0x1p52 + EXPONENT_BIAS);
#endif
  return weftFraction(bits);
}

// The same for any positive finite x where weft_estimate_onhost().
#if WIDTH == 1
WEFT_INLINE Real weftSplitOnHost(Real x, __private Real* e) {
  Real m = weft_estimate_significand(x);
  *e = weft_estimate_exponent(x);
  const REAL root = REAL_IS_FLOAT ? 0x1.6a09e6p+0f : 0x1.6a09e667f3bcdp+0;
  Int large = m >= root;
  *e = large ? *e + R(1) : *e;
  return (large ? m * R(0.5) : m) - R(1);
}
#endif

// Whether x is no positive normal number.
WEFT_INLINE Int weftIsUnusual(Real x) {
  const UINT least = (UINT)1 << MANTISSA_BITS;
  return AS(x, Uint) - least >= (UINT)INFINITY_BITS - least;
}

// A logarithm's value, or its special case: -inf at 0, NaN below, inf and NaN unchanged. One
// question for each costs vectors less than one whether there is any.
WEFT_INLINE Real weftLogResult(Real x, Real value) {
  value = x < R(INFINITY) ? value : x;
  value = x == R(0) ? (Real)-R(INFINITY) : value;
  return x < R(0) ? (Real)R(NAN) : value;
}

#if REAL_IS_FLOAT
// (log(1 + f) - f) / f^2, and log(1 + f) / f to the base 2 and 10.
WEFT_INLINE Real weftLogTail(Real f) {
  Real f2 = f * f;
  Real f4 = f2 * f2;
  Real p =
      FMA(f4, POLY_4(FMA, f, f2, 0x1.227168p-3f, -0x1.0f446ep-3f, 0x1.08488cp-3f, -0x1.37ed9cp-4f),
          POLY_4(FMA, f, f2, 0x1.55555p-2f, -0x1.000432p-2f, 0x1.99a3fcp-3f, -0x1.5425acp-3f));
  return FMA(f, p, -0x1.fffff8p-2f);
}
WEFT_INLINE Real weftLog2Poly(Real f) {
  Real f2 = f * f;
  Real f4 = f2 * f2;
  Real p = FMA(f4, -0x1.7a29f8p-4f,
               POLY_4(FMA, f, f2, -0x1.eb238ap-3f, 0x1.a87b1p-3f, -0x1.88f6fap-3f, 0x1.604872p-3f));
  p = FMA(f4, p,
          POLY_4(FMA, f, f2, -0x1.715476p-1f, 0x1.ec71a2p-2f, -0x1.7156e2p-2f, 0x1.2751cep-2f));
  return FMA(f, p, 0x1.715476p+0f);
}
WEFT_INLINE Real weftLog10Poly(Real f) {
  Real f2 = f * f;
  Real f4 = f2 * f2;
  Real p = FMA(f4, -0x1.86c5bp-5f,
               POLY_4(FMA, f, f2, -0x1.288d84p-4f, 0x1.eccd2ap-5f, -0x1.bb0dcp-5f, 0x1.fdf86cp-5f));
  p = FMA(f4, p,
          POLY_4(FMA, f, f2, -0x1.bcb7b2p-3f, 0x1.28791ap-3f, -0x1.bcb6d4p-4f, 0x1.643d9p-4f));
  return FMA(f, p, 0x1.bcb7b2p-2f);
}
// log2(1 + f) / f to 33 bits.
WEFT_INLINE Wide weftWideLog2Poly(Wide f) {
  Wide f2 = f * f;
  Wide f4 = f2 * f2;
  Wide p = WIDE_FMA(f4,
                    POLY_4(WIDE_FMA, f, f2, 0x1.45acdd10d5516p-3, -0x1.4187f7824b252p-3,
                           0x1.3cf1ea77b9714p-3, -0x1.6112c546fe2bep-4),
                    POLY_4(WIDE_FMA, f, f2, 0x1.2777352e0425fp-2, -0x1.ec8d69f0ca645p-3,
                           0x1.a61519df3ad1ep-3, -0x1.6eb060f89371ap-3));
  return WIDE_FMA(f4, p,
                  POLY_4(WIDE_FMA, f, f2, 0x1.71547652f0996p+0, -0x1.7154767b9bfafp-1,
                         0x1.ec709bfabf5bp-2, -0x1.71543608662f1p-2));
}
// log2((1 + f) 2^exponent) to 33 bits, for powers.
WEFT_INLINE Wide weftWideLog2Of(Real f, Int exponent) {
  Wide wide = TO(f, Wide);
  return WIDE_FMA(wide, weftWideLog2Poly(wide), TO(exponent, Wide));
}
// The same of x >= 0; of a NaN a NaN.
WEFT_INLINE Wide weftWideLog2(Real x) {
  Int exponent;
  Real f = weftSplit(x, &exponent);
  Wide value = weftWideLog2Of(f, exponent);
  Wide wide = TO(x, Wide);
  value = wide < (double)INFINITY ? value : wide;
  return wide == 0.0 ? (Wide) - (double)INFINITY : value;
}
#else
// What is missing from f to log(1 + f), with a minus: with s = f / (2 + f) and
// log(1 + f) = 2 atanh s = 2 s + 2 s z Q(z), z = s^2, where 2 s = f - s f.
WEFT_INLINE Real weftLogTail(Real f) {
  Real s = f / (R(2) + f);
  Real z = s * s;
  Real z2 = z * z;
  Real z4 = z2 * z2;
  Real p = FMA(z4,
               POLY_4(FMA, z, z2, 0x1.745c709225fcep-4, 0x1.3b363b4e2c9bp-4, 0x1.0d4605d3b955fp-4,
                      0x1.23ad056fcadfp-4),
               POLY_4(FMA, z, z2, 0x1.5555555555555p-2, 0x1.999999999a1c9p-3, 0x1.2492492385a78p-3,
                      0x1.c71c7372efc7bp-4));
  return s * (f - R(2) * z * p);
}
#endif

// log((1 + f) 2^e) to the bases e, 2 and 10.
WEFT_INLINE Real weftLogOf(Real f, Real e) {
#if REAL_IS_FLOAT
  // The float next to log 2 is within 2^-28 of it.
  return FMA(e, 0x1.62e43p-1f, FMA(f * f, weftLogTail(f), f));
#else
  Real value = f - FMA(e, -0x1.9ef35793c7673p-41, weftLogTail(f));
  return FMA(e, 0x1.62e42fefa2p-1, value);
#endif
}
WEFT_INLINE Real weftLog2Of(Real f, Real e) {
#if REAL_IS_FLOAT
  return FMA(f, weftLog2Poly(f), e);
#else
  return FMA(f - weftLogTail(f), 0x1.71547652b82fep+0, e);
#endif
}
WEFT_INLINE Real weftLog10Of(Real f, Real e) {
#if REAL_IS_FLOAT
  Real value = FMA(f, weftLog10Poly(f), e * 0x1.3509f8p-18f);
  return FMA(e, 0x1.344p-2f, value);
#else
  Real value = FMA(f - weftLogTail(f), 0x1.bcb7b1526e50ep-2, e * 0x1.9fef311f12b36p-42);
  return FMA(e, 0x1.34413509f6p-2, value);
#endif
}

// log x for any x.
WEFT_INLINE Real weftLog(Real x) {
  Real e;
  Real f = weftSplitReal(x, &e);
  return weftLogResult(x, weftLogOf(f, e));
}
