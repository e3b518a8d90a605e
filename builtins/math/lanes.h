// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "weft_common.h"

// Vector forms of functions that are worth no vector code: lane by lane through the scalar form,
// so every width gives the same result. R is the result's element type, A and B the arguments'.

#define WEFT_LANES_1(name, R, A)                                             \
  WEFT_CONST WEFT_CAT(R, 2) name(WEFT_CAT(A, 2) x) {                         \
    return (WEFT_CAT(R, 2))(name(x.s0), name(x.s1));                         \
  }                                                                          \
  WEFT_CONST WEFT_CAT(R, 3) name(WEFT_CAT(A, 3) x) {                         \
    return (WEFT_CAT(R, 3))(name(x.s0), name(x.s1), name(x.s2));             \
  }                                                                          \
  WEFT_CONST WEFT_CAT(R, 4) name(WEFT_CAT(A, 4) x) {                         \
    return (WEFT_CAT(R, 4))(name(x.s0), name(x.s1), name(x.s2), name(x.s3)); \
  }                                                                          \
  WEFT_CONST WEFT_CAT(R, 8) name(WEFT_CAT(A, 8) x) {                         \
    return (WEFT_CAT(R, 8))(name(x.lo), name(x.hi));                         \
  }                                                                          \
  WEFT_CONST WEFT_CAT(R, 16) name(WEFT_CAT(A, 16) x) {                       \
    return (WEFT_CAT(R, 16))(name(x.lo), name(x.hi));                        \
  }

#define WEFT_LANES_2(name, R, A, B)                                                \
  WEFT_CONST WEFT_CAT(R, 2) name(WEFT_CAT(A, 2) x, WEFT_CAT(B, 2) y) {             \
    return (WEFT_CAT(R, 2))(name(x.s0, y.s0), name(x.s1, y.s1));                   \
  }                                                                                \
  WEFT_CONST WEFT_CAT(R, 3) name(WEFT_CAT(A, 3) x, WEFT_CAT(B, 3) y) {             \
    return (WEFT_CAT(R, 3))(name(x.s0, y.s0), name(x.s1, y.s1), name(x.s2, y.s2)); \
  }                                                                                \
  WEFT_CONST WEFT_CAT(R, 4) name(WEFT_CAT(A, 4) x, WEFT_CAT(B, 4) y) {             \
    return (WEFT_CAT(R, 4))(name(x.s0, y.s0), name(x.s1, y.s1), name(x.s2, y.s2),  \
                            name(x.s3, y.s3));                                     \
  }                                                                                \
  WEFT_CONST WEFT_CAT(R, 8) name(WEFT_CAT(A, 8) x, WEFT_CAT(B, 8) y) {             \
    return (WEFT_CAT(R, 8))(name(x.lo, y.lo), name(x.hi, y.hi));                   \
  }                                                                                \
  WEFT_CONST WEFT_CAT(R, 16) name(WEFT_CAT(A, 16) x, WEFT_CAT(B, 16) y) {          \
    return (WEFT_CAT(R, 16))(name(x.lo, y.lo), name(x.hi, y.hi));                  \
  }
