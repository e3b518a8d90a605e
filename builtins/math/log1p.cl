// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/log1p.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/log1p.h"
WEFT_CONST Real log1p(Real x) { return weftLog1p(x); }
#endif
