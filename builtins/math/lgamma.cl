// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/lgamma.cl"
#include "math/double_width.h"

#include "math/float_width.h"
#else
#if REAL_IS_FLOAT
WEFT_CONST Real lgamma(Real x) { return TO(lgamma(TO(x, Wide)), Real); }
WEFT_INLINE Real weftLgammaForm(Real x, __private Int32* sign) {
  return TO(lgamma_r(TO(x, Wide), sign), Real);
}
#else
#include "math/lgamma.h"
WEFT_CONST Real lgamma(Real x) {
  Int32 sign;
  return weftLgamma(x, &sign);
}
// The one with the body; the other forms of lgamma_r call it.
WEFT_API Real lgamma_r(Real x, __private Int32* sign) { return weftLgamma(x, sign); }
WEFT_INLINE Real weftLgammaForm(Real x, __private Int32* sign) { return lgamma_r(x, sign); }
#endif
#define WEFT_FORM(space)                              \
  WEFT_API Real lgamma_r(Real x, space Int32* sign) { \
    Int32 s;                                          \
    Real value = weftLgammaForm(x, &s);               \
    *sign = s;                                        \
    return value;                                     \
  }
WEFT_FORM(__global)
WEFT_FORM(__local)
WEFT_FORM(__generic)
#if REAL_IS_FLOAT
WEFT_FORM(__private)
#endif
#undef WEFT_FORM
#endif
