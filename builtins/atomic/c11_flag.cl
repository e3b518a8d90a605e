// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "atomic/c11.h"

#define FLAG(space, number, unused)                                                          \
  WEFT_WRAPPER bool atomic_flag_test_and_set_explicit(volatile space atomic_flag *object,    \
                                                      memory_order order,                    \
                                                      memory_scope scope) {                  \
    return WEFT_ATOMIC_CALL(exchange, int, i32, space, number, 1, order, scope) != 0;        \
  }                                                                                          \
  WEFT_WRAPPER bool atomic_flag_test_and_set_explicit(volatile space atomic_flag *object,    \
                                                      memory_order order) {                  \
    return atomic_flag_test_and_set_explicit(object, order, memory_scope_device);            \
  }                                                                                          \
  WEFT_WRAPPER bool atomic_flag_test_and_set(volatile space atomic_flag *object) {           \
    return atomic_flag_test_and_set_explicit(object, memory_order_seq_cst,                   \
                                             memory_scope_device);                           \
  }                                                                                          \
  WEFT_WRAPPER void atomic_flag_clear_explicit(volatile space atomic_flag *object,           \
                                               memory_order order, memory_scope scope) {     \
    WEFT_ATOMIC_CALL(store, int, i32, space, number, 0, order, scope);                       \
  }                                                                                          \
  WEFT_WRAPPER void atomic_flag_clear_explicit(volatile space atomic_flag *object,           \
                                               memory_order order) {                         \
    atomic_flag_clear_explicit(object, order, memory_scope_device);                          \
  }                                                                                          \
  WEFT_WRAPPER void atomic_flag_clear(volatile space atomic_flag *object) {                  \
    atomic_flag_clear_explicit(object, memory_order_seq_cst, memory_scope_device);           \
  }

WEFT_FOR_ATOMIC_SPACES(FLAG, 0)
