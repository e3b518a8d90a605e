// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "weft_common.h"

// M(n, type, unsigned type, bits, type of twice the width) where that type exists.
#define WEFT_FOR_WIDENING(M)             \
  WEFT_FOR_SIZES(M, char, uchar, 8, short)    \
  WEFT_FOR_SIZES(M, uchar, uchar, 8, ushort)  \
  WEFT_FOR_SIZES(M, short, ushort, 16, int)   \
  WEFT_FOR_SIZES(M, ushort, ushort, 16, uint) \
  WEFT_FOR_SIZES(M, int, uint, 32, long)      \
  WEFT_FOR_SIZES(M, uint, uint, 32, ulong)

typedef _BitInt(128) weft_wide_long;
typedef unsigned _BitInt(128) weft_wide_ulong;

// Defines the vector forms of a function of 64-bit integers from its scalar form.
#define WEFT_LANES_2(f) f(0), f(1)
#define WEFT_LANES_3(f) f(0), f(1), f(2)
#define WEFT_LANES_4(f) f(0), f(1), f(2), f(3)
#define WEFT_LANES_8(f) WEFT_LANES_4(f), f(4), f(5), f(6), f(7)
#define WEFT_LANES_16(f) \
  WEFT_LANES_8(f), f(8), f(9), f(10), f(11), f(12), f(13), f(14), f(15)
