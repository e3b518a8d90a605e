// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "atomic/c11.h"

#define SUM(space, number, T, C, suffix, unused)                                             \
  WEFT_ATOMIC_RMW_NAMED(atomic_fetch_add, fadd, , space, number, T, C, suffix, T)            \
  WEFT_ATOMIC_RMW_NAMED(atomic_fetch_sub, fadd, -, space, number, T, C, suffix, T)
#define ORDERED(space, number, T, C, suffix, unused)                                         \
  WEFT_ATOMIC_RMW_NAMED(atomic_fetch_min, fmin, , space, number, T, C, suffix, T)            \
  WEFT_ATOMIC_RMW_NAMED(atomic_fetch_max, fmax, , space, number, T, C, suffix, T)

WEFT_FOR_ATOMIC_FLOATS(SUM, 0)
WEFT_FOR_ATOMIC_SPACES(ORDERED, float, float, f32, 0)
WEFT_FOR_ATOMIC_SPACES(ORDERED, double, double, f64, 0)

// The minimum and maximum of half are calls of libm to LLVM's code generator, so these say what
// they mean: a NaN gives way to a number.
#define HALF_LOOP(name, better, space, number)                                               \
  WEFT_INLINE half weftFetch_##name(volatile space atomic_half *object, half value,          \
                                    memory_order order, memory_scope scope) {                \
    volatile space short *bits = (volatile space short *)object;                             \
    short found = __weft_atomic_load_i16_as##number(bits, memory_order_relaxed, scope);      \
    for (;;) {                                                                               \
      half old = WEFT_AS(half, found);                                                       \
      half wanted = value better old || old != old ? value : old;                            \
      short now = __weft_atomic_cmpxchg_i16_as##number(bits, found, WEFT_AS(short, wanted),  \
                                                       order, memory_order_relaxed, scope);  \
      if (now == found) return old;                                                          \
      found = now;                                                                           \
    }                                                                                        \
  }                                                                                          \
  WEFT_WRAPPER half atomic_fetch_##name##_explicit(volatile space atomic_half *object,       \
                                                   half value, memory_order order,           \
                                                   memory_scope scope) {                     \
    return weftFetch_##name(object, value, order, scope);                                    \
  }                                                                                          \
  WEFT_WRAPPER half atomic_fetch_##name##_explicit(volatile space atomic_half *object,       \
                                                   half value, memory_order order) {         \
    return weftFetch_##name(object, value, order, memory_scope_device);                      \
  }                                                                                          \
  WEFT_WRAPPER half atomic_fetch_##name(volatile space atomic_half *object, half value) {    \
    return weftFetch_##name(object, value, memory_order_seq_cst, memory_scope_device);       \
  }
#define HALF(space, number, unused)       \
  HALF_LOOP(min, <, space, number)        \
  HALF_LOOP(max, >, space, number)

WEFT_FOR_ATOMIC_SPACES(HALF, 0)
