// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "atomic/c11.h"

#define ADD(space, number, T, C, suffix, V)                                                  \
  WEFT_ATOMIC_RMW_NAMED(atomic_fetch_add, add, , space, number, T, C, suffix, V)             \
  WEFT_ATOMIC_RMW_NAMED(atomic_fetch_sub, sub, , space, number, T, C, suffix, V)
#define BITS(space, number, T, C, suffix, V)                                                 \
  WEFT_ATOMIC_RMW_NAMED(atomic_fetch_and, and, , space, number, T, C, suffix, V)             \
  WEFT_ATOMIC_RMW_NAMED(atomic_fetch_or, or, , space, number, T, C, suffix, V)               \
  WEFT_ATOMIC_RMW_NAMED(atomic_fetch_xor, xor, , space, number, T, C, suffix, V)
#define FETCH(space, number, T, C, suffix, V) \
  ADD(space, number, T, C, suffix, V) BITS(space, number, T, C, suffix, V)
#define ORDERED(space, number, T, C, suffix, V, minimum, maximum)                            \
  WEFT_ATOMIC_RMW_NAMED(atomic_fetch_min, minimum, , space, number, T, C, suffix, V)         \
  WEFT_ATOMIC_RMW_NAMED(atomic_fetch_max, maximum, , space, number, T, C, suffix, V)

WEFT_FOR_ATOMIC_SPACES(FETCH, int, int, i32, int)
WEFT_FOR_ATOMIC_SPACES(FETCH, uint, int, i32, uint)
WEFT_FOR_ATOMIC_SPACES(FETCH, long, long, i64, long)
WEFT_FOR_ATOMIC_SPACES(FETCH, ulong, long, i64, ulong)
WEFT_FOR_ATOMIC_SPACES(ORDERED, int, int, i32, int, min, max)
WEFT_FOR_ATOMIC_SPACES(ORDERED, uint, int, i32, uint, umin, umax)
WEFT_FOR_ATOMIC_SPACES(ORDERED, long, long, i64, long, min, max)
WEFT_FOR_ATOMIC_SPACES(ORDERED, ulong, long, i64, ulong, umin, umax)

// intptr_t and uintptr_t mixed: a difference is added to an address, a mask put on one, and so on.
WEFT_FOR_ATOMIC_SPACES(FETCH, ulong, long, i64, long)
WEFT_FOR_ATOMIC_SPACES(BITS, long, long, i64, ulong)
WEFT_FOR_ATOMIC_SPACES(ORDERED, ulong, long, i64, long, umin, umax)
WEFT_FOR_ATOMIC_SPACES(ORDERED, long, long, i64, ulong, min, max)
