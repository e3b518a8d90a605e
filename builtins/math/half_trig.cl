// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/half_trig.cl"
#include "math/float_width.h"
#else
#include "math/trig.h"
// Arguments up to 2^16 are all that these promise, so no huge ones are reduced; those give some
// value that the functions can have. Infinities give NaN on the way.
WEFT_INLINE Real weftReduceHalf(Real x, __private Int* quadrant) {
  Real r = weftReduceSmall(x, quadrant);
  r = r > 1.0f ? (Real)1.0f : r;
  return r < -1.0f ? (Real)-1.0f : r;
}
WEFT_HOT Real half_sin(Real x) {
  Int quadrant;
  Real r = weftReduceHalf(x, &quadrant);
  return weftSinOf(r, quadrant);
}
WEFT_HOT Real half_cos(Real x) {
  Int quadrant;
  Real r = weftReduceHalf(x, &quadrant);
  return weftSinOf(r, quadrant + 1);
}
WEFT_HOT Real half_tan(Real x) {
  Int quadrant;
  Real r = weftReduceHalf(x, &quadrant);
  return weftTanOf(r, quadrant);
}
#endif
