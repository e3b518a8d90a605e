// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

#define ANGLE(n, T, W)                                                                    \
  WEFT_CONST T##n degrees(T##n x) {                                                       \
    return WEFT_CONVERT(n, T, WEFT_CONVERT(n, W, x) * (W##n)((W)57.295779513082320876798));  \
  }                                                                                       \
  WEFT_CONST T##n radians(T##n x) {                                                       \
    return WEFT_CONVERT(n, T, WEFT_CONVERT(n, W, x) * (W##n)((W)0.017453292519943295769237)); \
  }

WEFT_FOR_SIZES(ANGLE, float, float)
WEFT_FOR_SIZES(ANGLE, double, double)
WEFT_FOR_SIZES(ANGLE, half, float)
