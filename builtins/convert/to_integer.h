// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "convert/limits.h"

// convert_<D> from every type. D is the integer type, `via` the type that a floating point number
// goes through on its way (narrow types go through int, so that a number out of range gives the
// same bits in every vector width), `llvm` D's name in LLVM and `sign` s or u.

// Rounding modes of conversions from floating point: what happens before cutting the fraction.
#define WEFT_ROUND(x) (x)
#define WEFT_ROUND_rtz(x) (x)
#define WEFT_ROUND_rte(x) __builtin_elementwise_rint(x)
#define WEFT_ROUND_rtp(x) __builtin_elementwise_ceil(x)
#define WEFT_ROUND_rtn(x) __builtin_elementwise_floor(x)

#define WEFT_DEFINE(n, D, suffix, S, expression) \
  WEFT_CONST D##n convert_##D##n##suffix(S##n x) { return expression; }
#define WEFT_ALL_MODES(n, D, sat, S, expression)       \
  WEFT_DEFINE(n, D, sat, S, expression)                \
  WEFT_DEFINE(n, D, sat##_rte, S, expression)          \
  WEFT_DEFINE(n, D, sat##_rtz, S, expression)          \
  WEFT_DEFINE(n, D, sat##_rtp, S, expression)          \
  WEFT_DEFINE(n, D, sat##_rtn, S, expression)

#define WEFT_INT_TO_INT(n, D, S) WEFT_ALL_MODES(n, D, , S, WEFT_CONVERT(n, D, x))
#define WEFT_INT_TO_INT_SAT(n, D, S)                                                         \
  WEFT_ALL_MODES(n, D, _sat, S,                                                              \
                 WEFT_CONVERT(n, D, __builtin_elementwise_min(                               \
                     __builtin_elementwise_max(x, (S##n)((S)WEFT_LOW(D, S))),                \
                     (S##n)((S)WEFT_HIGH(D, S)))))

// W is float for half, and S for others.
#define WEFT_FLOAT_TO_INT(n, D, via, S, W, suffix, round) \
  WEFT_DEFINE(n, D, suffix, S, WEFT_CONVERT(n, D, WEFT_CONVERT(n, via, round(WEFT_CONVERT(n, W, x)))))
#define WEFT_FLOAT_TO_INT_MODES(n, D, via, S, W)                        \
  WEFT_FLOAT_TO_INT(n, D, via, S, W, , WEFT_ROUND)                      \
  WEFT_FLOAT_TO_INT(n, D, via, S, W, _rtz, WEFT_ROUND)                  \
  WEFT_FLOAT_TO_INT(n, D, via, S, W, _rte, WEFT_ROUND_rte)              \
  WEFT_FLOAT_TO_INT(n, D, via, S, W, _rtp, WEFT_ROUND_rtp)              \
  WEFT_FLOAT_TO_INT(n, D, via, S, W, _rtn, WEFT_ROUND_rtn)

// The intrinsic clamps, and gives 0 for NaN.
#define WEFT_CLAMPING(n, D, llvm, sign, W, llvmW)                                            \
  D##n weftClamp_##D##n(W##n) __attribute__((overloadable))                                  \
      __asm("llvm.fpto" #sign "i.sat." WEFT_LLVM(n, llvm) "." WEFT_LLVM(n, llvmW));
#define WEFT_FLOAT_TO_INT_SAT(n, D, S, W, suffix, round) \
  WEFT_DEFINE(n, D, _sat##suffix, S, weftClamp_##D##n(round(WEFT_CONVERT(n, W, x))))
#define WEFT_FLOAT_TO_INT_SAT_MODES(n, D, S, W)                         \
  WEFT_FLOAT_TO_INT_SAT(n, D, S, W, , WEFT_ROUND)                       \
  WEFT_FLOAT_TO_INT_SAT(n, D, S, W, _rtz, WEFT_ROUND)                   \
  WEFT_FLOAT_TO_INT_SAT(n, D, S, W, _rte, WEFT_ROUND_rte)               \
  WEFT_FLOAT_TO_INT_SAT(n, D, S, W, _rtp, WEFT_ROUND_rtp)               \
  WEFT_FLOAT_TO_INT_SAT(n, D, S, W, _rtn, WEFT_ROUND_rtn)

#define WEFT_TO_INTEGER(D, via)                                         \
  WEFT_FROM_INTEGERS(WEFT_INT_TO_INT, D)                                \
  WEFT_FOR_SIZES(WEFT_FLOAT_TO_INT_MODES, D, via, float, float)         \
  WEFT_FOR_SIZES(WEFT_FLOAT_TO_INT_MODES, D, via, double, double)       \
  WEFT_FOR_SIZES(WEFT_FLOAT_TO_INT_MODES, D, via, half, float)
#define WEFT_TO_INTEGER_SAT(D, llvm, sign)                              \
  WEFT_FROM_INTEGERS(WEFT_INT_TO_INT_SAT, D)                            \
  WEFT_FOR_SIZES(WEFT_CLAMPING, D, llvm, sign, float, f32)              \
  WEFT_FOR_SIZES(WEFT_CLAMPING, D, llvm, sign, double, f64)             \
  WEFT_FOR_SIZES(WEFT_FLOAT_TO_INT_SAT_MODES, D, float, float)          \
  WEFT_FOR_SIZES(WEFT_FLOAT_TO_INT_SAT_MODES, D, double, double)        \
  WEFT_FOR_SIZES(WEFT_FLOAT_TO_INT_SAT_MODES, D, half, float)
#define WEFT_FROM_INTEGERS(M, D) \
  WEFT_FOR_SIZES(M, D, char)     \
  WEFT_FOR_SIZES(M, D, uchar)    \
  WEFT_FOR_SIZES(M, D, short)    \
  WEFT_FOR_SIZES(M, D, ushort)   \
  WEFT_FOR_SIZES(M, D, int)      \
  WEFT_FOR_SIZES(M, D, uint)     \
  WEFT_FOR_SIZES(M, D, long)     \
  WEFT_FOR_SIZES(M, D, ulong)
