// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop behind float_width.h and double_width.h. In a vector width a comparison gives all
// ones, in the scalar one it gives 1: both are good for `c ? a : b`, `&`, `|` and `!`.
#include "weft_common.h"

#ifndef WEFT_MUL_HI
// The high half of a 64-bit product.
#define WEFT_MUL_HI(a, b) weftMulHi(a, b)
WEFT_INLINE ulong weftMulHi(ulong a, ulong b) {
  ulong a0 = a & 0xffffffffUL;
  ulong a1 = a >> 32;
  ulong b0 = b & 0xffffffffUL;
  ulong b1 = b >> 32;
  ulong middle = a1 * b0 + ((a0 * b0) >> 32);
  ulong other = a0 * b1 + (middle & 0xffffffffUL);
  return a1 * b1 + (middle >> 32) + (other >> 32);
}
#endif

#define R(c) ((REAL)(c))
#define AS(x, Type) __builtin_astype(x, Type)
#define FMA(a, b, c) __builtin_elementwise_fma((Real)(a), (Real)(b), (Real)(c))
#define WIDE_FMA(a, b, c) __builtin_elementwise_fma((Wide)(a), (Wide)(b), (Wide)(c))
// Polynomials of x by pairs of coefficients, the lowest first: a chain of multiplications and
// additions a third as long as Horner's, which is what a processor waits for.
#define POLY_2(F, x, a, b) F(x, b, a)
#define POLY_4(F, x, x2, a, b, c, d) F(x2, POLY_2(F, x, c, d), POLY_2(F, x, a, b))

#define WIDTH 1
#define TO(x, Type) ((Type)(x))
#define ANY(c) (c)
#define WHERE(c, value, call) \
  if (c) value = call
#define LANE(x) x
#define Real REAL
#define Int INT
#define Uint UINT
#define Int32 int
#define Uint32 uint
#define Wide double
#define WideInt long
#define WideUint ulong
#include WEFT_BODY
#undef Real
#undef Int
#undef Uint
#undef Int32
#undef Uint32
#undef Wide
#undef WideInt
#undef WideUint
#undef WIDTH
#undef TO
#undef ANY
#undef WHERE
#undef LANE

#ifndef WEFT_ONE_WIDTH
#define TO(x, Type) __builtin_convertvector(x, Type)
#define ANY(c) (__builtin_reduce_or(c) != 0)
#define WHERE(c, value, call)                \
  if (ANY(c))                                \
    for (int lane = 0; lane < WIDTH; ++lane) \
      if ((c)[lane]) (value)[lane] = call
#define LANE(x) (x)[lane]
#define Real WEFT_CAT(REAL, WIDTH)
#define Int WEFT_CAT(INT, WIDTH)
#define Uint WEFT_CAT(UINT, WIDTH)
#define Int32 WEFT_CAT(int, WIDTH)
#define Uint32 WEFT_CAT(uint, WIDTH)
#define Wide WEFT_CAT(double, WIDTH)
#define WideInt WEFT_CAT(long, WIDTH)
#define WideUint WEFT_CAT(ulong, WIDTH)
#define WIDTH 2
#include WEFT_BODY
#undef WIDTH
#define WIDTH 3
#include WEFT_BODY
#undef WIDTH
#define WIDTH 4
#include WEFT_BODY
#undef WIDTH
#define WIDTH 8
#include WEFT_BODY
#undef WIDTH
#define WIDTH 16
#include WEFT_BODY
#undef WIDTH
#undef Real
#undef Int
#undef Uint
#undef Int32
#undef Uint32
#undef Wide
#undef WideInt
#undef WideUint
#undef TO
#undef ANY
#undef WHERE
#undef LANE
#endif
#undef R
#undef AS
#undef FMA
#undef WIDE_FMA
#undef POLY_2
#undef POLY_4
