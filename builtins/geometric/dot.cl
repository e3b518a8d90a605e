// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "geometric/sums.h"
#pragma OPENCL FP_CONTRACT ON

#define DOT(n, T) \
  WEFT_CONST T dot(T##n x, T##n y) { return WEFT_DOT(n, x, y); }
#define DOT_HALF(n, T)                                                                    \
  WEFT_CONST half dot(half##n x, half##n y) {                                             \
    return (half)WEFT_DOT(n, WEFT_CONVERT(n, float, x), WEFT_CONVERT(n, float, y));       \
  }

WEFT_FOR_GEOMETRIC(DOT, float)
WEFT_FOR_GEOMETRIC(DOT, double)
WEFT_FOR_GEOMETRIC(DOT_HALF, half)
