// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "math/estimate.h"

WEFT_ESTIMATE float weft_estimate_rsqrt(float x) { return 1.0f / __builtin_elementwise_sqrt(x); }
WEFT_ESTIMATE float weft_estimate_recip(float x) { return 1.0f / x; }
WEFT_ESTIMATE float weft_estimate_sqrt(float x) { return __builtin_elementwise_sqrt(x); }
WEFT_ESTIMATE float weft_estimate_divide(float x, float y) { return x / y; }
