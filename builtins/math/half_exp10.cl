// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/half_exp10.cl"
#include "math/float_width.h"
#else
WEFT_CONST Real half_exp10(Real x) { return exp10(x); }
#endif
