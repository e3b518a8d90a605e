// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Operations of a whole sub-group, which the compiler replaces: compiler/ir/sub_groups.h says what
// they do. Those work-items take part that reach the call in the same iteration of each loop around
// it, so that one operation serves uniform and non-uniform functions.
#include "weft_common.h"

#define SUB_GROUP __attribute__((overloadable, always_inline, convergent))
#define SUB_GROUP_OPERATION __attribute__((convergent, nothrow))

SUB_GROUP_OPERATION void __weft_sub_group_barrier(void);
SUB_GROUP_OPERATION ulong __weft_sub_group_ballot(uint predicate);

#define MOVE(type, suffix)                                                      \
  SUB_GROUP_OPERATION type __weft_sub_group_shuffle_##suffix(type x, uint k);   \
  SUB_GROUP_OPERATION type __weft_sub_group_broadcast_##suffix(type x, uint k);
MOVE(uchar, i8)
MOVE(ushort, i16)
MOVE(uint, i32)
MOVE(ulong, i64)
#undef MOVE

// M(type, carrier, suffix): the integer that is moved for a type.
#define FOR_CARRIERS(M)                                                      \
  M(char, uchar, i8) M(uchar, uchar, i8) M(short, ushort, i16)               \
  M(ushort, ushort, i16) M(int, uint, i32) M(uint, uint, i32)                \
  M(long, ulong, i64) M(ulong, ulong, i64) M(float, uint, i32)               \
  M(double, ulong, i64) M(half, ushort, i16)

#define MOVES(type, carrier, suffix)                                                             \
  WEFT_INLINE __attribute__((convergent)) type shuffled(type x, uint k) {                        \
    return WEFT_AS(type, __weft_sub_group_shuffle_##suffix(WEFT_AS(carrier, x), k));             \
  }                                                                                              \
  WEFT_INLINE __attribute__((convergent)) type broadcasted(type x, uint k) {                     \
    return WEFT_AS(type, __weft_sub_group_broadcast_##suffix(WEFT_AS(carrier, x), k));           \
  }
FOR_CARRIERS(MOVES)
#undef MOVES

WEFT_INLINE __attribute__((convergent)) ulong active(void) {
  return __weft_sub_group_ballot(1);
}
WEFT_INLINE __attribute__((convergent)) uint first_active(void) {
  return (uint)__builtin_ctzl(active());
}
