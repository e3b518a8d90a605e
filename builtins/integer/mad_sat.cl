// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "integer/wide.h"

// Multiply and add in twice the width, where nothing overflows, then clamp.
#define MAD_SAT(n, T, W, low, high)                                                       \
  WEFT_CONST T##n mad_sat(T##n a, T##n b, T##n c) {                                       \
    W##n wide = WEFT_CONVERT(n, W, a) * WEFT_CONVERT(n, W, b) + WEFT_CONVERT(n, W, c);    \
    wide = __builtin_elementwise_max(wide, (W##n)(low));                                  \
    return WEFT_CONVERT(n, T, __builtin_elementwise_min(wide, (W##n)(high)));             \
  }
WEFT_FOR_SIZES(MAD_SAT, char, int, CHAR_MIN, CHAR_MAX)
WEFT_FOR_SIZES(MAD_SAT, uchar, uint, 0, UCHAR_MAX)
WEFT_FOR_SIZES(MAD_SAT, short, int, SHRT_MIN, SHRT_MAX)
WEFT_FOR_SIZES(MAD_SAT, ushort, uint, 0, USHRT_MAX)
WEFT_FOR_SIZES(MAD_SAT, int, long, INT_MIN, INT_MAX)
WEFT_FOR_SIZES(MAD_SAT, uint, ulong, 0, UINT_MAX)

WEFT_CONST long mad_sat(long a, long b, long c) {
  weft_wide_long wide = (weft_wide_long)a * b + c;
  if (wide > LONG_MAX) wide = LONG_MAX;
  if (wide < LONG_MIN) wide = LONG_MIN;
  return (long)wide;
}
WEFT_CONST ulong mad_sat(ulong a, ulong b, ulong c) {
  weft_wide_ulong wide = (weft_wide_ulong)a * b + c;
  return wide > ULONG_MAX ? ULONG_MAX : (ulong)wide;
}

#define LANE(i) mad_sat(a[i], b[i], c[i])
#define MAD_SAT_VECTOR(n, T) \
  WEFT_CONST T##n mad_sat(T##n a, T##n b, T##n c) { return (T##n)(WEFT_LANES_##n(LANE)); }
WEFT_FOR_VECTORS(MAD_SAT_VECTOR, long)
WEFT_FOR_VECTORS(MAD_SAT_VECTOR, ulong)
