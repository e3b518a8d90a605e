// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#include "math/address_spaces.h"
#define WEFT_BODY "math/sincos.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/trig.h"
WEFT_INLINE Real weftSincos(Real x, __private Real* cosine) {
  Int quadrant;
  Real r = weftReduceSmall(x, &quadrant);
  Real s = weftSinOf(r, quadrant);
  Real c = weftSinOf(r, quadrant + (INT)1);
  Int huge = weftIsHuge(x);
  WHERE(huge, s, weft_rare_sin(LANE(x)));
  WHERE(huge, c, weft_rare_cos(LANE(x)));
  *cosine = c;
  return s;
}
#define WEFT_FORM(space)                             \
  WEFT_API Real sincos(Real x, space Real* cosine) { \
    Real c;                                          \
    Real s = weftSincos(x, &c);                      \
    *cosine = c;                                     \
    return s;                                        \
  }
WEFT_ADDRESS_SPACES(WEFT_FORM)
#undef WEFT_FORM
#endif
