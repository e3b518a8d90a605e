// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// cl_khr_extended_bit_ops. Shifts by as many bits as the type has are no shifts in OpenCL C, so
// that fields of no bits and of all bits need a look of their own.
#define FIELD(n, T, U, bits)                                                                \
  WEFT_INLINE U##n weftField_##U(U##n value, uint offset, uint count) {                     \
    U##n low = value >> (U##n)((U)offset);                                                  \
    return count == 0 ? (U##n)((U)0) : low << (U##n)((U)(bits - count));                    \
  }
#define EXTRACT(n, T, S, U, bits)                                                           \
  WEFT_CONST S##n bitfield_extract_signed(T##n base, uint offset, uint count) {             \
    S##n field = WEFT_AS(S##n, weftField_##U(WEFT_AS(U##n, base), offset, count));          \
    return count == 0 ? (S##n)((S)0) : field >> (S##n)((S)(bits - count));                  \
  }                                                                                         \
  WEFT_CONST U##n bitfield_extract_unsigned(T##n base, uint offset, uint count) {           \
    U##n field = weftField_##U(WEFT_AS(U##n, base), offset, count);                         \
    return count == 0 ? (U##n)((U)0) : field >> (U##n)((U)(bits - count));                  \
  }                                                                                         \
  WEFT_CONST T##n bitfield_insert(T##n base, T##n insert, uint offset, uint count) {        \
    U##n mask = (U##n)(count == 0 ? (U)0 : (U)((U)((U)-1 >> (bits - count)) << offset));    \
    U##n moved = WEFT_AS(U##n, insert) << (U##n)((U)offset);                                \
    return WEFT_AS(T##n, (U##n)((WEFT_AS(U##n, base) & ~mask) | (moved & mask)));           \
  }
#define REVERSE(n, T, llvm)                                                                 \
  T##n weftReversed(T##n) __attribute__((overloadable, const))                              \
      __asm("llvm.bitreverse." WEFT_LLVM(n, llvm));                                         \
  WEFT_CONST T##n bit_reverse(T##n base) { return weftReversed(base); }

#define FIELDS(T, S, U, bits) WEFT_FOR_SIZES(FIELD, T, U, bits)
#define ALL(T, S, U, bits)              \
  WEFT_FOR_SIZES(EXTRACT, T, S, U, bits) \
  WEFT_FOR_SIZES(REVERSE, T, i##bits)

WEFT_FOR_UNSIGNED(FIELDS)
WEFT_FOR_INTEGERS(ALL)
