// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "atomic/c11.h"

// Clang's table declares the value that is stored to an atomic_half as an atomic_half too, which
// no function can be written with; so the mangled names are given by hand.
#define NAMED(text) __asm(text)
#define OBJECT(number) "PU3AS" #number "VU7_AtomicDhS_"
#define STORE(space, number, unused)                                                         \
  __attribute__((always_inline)) void weftStore##number(                                     \
      volatile space atomic_half *object, half value, memory_order order, memory_scope scope) \
      NAMED("_Z21atomic_store_explicit" OBJECT(number) "12memory_order12memory_scope");      \
  void weftStore##number(volatile space atomic_half *object, half value, memory_order order, \
                         memory_scope scope) {                                               \
    WEFT_ATOMIC_CALL(store, half, f16, space, number, value, order, scope);                  \
  }                                                                                          \
  __attribute__((always_inline)) void weftStoreInOrder##number(                              \
      volatile space atomic_half *object, half value, memory_order order)                    \
      NAMED("_Z21atomic_store_explicit" OBJECT(number) "12memory_order");                    \
  void weftStoreInOrder##number(volatile space atomic_half *object, half value,              \
                                memory_order order) {                                        \
    weftStore##number(object, value, order, memory_scope_device);                            \
  }                                                                                          \
  __attribute__((always_inline)) void weftStoreStrictly##number(                             \
      volatile space atomic_half *object, half value)                                        \
      NAMED("_Z12atomic_store" OBJECT(number));                                              \
  void weftStoreStrictly##number(volatile space atomic_half *object, half value) {           \
    weftStore##number(object, value, memory_order_seq_cst, memory_scope_device);             \
  }

WEFT_FOR_ATOMIC_SPACES(STORE, 0)
