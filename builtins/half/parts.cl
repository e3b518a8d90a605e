// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "half/parts.cl"
#include "half/half_width.h"
#else
// Below one even where the exact difference rounds to it.
WEFT_INLINE Half weftFract(Half x, Half whole) {
  Half part = TO(TO(x, Single) - TO(whole, Single), Half);
  part = part > (Half)0x1.ffcp-1h ? (Half)0x1.ffcp-1h : part;
  Int16 magnitude = AS(x, Int16) & (Int16)0x7fff;
  Int16 zero = (magnitude == (Int16)0) | (magnitude == (Int16)0x7c00);
  return zero ? AS((Int16)(AS(x, Int16) & (Int16)(short)0x8000), Half) : part;
}
WEFT_POINTER_FORM(modf, Single)
WEFT_POINTER_FORM(frexp, Int32)
#define WEFT_FORM(space)                           \
  WEFT_API Half fract(Half x, space Half* whole) { \
    Half w = __builtin_elementwise_floor(x);       \
    *whole = w;                                    \
    return weftFract(x, w);                        \
  }                                                \
  WEFT_POINTER(space, modf, Half, Single)          \
  WEFT_POINTER(space, frexp, Int32, Int32)
WEFT_ADDRESS_SPACES(WEFT_FORM)
#undef WEFT_FORM

WEFT_CONST Int32 ilogb(Single x);
WEFT_CONST Int32 ilogb(Half x) { return ilogb(TO(x, Single)); }
WEFT_UNARY(logb)
WEFT_WITH_INT(ldexp)
#if WIDTH > 1
WEFT_CONST Half ldexp(Half x, int n) { return ldexp(x, (Int32)n); }
#endif

// A quiet NaN that carries the code as far as it fits.
WEFT_CONST Half nan(Uint16 code) {
  return AS((Uint16)((code & (Uint16)0x1ff) | (Uint16)0x7e00), Half);
}

// On integers that order like the numbers, both zeros being 0.
WEFT_CONST Half nextafter(Half x, Half y) {
  Int32 a = TO(AS(x, Int16), Int32);
  Int32 b = TO(AS(y, Int16), Int32);
  a = a < 0 ? -32768 - a : a;
  b = b < 0 ? -32768 - b : b;
  Int32 next = a < b ? a + 1 : a - 1;
  // Minus the smallest denormal steps up to -0.
  Int32 bits = next < 0 ? -32768 - next : next;
  bits = ((a == -1) & (a < b)) ? (Int32)-32768 : bits;
  Half stepped = AS(TO(bits, Int16), Half);
  stepped = x == y ? y : stepped;
  return ((x != x) | (y != y)) ? x + y : stepped;
}
#endif
