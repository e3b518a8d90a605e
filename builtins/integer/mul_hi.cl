// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "integer/wide.h"

#define MUL_HI(n, T, U, bits, W)                                                          \
  WEFT_CONST T##n mul_hi(T##n x, T##n y) {                                                \
    return WEFT_CONVERT(n, T, WEFT_CONVERT(n, W, x) * WEFT_CONVERT(n, W, y) >> (W##n)(bits)); \
  }
#define MUL_HI_64(T) \
  WEFT_CONST T mul_hi(T x, T y) { return (T)((weft_wide_##T)x * (weft_wide_##T)y >> 64); }
#define LANE(i) mul_hi(x[i], y[i])
#define MUL_HI_64_VECTOR(n, T) \
  WEFT_CONST T##n mul_hi(T##n x, T##n y) { return (T##n)(WEFT_LANES_##n(LANE)); }

WEFT_FOR_WIDENING(MUL_HI)
MUL_HI_64(long)
MUL_HI_64(ulong)
WEFT_FOR_VECTORS(MUL_HI_64_VECTOR, long)
WEFT_FOR_VECTORS(MUL_HI_64_VECTOR, ulong)

// The sum wraps around; it is unsigned so that this is no overflow.
#define MAD_HI(n, T, U)                                                                   \
  WEFT_CONST T##n mad_hi(T##n a, T##n b, T##n c) {                                        \
    return WEFT_AS(T##n, (U##n)(WEFT_AS(U##n, mul_hi(a, b)) + WEFT_AS(U##n, c)));         \
  }
#define ALL(T, S, U, bits) WEFT_FOR_SIZES(MAD_HI, T, U)

WEFT_FOR_INTEGERS(ALL)
