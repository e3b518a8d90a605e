// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

#define SATURATING(n, T)                                                                     \
  WEFT_CONST T##n add_sat(T##n x, T##n y) { return __builtin_elementwise_add_sat(x, y); }    \
  WEFT_CONST T##n sub_sat(T##n x, T##n y) { return __builtin_elementwise_sub_sat(x, y); }
// Clang promotes narrow scalars to int, where nothing saturates.
#define NARROW_SCALAR(T, low, high)                                                          \
  WEFT_CONST T add_sat(T x, T y) {                                                           \
    return (T)__builtin_elementwise_min(__builtin_elementwise_max(x + y, low), high);        \
  }                                                                                          \
  WEFT_CONST T sub_sat(T x, T y) {                                                           \
    return (T)__builtin_elementwise_min(__builtin_elementwise_max(x - y, low), high);        \
  }
#define VECTORS(T, S, U, bits) WEFT_FOR_VECTORS(SATURATING, T)

NARROW_SCALAR(char, CHAR_MIN, CHAR_MAX)
NARROW_SCALAR(uchar, 0, UCHAR_MAX)
NARROW_SCALAR(short, SHRT_MIN, SHRT_MAX)
NARROW_SCALAR(ushort, 0, USHRT_MAX)
SATURATING(, int)
SATURATING(, uint)
SATURATING(, long)
SATURATING(, ulong)
WEFT_FOR_INTEGERS(VECTORS)
