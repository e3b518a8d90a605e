// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// Counts are taken modulo the number of bits, negative ones too.
#define ROTATE(n, T, U, bits)                                                             \
  WEFT_CONST T##n rotate(T##n value, T##n count) {                                        \
    U##n x = WEFT_AS(U##n, value);                                                        \
    U##n left = WEFT_AS(U##n, count) & (U##n)(bits - 1);                                  \
    U##n right = (U##n)(((U##n)(bits) - left) & (U##n)(bits - 1));                        \
    return WEFT_AS(T##n, (U##n)(x << left | x >> right));                                 \
  }
#define ALL(T, S, U, bits) WEFT_FOR_SIZES(ROTATE, T, U, bits)

WEFT_FOR_INTEGERS(ALL)
