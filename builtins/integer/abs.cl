// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// The results are unsigned, so neither abs of the smallest value nor a wide difference overflows.
#define ABS_SIGNED(n, T, S, U) \
  WEFT_CONST U##n abs(T##n x) { return WEFT_AS(U##n, (T##n)__builtin_elementwise_abs(x)); }
#define ABS_UNSIGNED(n, T, S, U) \
  WEFT_CONST U##n abs(T##n x) { return x; }
#define ABS_DIFF(n, T, S, U)                                                       \
  WEFT_CONST U##n abs_diff(T##n x, T##n y) {                                       \
    return (U##n)(WEFT_AS(U##n, (T##n)__builtin_elementwise_max(x, y)) -                 \
                  WEFT_AS(U##n, (T##n)__builtin_elementwise_min(x, y)));                 \
  }
#define ALL_SIGNED(T, S, U, bits) \
  WEFT_FOR_SIZES(ABS_SIGNED, T, S, U) WEFT_FOR_SIZES(ABS_DIFF, T, S, U)
#define ALL_UNSIGNED(T, S, U, bits) \
  WEFT_FOR_SIZES(ABS_UNSIGNED, T, S, U) WEFT_FOR_SIZES(ABS_DIFF, T, S, U)

WEFT_FOR_SIGNED(ALL_SIGNED)
WEFT_FOR_UNSIGNED(ALL_UNSIGNED)
