// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/powr.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/pow.h"
#if WIDTH > 1
WEFT_HOT Real powr(Real x, Real y) { return weftPowr(x, y); }
#else
WEFT_RARE Real weft_rare_powr(Real x, Real y) { return weftPowr(x, y); }
WEFT_HOT Real powr(Real x, Real y) {
  Int unusual;
  Real value = weftPowUsual(x, y, &unusual);
  if (unusual | (AS(x, Int) < (INT)0)) value = weft_rare_powr(x, y);
  return value;
}
#endif
#endif
