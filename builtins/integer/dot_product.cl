// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// cl_khr_integer_dot_product. No sum of four products of bytes leaves the result's type; the
// accumulation saturates.
#define WIDEN(x) __builtin_convertvector((x), int4)
#define PRODUCTS(a, b) (WIDEN(a) * WIDEN(b))

#define DOT(R, A, B)                                                                        \
  WEFT_CONST R dot(A##4 a, B##4 b) {                                                        \
    int4 products = PRODUCTS(a, b);                                                         \
    return (R)(products.x + products.y + products.z + products.w);                          \
  }                                                                                         \
  WEFT_CONST R dot_acc_sat(A##4 a, B##4 b, R sum) {                                         \
    return __builtin_elementwise_add_sat(dot(a, b), sum);                                   \
  }
#define PACKED(R, A, B, types)                                                              \
  WEFT_CONST R dot_4x8packed_##types##_##R(uint a, uint b) {                                \
    return dot(WEFT_AS(A##4, a), WEFT_AS(B##4, b));                                         \
  }                                                                                         \
  WEFT_CONST R dot_acc_sat_4x8packed_##types##_##R(uint a, uint b, R sum) {                 \
    return dot_acc_sat(WEFT_AS(A##4, a), WEFT_AS(B##4, b), sum);                            \
  }
#define ALL(R, A, B, types) DOT(R, A, B) PACKED(R, A, B, types)

ALL(uint, uchar, uchar, uu)
ALL(int, char, char, ss)
ALL(int, uchar, char, us)
ALL(int, char, uchar, su)
