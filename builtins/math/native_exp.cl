// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/native_exp.cl"
#include "math/float_width.h"
#else
#include "math/native.h"
WEFT_HOT Real native_exp2(Real x) { return weftNativeExp2(x); }
WEFT_HOT Real native_exp(Real x) { return weftNativeExp(x); }
WEFT_HOT Real native_exp10(Real x) { return weftNativeExp10(x); }
WEFT_HOT Real half_exp2(Real x) { return weftNativeExp2(x); }
WEFT_HOT Real half_exp(Real x) { return weftNativeExp(x); }
WEFT_HOT Real half_exp10(Real x) { return weftNativeExp10(x); }
#endif
