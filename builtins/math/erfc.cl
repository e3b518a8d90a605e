// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/erfc.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/erfc.h"
WEFT_CONST Real erfc(Real x) {
  Real value = weftErfc(__builtin_elementwise_abs(x));
  return x < R(0) ? R(2) - value : value;
}
#endif
