// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "half/power.cl"
#include "half/half_width.h"
#else
WEFT_UNARY(sqrt)
WEFT_UNARY(rsqrt)
WEFT_UNARY(cbrt)
WEFT_BINARY(pow)
WEFT_BINARY(powr)
WEFT_BINARY(hypot)
WEFT_WITH_INT(pown)
WEFT_WITH_INT(rootn)
#endif
