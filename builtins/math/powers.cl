// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/powers.cl"
#include "math/float_width.h"
#include "math/double_width.h"
#else
// Relatives of pow: all but the special cases of x^y on |x|.
WEFT_CONST Real powr(Real x, Real y) {
  Real magnitude = __builtin_elementwise_abs(x);
  Real value = pow(magnitude, y);
  Int indefinite = ((magnitude == R(0)) | (magnitude == R(INFINITY))) & (y == R(0));
  indefinite |= (x == R(1)) & (__builtin_elementwise_abs(y) == R(INFINITY));
  indefinite |= (x < R(0)) | (x != x) | (y != y);
  return indefinite ? (Real)R(NAN) : value;
}

WEFT_CONST Real pown(Real x, Int32 n) {
#if REAL_IS_FLOAT
  return TO(pow(TO(x, Wide), TO(n, Wide)), Real);
#else
  return pow(x, TO(n, Wide));
#endif
}

// x^(1/n) in double, with one Newton step that takes away the rounding of 1/n.
WEFT_CONST Real rootn(Real x, Int32 n) {
  Wide degree = TO(n, Wide);
  Wide magnitude = __builtin_elementwise_abs(TO(x, Wide));
  Wide root = pow(magnitude, 1.0 / degree);
#if !REAL_IS_FLOAT
  // Scaled, so that root^n can neither overflow nor lose bits.
  Wide power = pow(root, degree) ;
  Wide change = root * ((power - magnitude) / (magnitude * degree));
  WideInt usable = (__builtin_elementwise_abs(change) < root * 0x1p-40) & (magnitude > 0x1p-1000);
  root = usable ? root - change : root;
#endif
  Int odd = TO(n & 1, Int) != (INT)0;
  Int zero = TO(n, Int) == (INT)0;
  Real value = TO(root, Real);
  value = odd ? __builtin_elementwise_copysign(value, x) : value;
  Int invalid = zero | ((x < R(0)) & !odd);
  return invalid ? (Real)R(NAN) : value;
}
#if WIDTH > 1
#endif
#endif
