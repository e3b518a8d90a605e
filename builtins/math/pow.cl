// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#include "math/libm_forms.h"
WEFT_LIBM_DOUBLE_2(pow)
#define WEFT_BODY "math/pow.cl"
#include "math/float_width.h"
#else
#include "math/exp.h"
#include "math/log.h"
#include "math/pow.h"
WEFT_CONST Real pow(Real x, Real y) { return weftPow(x, y); }
#endif
