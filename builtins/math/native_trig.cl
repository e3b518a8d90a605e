// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/native_trig.cl"
#include "math/float_width.h"
#else
#include "math/native.h"
WEFT_INLINE Real weftNativeTan(Real x) {
  Int quadrant;
  Real r = weftNativeReduce(x, &quadrant);
  return weftNativeTanOf(r, quadrant);
}
WEFT_INLINE Real weftNativeSine(Real x, int turn) {
  Int quadrant;
  Real r = weftNativeReduce(x, &quadrant);
  return weftNativeSinOf(r, quadrant + turn);
}
WEFT_HOT Real native_sin(Real x) { return weftNativeSine(x, 0); }
WEFT_HOT Real native_cos(Real x) { return weftNativeSine(x, 1); }
WEFT_HOT Real native_tan(Real x) { return weftNativeTan(x); }
WEFT_HOT Real half_sin(Real x) { return weftNativeSine(x, 0); }
WEFT_HOT Real half_cos(Real x) { return weftNativeSine(x, 1); }
WEFT_HOT Real half_tan(Real x) { return weftNativeTan(x); }
#endif
