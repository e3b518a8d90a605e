// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/log.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/log.h"
WEFT_HOT Real log(Real x) {
  Int exponent;
  Real f = weftSplit(x, &exponent);
  Real e = TO(exponent, Real);
#if REAL_IS_FLOAT
  Real value = FMA(f, weftLogPoly(f), e * 0x1.7f7d1cp-20f);
  value = FMA(e, 0x1.62e4p-1f, value);
#else
  Real value = f - FMA(e, -0x1.9ef35793c7673p-41, weftLogTail(f));
  value = FMA(e, 0x1.62e42fefa2p-1, value);
#endif
  return weftLogResult(x, value);
}
#endif
