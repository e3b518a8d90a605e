// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "half/arithmetic.cl"
#include "half/half_width.h"
#else
WEFT_UNARY(ceil)
WEFT_UNARY(floor)
WEFT_UNARY(trunc)
WEFT_UNARY(rint)
WEFT_UNARY(round)
WEFT_BINARY(fdim)
// As for the wider types (math/minmax.cl).
WEFT_CONST Half fmin(Half x, Half y) { return ((y != y) | (x < y)) ? x : y; }
WEFT_CONST Half fmax(Half x, Half y) { return ((y != y) | (x > y)) ? x : y; }
#if WIDTH > 1
WEFT_CONST Half fmin(Half x, half y) { return fmin(x, (Half)y); }
WEFT_CONST Half fmax(Half x, half y) { return fmax(x, (Half)y); }
#endif
WEFT_CONST Half minmag(Half x, Half y) {
  Half a = __builtin_elementwise_abs(x);
  Half b = __builtin_elementwise_abs(y);
  return a < b ? x : (b < a ? y : fmin(x, y));
}
WEFT_CONST Half maxmag(Half x, Half y) {
  Half a = __builtin_elementwise_abs(x);
  Half b = __builtin_elementwise_abs(y);
  return a > b ? x : (b > a ? y : fmax(x, y));
}
WEFT_CONST Half fabs(Half x) { return __builtin_elementwise_abs(x); }
WEFT_CONST Half copysign(Half x, Half y) { return __builtin_elementwise_copysign(x, y); }

// The product is exact in float. The sum is rounded to odd, which leaves the rounding to half as
// if it were the only one.
WEFT_CONST Half fma(Half a, Half b, Half c) {
  Single product = TO(a, Single) * TO(b, Single);
  Single addend = TO(c, Single);
  Single sum = product + addend;
  Single part = sum - product;
  Single rest = (product - (sum - part)) + (addend - part);
  // Towards zero where the rest points there, then odd.
  Int32 bits = AS(sum, Int32);
  Int32 inward = TO((AS(rest, Int32) ^ bits) < 0, Int32);
  Int32 inexact = TO((rest < 0.0f) | (rest > 0.0f), Int32);
  Int32 odd = (bits - (inward & 1)) | 1;
  return TO(AS(inexact ? odd : bits, Single), Half);
}
WEFT_CONST Half mad(Half a, Half b, Half c) {
  return TO(TO(a, Single) * TO(b, Single) + TO(c, Single), Half);
}
#endif
