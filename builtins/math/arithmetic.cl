// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/arithmetic.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
WEFT_HOT Real fabs(Real x) { return __builtin_elementwise_abs(x); }
WEFT_HOT Real copysign(Real x, Real y) { return __builtin_elementwise_copysign(x, y); }
WEFT_HOT Real fma(Real a, Real b, Real c) { return __builtin_elementwise_fma(a, b, c); }
WEFT_HOT Real mad(Real a, Real b, Real c) {
#pragma OPENCL FP_CONTRACT ON
  return a * b + c;
}
WEFT_HOT Real sqrt(Real x) { return __builtin_elementwise_sqrt(x); }
// A NaN operand is not <=, so the difference passes it on.
WEFT_HOT Real fdim(Real x, Real y) { return x <= y ? (Real)R(0) : x - y; }
#endif
