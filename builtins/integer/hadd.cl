// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// (x + y) >> 1 and (x + y + 1) >> 1 without the carry: common bits count twice, others once.
#define HADD(n, T)                                                                      \
  WEFT_CONST T##n hadd(T##n x, T##n y) { return (T##n)((x & y) + ((x ^ y) >> (T##n)1)); } \
  WEFT_CONST T##n rhadd(T##n x, T##n y) { return (T##n)((x | y) - ((x ^ y) >> (T##n)1)); }
#define ALL(T, S, U, bits) WEFT_FOR_SIZES(HADD, T)

WEFT_FOR_INTEGERS(ALL)
