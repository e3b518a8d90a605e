// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// One comparison and one selection, as the specification words them: this is the minimum and
// maximum instruction of the host.
#define MIN_MAX(n, T)                                                                     \
  WEFT_CONST T##n min(T##n x, T##n y) { return y < x ? y : x; }                           \
  WEFT_CONST T##n max(T##n x, T##n y) { return x < y ? y : x; }                           \
  WEFT_CONST T##n clamp(T##n x, T##n low, T##n high) {                                    \
    T##n raised = x < low ? low : x;                                                      \
    return high < raised ? high : raised;                                                 \
  }
#define WITH_SCALAR(n, T)                                                                 \
  WEFT_CONST T##n min(T##n x, T y) { return min(x, (T##n)(y)); }                          \
  WEFT_CONST T##n max(T##n x, T y) { return max(x, (T##n)(y)); }                          \
  WEFT_CONST T##n clamp(T##n x, T low, T high) { return clamp(x, (T##n)(low), (T##n)(high)); }
#define ALL(T) WEFT_FOR_SIZES(MIN_MAX, T) WEFT_FOR_VECTORS(WITH_SCALAR, T)

ALL(float)
ALL(double)
ALL(half)
