// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/nan.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
// A quiet NaN that carries the code as far as it fits.
WEFT_CONST Real nan(Uint code) {
  const UINT payload = ((UINT)1 << (MANTISSA_BITS - 1)) - 1;
  const UINT quiet = (UINT)INFINITY_BITS | ((UINT)1 << (MANTISSA_BITS - 1));
  return AS((code & payload) | quiet, Real);
}
#endif
