// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/tan.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/trig.h"
WEFT_HOT Real tan(Real x) {
  Int quadrant;
  Real r = weftReduceSmall(x, &quadrant);
  Real value = weftTanOf(r, quadrant);
  WHERE(weftIsHuge(x), value, weft_rare_tan(LANE(x)));
  return value;
}
#endif
