// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "half/remainder.cl"
#include "half/half_width.h"
#else
WEFT_BINARY(fmod)
WEFT_BINARY(remainder)
WEFT_API Single remquo(Single x, Single y, __private Int32* quotient);
#define WEFT_FORM(space)                                         \
  WEFT_API Half remquo(Half x, Half y, space Int32* quotient) {  \
    Int32 q;                                                     \
    Half r = TO(remquo(TO(x, Single), TO(y, Single), &q), Half); \
    *quotient = q;                                               \
    return r;                                                    \
  }
WEFT_ADDRESS_SPACES(WEFT_FORM)
#undef WEFT_FORM
#endif
