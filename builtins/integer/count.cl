// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// The second argument of the two intrinsics says that zero gives the number of bits.
#define INTRINSICS(n, T, llvm)                                                        \
  T##n __weft_ctpop_##T##n(T##n) __asm("llvm.ctpop." WEFT_LLVM(n, llvm));             \
  T##n __weft_ctlz_##T##n(T##n, bool) __asm("llvm.ctlz." WEFT_LLVM(n, llvm));         \
  T##n __weft_cttz_##T##n(T##n, bool) __asm("llvm.cttz." WEFT_LLVM(n, llvm));

#define COUNT(n, T, S)                                                                     \
  WEFT_CONST T##n popcount(T##n x) {                                                       \
    return WEFT_AS(T##n, __weft_ctpop_##S##n(WEFT_AS(S##n, x)));                           \
  }                                                                                        \
  WEFT_CONST T##n clz(T##n x) {                                                            \
    return WEFT_AS(T##n, __weft_ctlz_##S##n(WEFT_AS(S##n, x), false));                     \
  }                                                                                        \
  WEFT_CONST T##n ctz(T##n x) {                                                            \
    return WEFT_AS(T##n, __weft_cttz_##S##n(WEFT_AS(S##n, x), false));                     \
  }
#define ALL_INTRINSICS(T, S, U, bits) WEFT_FOR_SIZES(INTRINSICS, T, i##bits)
#define ALL(T, S, U, bits) WEFT_FOR_SIZES(COUNT, T, S)

WEFT_FOR_SIGNED(ALL_INTRINSICS)
WEFT_FOR_INTEGERS(ALL)
