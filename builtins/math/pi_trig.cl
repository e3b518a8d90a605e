// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/pi_trig.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/half_turns.h"
#include "math/trig.h"
WEFT_CONST Real sinpi(Real x) {
  Int quadrant;
  Real r = weftHalfTurns(x, &quadrant);
  Real value = weftSinOf(r, quadrant);
  // Integers give a zero with the sign of the argument.
  return value == R(0) ? __builtin_elementwise_copysign(value, x) : value;
}

WEFT_CONST Real cospi(Real x) {
  Int quadrant;
  Real r = weftHalfTurns(x, &quadrant);
  Real value = weftSinOf(r, quadrant + (INT)1);
  return value == R(0) ? (Real)R(0) : value;
}

// Even integers give a zero with the argument's sign, odd ones its opposite; halves give an
// infinity, positive after an even integer.
WEFT_CONST Real tanpi(Real x) {
  Int quadrant;
  Real r = weftHalfTurns(x, &quadrant);
  Int odd = (quadrant & (INT)1) != (INT)0;
  Real t = weftTanOf(r, (Int)0);
  Int negative = (quadrant & (INT)2) != (INT)0;
  Real at_zero = __builtin_elementwise_copysign((Real)R(0), x);
  at_zero = negative ? -at_zero : at_zero;
  Real at_pole = negative ? (Real)-R(INFINITY) : (Real)R(INFINITY);
  Real even_value = t == R(0) ? at_zero : t;
  Real odd_value = t == R(0) ? at_pole : R(-1) / t;
  return odd ? odd_value : even_value;
}
#endif
