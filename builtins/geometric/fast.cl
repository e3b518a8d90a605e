// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "geometric/sums.h"
#pragma OPENCL FP_CONTRACT ON

#define FAST(n, T)                                                                        \
  WEFT_CONST float fast_length(float##n x) {                                              \
    return __builtin_elementwise_sqrt(WEFT_DOT(n, x, x));                                 \
  }                                                                                       \
  WEFT_CONST float fast_distance(float##n x, float##n y) { return fast_length(x - y); }   \
  WEFT_CONST float##n fast_normalize(float##n x) {                                        \
    float square = WEFT_DOT(n, x, x);                                                     \
    return x * (square == 0.0f ? 1.0f : 1.0f / __builtin_elementwise_sqrt(square));       \
  }

WEFT_FOR_GEOMETRIC(FAST, float)
