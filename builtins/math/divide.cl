// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/divide.cl"
#include "math/float_width.h"
#else
WEFT_CONST Real half_divide(Real x, Real y) { return x / y; }
WEFT_CONST Real native_divide(Real x, Real y) { return x / y; }
WEFT_CONST Real half_recip(Real x) { return R(1) / x; }
WEFT_CONST Real native_recip(Real x) { return R(1) / x; }
#endif
