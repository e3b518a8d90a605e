// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/cosh.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/exp.h"
WEFT_CONST Real cosh(Real x) {
  Real h = weftExpScaled(__builtin_elementwise_abs(x), (INT)-1);
  return h + R(0.25) / h;
}
#endif
