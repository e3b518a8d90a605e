// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/from_integer.h"

WEFT_FOR_SIZES(WEFT_EXACT, double, char)
WEFT_FOR_SIZES(WEFT_EXACT, double, uchar)
WEFT_FOR_SIZES(WEFT_EXACT, double, short)
WEFT_FOR_SIZES(WEFT_EXACT, double, ushort)
WEFT_FOR_SIZES(WEFT_EXACT, double, int)
WEFT_FOR_SIZES(WEFT_EXACT, double, uint)
WEFT_FOR_SIZES(WEFT_EXACT, double, half)
WEFT_FOR_SIZES(WEFT_EXACT, double, float)
WEFT_FOR_SIZES(WEFT_EXACT, double, double)
WEFT_DIRECTED(double, long, ulong, 64, long, 53, 1023)
