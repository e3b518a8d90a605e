// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// Decided on the bits, so that denormals count as such whatever the processor makes of them.
// `inf` is the bit pattern of infinity, `least` that of the smallest normal number.
#define CLASSIFY(n, T, R, I, U, inf, least)                                               \
  WEFT_CONST R##n isfinite(T##n x) { return MAGNITUDE(n, x, I) < (I##n)(inf); }           \
  WEFT_CONST R##n isinf(T##n x) { return MAGNITUDE(n, x, I) == (I##n)(inf); }             \
  WEFT_CONST R##n isnormal(T##n x) {                                                      \
    return (U##n)(WEFT_AS(U##n, MAGNITUDE(n, x, I)) - (U##n)(least)) < (U##n)((inf) - (least)); \
  }
#define MAGNITUDE(n, x, I) WEFT_AS(I##n, __builtin_elementwise_abs(x))

// 1 for scalars and all ones for vectors.
#define SIGNBIT_SCALAR(T, I) \
  WEFT_CONST int signbit(T x) { return WEFT_AS(I, x) < 0; }
#define SIGNBIT_VECTOR(n, T, I) \
  WEFT_CONST I##n signbit(T##n x) { return WEFT_AS(I##n, x) < (I##n)((I)0); }

#define ALL(T, I, U, inf, least)                                                          \
  CLASSIFY(, T, int, I, U, inf, least)                                                    \
  WEFT_FOR_VECTORS(CLASSIFY, T, I, I, U, inf, least)                                      \
  SIGNBIT_SCALAR(T, I)                                                                    \
  WEFT_FOR_VECTORS(SIGNBIT_VECTOR, T, I)

ALL(float, int, uint, 0x7f800000, 0x00800000)
ALL(double, long, ulong, 0x7ff0000000000000, 0x0010000000000000)
ALL(half, short, ushort, (short)0x7c00, (short)0x0400)
