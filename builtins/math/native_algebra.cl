// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/native_algebra.cl"
#include "math/float_width.h"
#else
WEFT_HOT Real native_sqrt(Real x) { return __builtin_elementwise_sqrt(x); }
WEFT_HOT Real native_rsqrt(Real x) { return R(1) / __builtin_elementwise_sqrt(x); }
WEFT_HOT Real native_recip(Real x) { return R(1) / x; }
WEFT_HOT Real native_divide(Real x, Real y) { return x / y; }
WEFT_HOT Real half_sqrt(Real x) { return __builtin_elementwise_sqrt(x); }
WEFT_HOT Real half_rsqrt(Real x) { return R(1) / __builtin_elementwise_sqrt(x); }
WEFT_HOT Real half_recip(Real x) { return R(1) / x; }
WEFT_HOT Real half_divide(Real x, Real y) { return x / y; }
#endif
