// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/pown.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/pow.h"
WEFT_CONST Real pown(Real x, Int32 n) {
  Real value = weftPowMagnitude(__builtin_elementwise_abs(x), TO(n, Wide), (Wide)0.0);
  value = weftOddSign(value, x, n);
  return TO(n, Int) == (INT)0 ? (Real)R(1) : value;
}
#endif
