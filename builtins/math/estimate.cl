// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "math/estimate.h"

WEFT_ESTIMATE float weft_estimate_rsqrt(float x) { return 1.0f / __builtin_elementwise_sqrt(x); }
WEFT_ESTIMATE float weft_estimate_recip(float x) { return 1.0f / x; }
WEFT_ESTIMATE float weft_estimate_sqrt(float x) { return __builtin_elementwise_sqrt(x); }
WEFT_ESTIMATE float weft_estimate_divide(float x, float y) { return x / y; }

// Never called where they are not replaced: any arithmetic does.
WEFT_ESTIMATE int weft_estimate_onhost(void) { return 0; }
WEFT_ESTIMATE float weft_estimate_scale(float x, float n) { return x * n; }
WEFT_ESTIMATE double weft_estimate_scale(double x, double n) { return x * n; }
WEFT_ESTIMATE float weft_estimate_exponent(float x) { return 1.0f / x; }
WEFT_ESTIMATE double weft_estimate_exponent(double x) { return 1.0 / x; }
WEFT_ESTIMATE float weft_estimate_significand(float x) { return 1.0f / x; }
WEFT_ESTIMATE double weft_estimate_significand(double x) { return 1.0 / x; }
WEFT_ESTIMATE float weft_estimate_logresult(float x, float value) { return x * value; }
WEFT_ESTIMATE double weft_estimate_logresult(double x, double value) { return x * value; }
