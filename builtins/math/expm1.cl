// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/expm1.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/expm1.h"
WEFT_CONST Real expm1(Real x) { return weftExpm1(x); }
#endif
