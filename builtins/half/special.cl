// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "half/special.cl"
#include "half/half_width.h"
#else
WEFT_UNARY(erf)
WEFT_UNARY(erfc)
WEFT_UNARY(tgamma)
WEFT_UNARY(lgamma)
WEFT_POINTER_FORM(lgamma_r, Int32)
#define WEFT_FORM(space) WEFT_POINTER(space, lgamma_r, Int32, Int32)
WEFT_ADDRESS_SPACES(WEFT_FORM)
#undef WEFT_FORM
#endif
