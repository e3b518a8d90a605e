// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/native_exp2.cl"
#include "math/float_width.h"
#else
WEFT_CONST Real native_exp2(Real x) { return exp2(x); }
#endif
