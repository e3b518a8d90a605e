// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/log.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/log.h"
#if WIDTH > 1
WEFT_HOT Real log(Real x) {
#else
WEFT_RARE Real weft_rare_log(Real x) {
#endif
  return weftLog(x);
}
#if WIDTH == 1
WEFT_HOT Real log(Real x) {
  Real e;
  const int on_host = weft_estimate_onhost();
  Real f = on_host ? weftSplitOnHost(x, &e) : weftSplitNormal(x, &e);
  Real value = weftLogOf(f, e);
  if (on_host) return weft_estimate_logresult(x, value);
  if (weftIsUnusual(x)) value = weft_rare_log(x);
  return value;
}
#endif
#endif
