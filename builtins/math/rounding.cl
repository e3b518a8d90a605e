// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/rounding.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
WEFT_HOT Real ceil(Real x) { return __builtin_elementwise_ceil(x); }
WEFT_HOT Real floor(Real x) { return __builtin_elementwise_floor(x); }
WEFT_HOT Real trunc(Real x) { return __builtin_elementwise_trunc(x); }
WEFT_HOT Real rint(Real x) { return __builtin_elementwise_rint(x); }
WEFT_HOT Real round(Real x) { return __builtin_elementwise_round(x); }
#endif
