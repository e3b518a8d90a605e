// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/half_divide.cl"
#include "math/float_width.h"
#else
// Not by an estimated reciprocal, which has no value where the divisor is next to zero: the quotient
// of two such numbers has.
WEFT_HOT Real half_divide(Real x, Real y) { return x / y; }
#endif
