// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/pow.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/pow.h"
#if WIDTH > 1
WEFT_HOT Real pow(Real x, Real y) { return weftPow(x, y); }
#else
WEFT_RARE Real weft_rare_pow(Real x, Real y) { return weftPow(x, y); }
WEFT_HOT Real pow(Real x, Real y) {
  Int unusual;
  Real value = weftPowOfSigned(x, y, &unusual);
  if (unusual) value = weft_rare_pow(x, y);
  return value;
}
#endif
#endif
