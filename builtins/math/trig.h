// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of a body (see each_width.h): argument reduction by pi/2 and sin and cos on the rest.
// Reduction is Cody and Waite's with fused multiply-adds up to a bound; beyond it the product
// with the bits of 2/pi that matter is formed in integers, after Payne and Hanek.

#if REAL_IS_FLOAT
#define WEFT_TRIG_HUGE 0x1p21f

// x = m 2^e with a 24-bit m. Of m * 2^e * 2/pi only 2^1 and below count; `window` is the 96 bits
// of 2/pi that start there. Selected without tables, so that a loop over it becomes SIMD code.
WEFT_INLINE Real weftReduceHuge(Real x, __private Int* quadrant) {
  Uint magnitude = AS(x, Uint) & (uint)MAGNITUDE_MASK;
  Uint m = (magnitude & 0x7fffffu) | 0x800000u;
  // Four zero bits stand before the first one of 2/pi.
  Uint start = (magnitude >> 23) - (uint)(127 + 23) + 2u;
  Uint word = start >> 5;
  Uint shift = start & 31u;
  Int from1 = word >= 1u;
  Int from2 = word >= 2u;
  Int from3 = word >= 3u;
#define WEFT_PICK(a, b, c, d) (from3 ? (Uint)d : (from2 ? (Uint)c : (from1 ? (Uint)b : (Uint)a)))
  Uint w0 = WEFT_PICK(0x0a2f9836u, 0xe4e44152u, 0x9fc2757du, 0x1f534ddcu);
  Uint w1 = WEFT_PICK(0xe4e44152u, 0x9fc2757du, 0x1f534ddcu, 0x0db62959u);
  Uint w2 = WEFT_PICK(0x9fc2757du, 0x1f534ddcu, 0x0db62959u, 0x93c43904u);
  Uint w3 = WEFT_PICK(0x1f534ddcu, 0x0db62959u, 0x93c43904u, 0x1fe5163au);
#undef WEFT_PICK
  Uint back = 31u - shift;
  Uint window0 = (w0 << shift) | ((w1 >> 1) >> back);
  Uint window1 = (w1 << shift) | ((w2 >> 1) >> back);
  Uint window2 = (w2 << shift) | ((w3 >> 1) >> back);
  WideUint wide = TO(m, WideUint);
  WideUint product = (TO(m * window0, WideUint) << 32) + wide * TO(window1, WideUint) +
                     ((wide * TO(window2, WideUint)) >> 32);
  // The top two bits are the quadrant; the rest as a signed fraction rounds to the nearest.
  WideInt fraction = AS(product << 2, WideInt);
  Int turns = TO(product >> 62, Int) + TO((Uint)TO(AS(fraction, WideUint) >> 63, Uint), Int);
  Real r = TO(TO(fraction, Wide) * 0x1.921fb54442d18p-64, Real);
  Int negative = AS(x, Int) < 0;
  *quadrant = negative ? -turns : turns;
  r = negative ? -r : r;
  return magnitude >= (uint)INFINITY_BITS ? (Real)R(NAN) : r;
}

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
#define WEFT_TRIG_HUGE 0x1p30

#if WIDTH == 1
static const __constant ulong kWeftTwoOverPi[] = {
    0xa2f9836e4e441529UL, 0xfc2757d1f534ddc0UL, 0xdb6295993c439041UL, 0xfe5163abdebbc561UL,
    0xb7246e3a424dd2e0UL, 0x06492eea09d1921cUL, 0xfe1deb1cb129a73eUL, 0xe88235f52ebb4484UL,
    0xe99c7026b45f7e41UL, 0x3991d639835339f4UL, 0x9c845f8bbdf9283bUL, 0x1ff897ffde05980fUL,
    0xef2f118b5a0a6d1fUL, 0x6d367ecf27cb09b7UL, 0x4f463f669e5fea2dUL, 0x7527bac7ebe5f17bUL,
    0x3d0739f78a5292eaUL, 0x6bfb5fb11f8d5d08UL, 0x56033046fc7b6babUL,
};

// As for float, with 192 bits of 2/pi and the product to 128 bits.
WEFT_INLINE double weftReduceHuge(double x, __private long* quadrant) {
  ulong magnitude = AS(x, ulong) & (ulong)MAGNITUDE_MASK;
  if (magnitude >= (ulong)INFINITY_BITS) {
    *quadrant = 0;
    return NAN;
  }
  ulong m = (magnitude & 0xfffffffffffffUL) | 0x10000000000000UL;
  // The window starts at the bit of weight 2^1, or with up to 24 zero bits before the first.
  int start = (int)(magnitude >> 52) - (EXPONENT_BIAS + 52) - 2;
  int lead = start < 0 ? -start : 0;
  start += lead;
  int word = start >> 6;
  int shift = start & 63;
  ulong w0 = kWeftTwoOverPi[word];
  ulong w1 = kWeftTwoOverPi[word + 1];
  ulong w2 = kWeftTwoOverPi[word + 2];
  ulong w3 = kWeftTwoOverPi[word + 3];
  ulong a0 = (w0 << shift) | ((w1 >> 1) >> (63 - shift));
  ulong a1 = (w1 << shift) | ((w2 >> 1) >> (63 - shift));
  ulong a2 = (w2 << shift) | ((w3 >> 1) >> (63 - shift));
  if (lead != 0) {
    a2 = (a2 >> lead) | (a1 << (64 - lead));
    a1 = (a1 >> lead) | (a0 << (64 - lead));
    a0 >>= lead;
  }
  ulong low = m * a1;
  ulong high = m * a0 + WEFT_MUL_HI(m, a1);
  ulong carry = WEFT_MUL_HI(m, a2);
  low += carry;
  high += low < carry ? 1 : 0;
  ulong turns = high >> 62;
  long top = (long)((high << 2) | (low >> 62));
  ulong rest = low << 2;
  turns += top < 0 ? 1 : 0;
  double r = FMA((double)top, 0x1p-64, (double)rest * 0x1p-128);
  r *= 0x1.921fb54442d18p+0;
  bool negative = x < 0;
  *quadrant = negative ? -(long)turns : (long)turns;
  return negative ? -r : r;
}
#else
WEFT_INLINE Real weftReduceHuge(Real x, __private Int* quadrant) {
  Real r = x;
  Int q = 0;
  for (int i = 0; i < WIDTH; ++i) {
    if (__builtin_elementwise_abs(x[i]) < WEFT_TRIG_HUGE) continue;
    long lane;
    r[i] = weftReduceHuge(x[i], &lane);
    q[i] = lane;
  }
  *quadrant = q;
  return r;
}
#endif

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

// r in [-pi/4, pi/4] and the low bits of the quadrant; NaN for infinities.
WEFT_INLINE Real weftReduce(Real x, __private Int* quadrant) {
  Real r = weftReduceSmall(x, quadrant);
  Int huge = !(__builtin_elementwise_abs(x) < (Real)WEFT_TRIG_HUGE);
  if (ANY(huge)) {
    Int q;
    Real h = weftReduceHuge(x, &q);
    *quadrant = huge ? q : *quadrant;
    r = huge ? h : r;
  }
  return r;
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
#undef WEFT_TRIG_HUGE
