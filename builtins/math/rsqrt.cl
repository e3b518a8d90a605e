// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "math/estimate.h"

WEFT_ELEMENTWISE_UNARY(rsqrt, weft_estimate_rsqrt)

#define WEFT_DOUBLE(n, T) \
  WEFT_API_HOT double##n rsqrt(double##n x) { return 1.0 / __builtin_elementwise_sqrt(x); }
WEFT_FOR_SIZES(WEFT_DOUBLE, double)
