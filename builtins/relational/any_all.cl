// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// The most significant bit of each component decides, for scalars too.
#define SCALAR(T)                                                                         \
  WEFT_CONST int any(T x) { return x < 0; }                                               \
  WEFT_CONST int all(T x) { return x < 0; }
#define VECTOR(n, T)                                                                      \
  WEFT_CONST int any(T##n x) { return __builtin_reduce_or(x) < 0; }                       \
  WEFT_CONST int all(T##n x) { return __builtin_reduce_and(x) < 0; }
#define ALL(T, S, U, bits) SCALAR(T) WEFT_FOR_VECTORS(VECTOR, T)

WEFT_FOR_SIGNED(ALL)
