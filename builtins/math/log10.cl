// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/log10.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/log.h"
WEFT_HOT Real log10(Real x) {
  Real e;
  Real f = weftSplitReal(x, &e);
#if REAL_IS_FLOAT
  Real value = FMA(f, weftLog10Poly(f), e * 0x1.3509f8p-18f);
  value = FMA(e, 0x1.344p-2f, value);
#else
  Real value = FMA(f - weftLogTail(f), 0x1.bcb7b1526e50ep-2, e * 0x1.9fef311f12b36p-42);
  value = FMA(e, 0x1.34413509f6p-2, value);
#endif
  return weftLogResult(x, value);
}
#endif
