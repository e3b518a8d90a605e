// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// Zeros keep their sign; NaN gives 0.
#define SIGN(n, T)                                                                        \
  WEFT_CONST T##n sign(T##n x) {                                                          \
    T##n one = __builtin_elementwise_copysign((T##n)((T)1), x);                           \
    T##n ordered = x == (T##n)((T)0) ? x : one;                                           \
    return x == x ? ordered : (T##n)((T)0);                                               \
  }

WEFT_FOR_SIZES(SIGN, float)
WEFT_FOR_SIZES(SIGN, double)
WEFT_FOR_SIZES(SIGN, half)
