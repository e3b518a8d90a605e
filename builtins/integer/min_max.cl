// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

#define MIN_MAX(n, T)                                                                    \
  WEFT_CONST T##n min(T##n x, T##n y) { return __builtin_elementwise_min(x, y); }        \
  WEFT_CONST T##n max(T##n x, T##n y) { return __builtin_elementwise_max(x, y); }        \
  WEFT_CONST T##n clamp(T##n x, T##n low, T##n high) {                                   \
    return __builtin_elementwise_min(__builtin_elementwise_max(x, low), high);           \
  }
#define WITH_SCALAR(n, T)                                                                \
  WEFT_CONST T##n min(T##n x, T y) { return __builtin_elementwise_min(x, (T##n)(y)); }   \
  WEFT_CONST T##n max(T##n x, T y) { return __builtin_elementwise_max(x, (T##n)(y)); }   \
  WEFT_CONST T##n clamp(T##n x, T low, T high) {                                         \
    return __builtin_elementwise_min(__builtin_elementwise_max(x, (T##n)(low)), (T##n)(high)); \
  }
#define ALL(T, S, U, bits) WEFT_FOR_SIZES(MIN_MAX, T) WEFT_FOR_VECTORS(WITH_SCALAR, T)

WEFT_FOR_INTEGERS(ALL)
