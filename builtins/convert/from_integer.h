// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "weft_common.h"

// Integers to floating point.

#define WEFT_DEFINE(n, D, suffix, S, expression) \
  WEFT_CONST D##n convert_##D##n##suffix(S##n x) { return expression; }
#define WEFT_DEFINE_NEAREST(n, D, S, expression) \
  WEFT_DEFINE(n, D, , S, expression)             \
  WEFT_DEFINE(n, D, _rte, S, expression)

// Every value of S is a value of D: no mode matters.
#define WEFT_EXACT(n, D, S)                                \
  WEFT_DEFINE_NEAREST(n, D, S, WEFT_CONVERT(n, D, x))      \
  WEFT_DEFINE(n, D, _rtz, S, WEFT_CONVERT(n, D, x))        \
  WEFT_DEFINE(n, D, _rtp, S, WEFT_CONVERT(n, D, x))        \
  WEFT_DEFINE(n, D, _rtn, S, WEFT_CONVERT(n, D, x))

// Integers with more bits than D's significand. The magnitude is cut to as many leading bits as D
// holds, one is added where the mode says so, and the result, which is exact, is scaled back.
// `up` is 1 for magnitudes that grow, given `sign`, which is 0 or 1. B is the integer type of D's
// bits, `precision` the bits of its significand, `bias` its exponent's bias.
#define WEFT_INTRINSIC_CLZ(n, U, llvm) \
  U##n weftLeadingZeros(U##n, bool) __attribute__((overloadable)) \
      __asm("llvm.ctlz." WEFT_LLVM(n, llvm));
#define WEFT_CUT(n, D, S, U, bits, B, precision, bias)                                       \
  WEFT_INLINE D##n weftCut(U##n magnitude, U##n up) {                                        \
    U##n excess = (U##n)(bits - precision) -                                                 \
                  __builtin_elementwise_min(weftLeadingZeros(magnitude, false),              \
                                            (U##n)(bits - precision));                       \
    U##n kept = magnitude >> excess;                                                         \
    kept += kept << excess == magnitude ? (U##n)(0) : up;                                    \
    B##n scale = (WEFT_CONVERT(n, B, excess) + (B##n)(bias)) << (B##n)(precision - 1);       \
    return WEFT_CONVERT(n, D, kept) * WEFT_AS(D##n, scale);                                  \
  }
#define WEFT_DIRECTED_UNSIGNED(n, D, U)                                                      \
  WEFT_DEFINE_NEAREST(n, D, U, WEFT_CONVERT(n, D, x))                                        \
  WEFT_DEFINE(n, D, _rtz, U, weftCut(x, (U##n)(0)))                                          \
  WEFT_DEFINE(n, D, _rtp, U, weftCut(x, (U##n)(1)))                                          \
  WEFT_DEFINE(n, D, _rtn, U, weftCut(x, (U##n)(0)))
#define WEFT_DIRECTED_SIGNED(n, D, S, U, bits)                                               \
  WEFT_INLINE D##n weftCutSigned(S##n x, U##n upForPositive, U##n upForNegative) {           \
    U##n up = x < (S##n)(0) ? upForNegative : upForPositive;                                 \
    D##n magnitude = weftCut(WEFT_AS(U##n, __builtin_elementwise_abs(x)), up);               \
    return __builtin_elementwise_copysign(magnitude, WEFT_CONVERT(n, D, x));                 \
  }                                                                                          \
  WEFT_DEFINE_NEAREST(n, D, S, WEFT_CONVERT(n, D, x))                                        \
  WEFT_DEFINE(n, D, _rtz, S, weftCutSigned(x, (U##n)(0), (U##n)(0)))                         \
  WEFT_DEFINE(n, D, _rtp, S, weftCutSigned(x, (U##n)(1), (U##n)(0)))                         \
  WEFT_DEFINE(n, D, _rtn, S, weftCutSigned(x, (U##n)(0), (U##n)(1)))
#define WEFT_DIRECTED(D, S, U, bits, B, precision, bias)                \
  WEFT_FOR_SIZES(WEFT_INTRINSIC_CLZ, U, i##bits)                        \
  WEFT_FOR_SIZES(WEFT_CUT, D, S, U, bits, B, precision, bias)           \
  WEFT_FOR_SIZES(WEFT_DIRECTED_UNSIGNED, D, U)                          \
  WEFT_FOR_SIZES(WEFT_DIRECTED_SIGNED, D, S, U, bits)
