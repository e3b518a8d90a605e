// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// Operands beyond 24 bits give an implementation-defined result: that of a full multiplication,
// which is what CPUs have. Unsigned arithmetic, because the low 32 bits are wanted.
#define MUL24(n, T)                                                                       \
  WEFT_CONST T##n mul24(T##n x, T##n y) {                                                 \
    return WEFT_AS(T##n, WEFT_AS(uint##n, x) * WEFT_AS(uint##n, y));                      \
  }                                                                                       \
  WEFT_CONST T##n mad24(T##n x, T##n y, T##n z) {                                         \
    return WEFT_AS(T##n, WEFT_AS(uint##n, x) * WEFT_AS(uint##n, y) + WEFT_AS(uint##n, z)); \
  }

WEFT_FOR_SIZES(MUL24, int)
WEFT_FOR_SIZES(MUL24, uint)
