// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/sin.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/trig.h"
WEFT_HOT Real sin(Real x) {
  Real value = weftSine(x);
  WHERE(weftIsHuge(x), value, weft_rare_sin(LANE(x)));
  return value;
}
#endif
