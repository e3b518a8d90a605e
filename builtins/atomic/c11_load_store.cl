// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "atomic/c11.h"

#define LOAD_STORE(space, number, T, C, suffix, unused)                                      \
  WEFT_WRAPPER T atomic_load_explicit(volatile space atomic_##T *object, memory_order order, \
                                      memory_scope scope) {                                  \
    return WEFT_AS(T, WEFT_ATOMIC_CALL(load, C, suffix, space, number, order, scope));       \
  }                                                                                          \
  WEFT_WRAPPER T atomic_load_explicit(volatile space atomic_##T *object,                     \
                                      memory_order order) {                                  \
    return atomic_load_explicit(object, order, memory_scope_device);                         \
  }                                                                                          \
  WEFT_WRAPPER T atomic_load(volatile space atomic_##T *object) {                            \
    return atomic_load_explicit(object, memory_order_seq_cst, memory_scope_device);          \
  }                                                                                          \
  WEFT_WRAPPER void atomic_store_explicit(volatile space atomic_##T *object, T value,        \
                                          memory_order order, memory_scope scope) {          \
    WEFT_ATOMIC_CALL(store, C, suffix, space, number, WEFT_AS(C, value), order, scope);      \
  }                                                                                          \
  WEFT_WRAPPER void atomic_store_explicit(volatile space atomic_##T *object, T value,        \
                                          memory_order order) {                              \
    atomic_store_explicit(object, value, order, memory_scope_device);                        \
  }                                                                                          \
  WEFT_WRAPPER void atomic_store(volatile space atomic_##T *object, T value) {               \
    atomic_store_explicit(object, value, memory_order_seq_cst, memory_scope_device);         \
  }                                                                                          \
  /* Not atomic: nobody else may look yet. */                                                \
  WEFT_WRAPPER void atomic_init(volatile space atomic_##T *object, T value) {                \
    *(volatile space T *)object = value;                                                     \
  }

WEFT_FOR_ATOMIC_INTEGERS(LOAD_STORE, 0)
WEFT_FOR_ATOMIC_FLOATS(LOAD_STORE, 0)
