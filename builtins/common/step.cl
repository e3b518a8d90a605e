// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

#define STEP(n, T)                                                                        \
  WEFT_CONST T##n step(T##n edge, T##n x) { return x < edge ? (T##n)((T)0) : (T##n)((T)1); } \
  WEFT_CONST T##n smoothstep(T##n edge0, T##n edge1, T##n x) {                            \
    T##n t = (x - edge0) / (edge1 - edge0);                                               \
    t = t < (T##n)((T)0) ? (T##n)((T)0) : t;                                              \
    t = (T##n)((T)1) < t ? (T##n)((T)1) : t;                                              \
    return t * t * ((T##n)((T)3) - (T##n)((T)2) * t);                                     \
  }
#define WITH_SCALAR(n, T)                                                                 \
  WEFT_CONST T##n step(T edge, T##n x) { return step((T##n)(edge), x); }                  \
  WEFT_CONST T##n smoothstep(T edge0, T edge1, T##n x) {                                  \
    return smoothstep((T##n)(edge0), (T##n)(edge1), x);                                   \
  }
#define ALL(T) WEFT_FOR_SIZES(STEP, T) WEFT_FOR_VECTORS(WITH_SCALAR, T)

ALL(float)
ALL(double)
ALL(half)
