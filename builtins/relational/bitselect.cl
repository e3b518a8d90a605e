// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

#define BITSELECT(n, T, U)                                                                \
  WEFT_CONST T##n bitselect(T##n a, T##n b, T##n c) {                                     \
    U##n mask = WEFT_AS(U##n, c);                                                         \
    return WEFT_AS(T##n, (U##n)((WEFT_AS(U##n, a) & ~mask) | (WEFT_AS(U##n, b) & mask))); \
  }
#define ALL(T, S, U, bits) WEFT_FOR_SIZES(BITSELECT, T, U)

WEFT_FOR_INTEGERS(ALL)
WEFT_FOR_SIZES(BITSELECT, float, uint)
WEFT_FOR_SIZES(BITSELECT, double, ulong)
WEFT_FOR_SIZES(BITSELECT, half, ushort)
