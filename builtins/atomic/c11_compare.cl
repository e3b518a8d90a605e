// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "atomic/c11.h"

// Weak and strong are one here. Bits are compared, for floating point too. The value that was
// found is handed back only on failure: on success `expected` is not written.
#define COMPARE(space, number, T, C, suffix, strength, expectedSpace)                        \
  WEFT_WRAPPER bool atomic_compare_exchange_##strength##_explicit(                           \
      volatile space atomic_##T *object, expectedSpace T *expected, T desired,               \
      memory_order success, memory_order failure, memory_scope scope) {                      \
    C wanted = *(expectedSpace C *)expected;                                                 \
    C found = WEFT_ATOMIC_CALL(cmpxchg, C, suffix, space, number, wanted,                    \
                               WEFT_AS(C, desired), success, failure, scope);                \
    bool exchanged = found == wanted;                                                        \
    if (!exchanged) *(expectedSpace C *)expected = found;                                    \
    return exchanged;                                                                        \
  }                                                                                          \
  WEFT_WRAPPER bool atomic_compare_exchange_##strength##_explicit(                           \
      volatile space atomic_##T *object, expectedSpace T *expected, T desired,               \
      memory_order success, memory_order failure) {                                          \
    return atomic_compare_exchange_##strength##_explicit(object, expected, desired, success, \
                                                         failure, memory_scope_device);      \
  }                                                                                          \
  WEFT_WRAPPER bool atomic_compare_exchange_##strength(                                      \
      volatile space atomic_##T *object, expectedSpace T *expected, T desired) {             \
    return atomic_compare_exchange_##strength##_explicit(object, expected, desired,          \
                                                         memory_order_seq_cst,               \
                                                         memory_order_seq_cst,               \
                                                         memory_scope_device);               \
  }
#define EXPECTED(space, number, T, C, suffix, strength)                     \
  COMPARE(space, number, T, C, suffix, strength, __global)                  \
  COMPARE(space, number, T, C, suffix, strength, __local)                   \
  COMPARE(space, number, T, C, suffix, strength, __private)
#define OBJECTS(T, C, suffix, strength)                                     \
  EXPECTED(__global, 1, T, C, suffix, strength)                             \
  EXPECTED(__local, 3, T, C, suffix, strength)                              \
  COMPARE(__generic, 4, T, C, suffix, strength, __generic)
#define ALL(T, C, suffix) OBJECTS(T, C, suffix, strong) OBJECTS(T, C, suffix, weak)

ALL(int, int, i32)
ALL(uint, int, i32)
ALL(long, long, i64)
ALL(ulong, long, i64)
ALL(float, int, i32)
ALL(double, long, i64)
