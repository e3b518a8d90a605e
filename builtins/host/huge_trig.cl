// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
// Compiled for the host once, when the library is built, and called from kernels there: for nearly
// none of them is it worth milliseconds of its first launch.
#define WEFT_BODY "host/huge_trig.cl"
#define WEFT_ONE_WIDTH
#include "math/double_width.h"

#include "math/float_width.h"
#else
#include "math/trig.h"
#if !REAL_IS_FLOAT
// After Payne and Hanek: the product with those bits of 2/pi that matter, in integers.
static const __constant ulong kWeftTwoOverPi[] = {
    0xa2f9836e4e441529UL, 0xfc2757d1f534ddc0UL, 0xdb6295993c439041UL, 0xfe5163abdebbc561UL,
    0xb7246e3a424dd2e0UL, 0x06492eea09d1921cUL, 0xfe1deb1cb129a73eUL, 0xe88235f52ebb4484UL,
    0xe99c7026b45f7e41UL, 0x3991d639835339f4UL, 0x9c845f8bbdf9283bUL, 0x1ff897ffde05980fUL,
    0xef2f118b5a0a6d1fUL, 0x6d367ecf27cb09b7UL, 0x4f463f669e5fea2dUL, 0x7527bac7ebe5f17bUL,
    0x3d0739f78a5292eaUL, 0x6bfb5fb11f8d5d08UL, 0x56033046fc7b6babUL,
};

// x = m 2^e with a 53-bit m. Of m 2^e 2/pi only the bits of weight 2^1 and below count; they come
// from 192 bits of 2/pi, of which the product is taken to 128 bits.
WEFT_INLINE double weftReduceHuge(double x, __private long* quadrant) {
  ulong magnitude = AS(x, ulong) & (ulong)MAGNITUDE_MASK;
  ulong m = (magnitude & 0xfffffffffffffUL) | 0x10000000000000UL;
  // The window starts at the bit of weight 2^1, or with up to 33 zero bits before the first.
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
// The rest is exact enough for float by far.
WEFT_INLINE Real weftReduceHuge(Real x, __private Int* quadrant) {
  long q;
  Real r = (Real)weftReduceHuge((double)x, &q);
  *quadrant = (Int)q;
  return r;
}
#endif
WEFT_RARE Real weft_rare_sin(Real x) {
  Int quadrant;
  Real r = weftReduceHuge(x, &quadrant);
  return weftSinOf(r, quadrant);
}
WEFT_RARE Real weft_rare_cos(Real x) {
  Int quadrant;
  Real r = weftReduceHuge(x, &quadrant);
  return weftSinOf(r, quadrant + (INT)1);
}
WEFT_RARE Real weft_rare_tan(Real x) {
  Int quadrant;
  Real r = weftReduceHuge(x, &quadrant);
  return weftTanOf(r, quadrant);
}
#endif
