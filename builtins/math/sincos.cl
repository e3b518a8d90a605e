// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#include "math/address_spaces.h"
#define WEFT_BODY "math/sincos.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/trig.h"
#define WEFT_FORM(space)                             \
  WEFT_API Real sincos(Real x, space Real* cosine) { \
    Int quadrant;                                    \
    Real r = weftReduce(x, &quadrant);               \
    *cosine = weftSinOf(r, quadrant + (INT)1);       \
    return weftSinOf(r, quadrant);                   \
  }
WEFT_ADDRESS_SPACES(WEFT_FORM)
#undef WEFT_FORM
#endif
