// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/log2.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/log.h"
#if WIDTH > 1
WEFT_HOT Real log2(Real x) {
#else
WEFT_RARE Real weft_rare_log2(Real x) {
#endif
  Real e;
  Real f = weftSplitReal(x, &e);
  return weftLogResult(x, weftLog2Of(f, e));
}
#if WIDTH == 1
WEFT_HOT Real log2(Real x) {
  Real e;
  const int on_host = weft_estimate_onhost();
  Real f = on_host ? weftSplitOnHost(x, &e) : weftSplitNormal(x, &e);
  Real value = weftLog2Of(f, e);
  if (on_host) return weft_estimate_logresult(x, value);
  if (weftIsUnusual(x)) value = weft_rare_log2(x);
  return value;
}
#endif
#endif
