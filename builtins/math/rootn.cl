// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/rootn.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/pow.h"
WEFT_CONST Real rootn(Real x, Int32 n) {
  Wide degree = TO(n, Wide);
  Wide inverse = 1.0 / degree;
  // A degree of 0 makes this NaN, which is the result.
  Wide rest = WIDE_FMA(-inverse, degree, (Wide)1.0) * inverse;
  Real value = weftPowMagnitude(__builtin_elementwise_abs(x), inverse, rest);
  value = weftOddSign(value, x, n);
  Int even = TO(n & 1, Int) == (INT)0;
  Int invalid = (TO(n, Int) == (INT)0) | ((x < R(0)) & even);
  return invalid ? (Real)R(NAN) : value;
}
#endif
