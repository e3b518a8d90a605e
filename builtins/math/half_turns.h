// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of a body (see each_width.h).

// Turns of pi are reduced exactly, so the radian function only ever sees [-pi/4, pi/4].
WEFT_INLINE Real weftHalfTurns(Real x, __private Int* quadrant) {
  // Above 2^mantissa every number is an even integer.
  const REAL even = (REAL)((INT)1 << (MANTISSA_BITS + 1));
  Real bounded = __builtin_elementwise_abs(x) < even ? x : x * R(0);
  Real halves = __builtin_elementwise_rint(bounded * R(2));
  *quadrant = TO(halves, Int);
  return (bounded - halves * R(0.5)) * R(3.14159265358979323846);
}
