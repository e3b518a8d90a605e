// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// The low half is always unsigned.
#define UPSAMPLE(n, R, UR, H, L, bits)                                                    \
  WEFT_CONST R##n upsample(H##n high, L##n low) {                                         \
    return WEFT_AS(R##n, (UR##n)(WEFT_CONVERT(n, UR, high) << (UR##n)(bits) |             \
                                 WEFT_CONVERT(n, UR, low)));                              \
  }

WEFT_FOR_SIZES(UPSAMPLE, short, ushort, char, uchar, 8)
WEFT_FOR_SIZES(UPSAMPLE, ushort, ushort, uchar, uchar, 8)
WEFT_FOR_SIZES(UPSAMPLE, int, uint, short, ushort, 16)
WEFT_FOR_SIZES(UPSAMPLE, uint, uint, ushort, ushort, 16)
WEFT_FOR_SIZES(UPSAMPLE, long, ulong, int, uint, 32)
WEFT_FOR_SIZES(UPSAMPLE, ulong, ulong, uint, uint, 32)
