// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/atan2pi.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
WEFT_CONST Real atan2pi(Real y, Real x) { return atan2(y, x) * R(0.31830988618379067154); }
#endif
