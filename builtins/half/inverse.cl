// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "half/inverse.cl"
#include "half/half_width.h"
#else
WEFT_UNARY(acos)
WEFT_UNARY(acospi)
WEFT_UNARY(asin)
WEFT_UNARY(asinpi)
WEFT_UNARY(atan)
WEFT_UNARY(atanpi)
WEFT_UNARY(acosh)
WEFT_UNARY(asinh)
WEFT_UNARY(atanh)
WEFT_BINARY(atan2)
WEFT_BINARY(atan2pi)
#endif
