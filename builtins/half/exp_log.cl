// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "half/exp_log.cl"
#include "half/half_width.h"
#else
WEFT_UNARY(exp)
WEFT_UNARY(exp2)
WEFT_UNARY(exp10)
WEFT_UNARY(expm1)
WEFT_UNARY(log)
WEFT_UNARY(log2)
WEFT_UNARY(log10)
WEFT_UNARY(log1p)
WEFT_UNARY(cosh)
WEFT_UNARY(sinh)
WEFT_UNARY(tanh)
#endif
