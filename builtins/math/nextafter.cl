// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/nextafter.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
// On integers that order like the floats: a float's bits, with negative ones mirrored so that
// both zeros are 0.
WEFT_CONST Real nextafter(Real x, Real y) {
  const INT lowest = (INT)((UINT)1 << (MANTISSA_BITS + (REAL_IS_FLOAT ? 8 : 11)));
  Int a = AS(x, Int);
  Int b = AS(y, Int);
  a = a < (INT)0 ? (Int)lowest - a : a;
  b = b < (INT)0 ? (Int)lowest - b : b;
  Int next = a < b ? a + (INT)1 : (a > b ? a - (INT)1 : b);
  // Minus the smallest denormal steps up to -0.
  Int bits = next < (INT)0 ? (Int)lowest - next : next;
  bits = ((a == (INT)-1) & (a < b)) ? (Int)lowest : bits;
  bits = x == y ? AS(y, Int) : bits;
  return ((x != x) | (y != y)) ? x + y : AS(bits, Real);
}
#endif
