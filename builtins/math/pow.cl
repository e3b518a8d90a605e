// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/pow.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/pow.h"
WEFT_HOT Real pow(Real x, Real y) { return weftPow(x, y); }
#endif
