// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"
#pragma OPENCL FP_CONTRACT ON

#define MIX(n, T) \
  WEFT_CONST T##n mix(T##n x, T##n y, T##n a) { return x + (y - x) * a; }
#define WITH_SCALAR(n, T) \
  WEFT_CONST T##n mix(T##n x, T##n y, T a) { return mix(x, y, (T##n)(a)); }
#define ALL(T) WEFT_FOR_SIZES(MIX, T) WEFT_FOR_VECTORS(WITH_SCALAR, T)

ALL(float)
ALL(double)
ALL(half)
