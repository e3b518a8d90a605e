// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/from_integer.h"
#include "convert/narrow_half.h"

// An integer that float cannot hold is beyond the largest half, so that going through float
// rounds once only.
#define THROUGH(n, S, W)                                                       \
  WEFT_DEFINE_NEAREST(n, half, S, weftToHalf_rte(WEFT_CONVERT(n, W, x)))       \
  WEFT_DEFINE(n, half, _rtz, S, weftToHalf_rtz(WEFT_CONVERT(n, W, x)))         \
  WEFT_DEFINE(n, half, _rtp, S, weftToHalf_rtp(WEFT_CONVERT(n, W, x)))         \
  WEFT_DEFINE(n, half, _rtn, S, weftToHalf_rtn(WEFT_CONVERT(n, W, x)))
#define INTEGER(T, S, U, bits) WEFT_FOR_SIZES(THROUGH, T, float)

WEFT_FOR_INTEGERS(INTEGER)
WEFT_FOR_SIZES(THROUGH, float, float)
WEFT_FOR_SIZES(THROUGH, double, double)
WEFT_FOR_SIZES(WEFT_EXACT, half, half)
