// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// A scalar condition is true when it is not zero, a component of a vector when its most
// significant bit is set; Clang's conditional operator has these very rules.
#define SELECT(n, T, C) \
  WEFT_CONST T##n select(T##n a, T##n b, C##n c) { return c ? b : a; }
#define BOTH(T, S, U) WEFT_FOR_SIZES(SELECT, T, S) WEFT_FOR_SIZES(SELECT, T, U)
#define ALL(T, S, U, bits) BOTH(T, S, U)

WEFT_FOR_INTEGERS(ALL)
BOTH(float, int, uint)
BOTH(double, long, ulong)
BOTH(half, short, ushort)
