// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/atanpi.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
WEFT_CONST Real atanpi(Real x) { return atan(x) * R(0.31830988618379067154); }
#endif
