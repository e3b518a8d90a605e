// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "half/trig.cl"
#include "half/half_width.h"
#else
WEFT_UNARY(sin)
WEFT_UNARY(cos)
WEFT_UNARY(tan)
WEFT_UNARY(sinpi)
WEFT_UNARY(cospi)
WEFT_UNARY(tanpi)
WEFT_POINTER_FORM(sincos, Single)
#define WEFT_FORM(space) WEFT_POINTER(space, sincos, Half, Single)
WEFT_ADDRESS_SPACES(WEFT_FORM)
#undef WEFT_FORM
#endif
