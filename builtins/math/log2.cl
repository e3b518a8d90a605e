// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/log2.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/log.h"
WEFT_HOT Real log2(Real x) {
  Real e;
  Real f = weftSplitReal(x, &e);
#if REAL_IS_FLOAT
  Real value = FMA(f, weftLog2Poly(f), e);
#else
  Real value = FMA(f - weftLogTail(f), 0x1.71547652b82fep+0, e);
#endif
  return weftLogResult(x, value);
}
#endif
