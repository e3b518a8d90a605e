// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// Not contracted: with a fused multiplication the cross product of a vector with itself would
// not be zero.
#define CROSS(T)                                                                          \
  WEFT_CONST T##3 cross(T##3 a, T##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }         \
  WEFT_CONST T##4 cross(T##4 a, T##4 b) { return (T##4)(cross(a.xyz, b.xyz), (T)0); }

CROSS(float)
CROSS(double)
CROSS(half)
