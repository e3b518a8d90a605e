// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/acosh.cl"
#include "math/double_width.h"

#include "math/float_width.h"
#else
#if REAL_IS_FLOAT
WEFT_CONST Real acosh(Real x) { return TO(acosh(TO(x, Wide)), Real); }
#else
#include "math/log1p.h"
WEFT_CONST Real acosh(Real x) {
  Int large = x > 0x1p60;
  Real t = x - R(1);
  Real direct = t + __builtin_elementwise_sqrt(t * (t + R(2)));
  Real value = weftLog1p(large ? x : direct);
  value = large ? value + 0x1.62e42fefa39efp-1 : value;
  return x < R(1) ? (Real)R(NAN) : value;
}
#endif
#endif
