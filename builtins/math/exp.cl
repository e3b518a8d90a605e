// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/exp.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/exp.h"
WEFT_HOT Real exp(Real x) { return weftExpScaled(x, (INT)0); }
#endif
