// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "weft_common.h"
#include "weft_internal.h"

// The atomic functions of OpenCL C 1.x: relaxed, for the device. `prefix` is atomic or atom; T is
// the type, C the one that carries it in __weft_atomic_*, min and max the operations of T's sign.
#define WEFT_LEGACY_CALL(op, C, suffix, space, number, ...) \
  __weft_atomic_##op##_##suffix##_as##number((volatile space C *)p, __VA_ARGS__)

#define WEFT_LEGACY_RMW(prefix, name, op, T, C, suffix, space, number)                       \
  WEFT_WRAPPER T prefix##_##name(volatile space T *p, T value) {                             \
    return WEFT_AS(T, WEFT_LEGACY_CALL(op, C, suffix, space, number, WEFT_AS(C, value),      \
                                       memory_order_relaxed, memory_scope_device));          \
  }
#define WEFT_LEGACY_STEP(prefix, name, op, T, C, suffix, space, number)                      \
  WEFT_WRAPPER T prefix##_##name(volatile space T *p) {                                      \
    return WEFT_AS(T, WEFT_LEGACY_CALL(op, C, suffix, space, number, (C)1,                   \
                                       memory_order_relaxed, memory_scope_device));          \
  }
#define WEFT_LEGACY_CMPXCHG(prefix, T, C, suffix, space, number)                             \
  WEFT_WRAPPER T prefix##_cmpxchg(volatile space T *p, T expected, T desired) {              \
    return WEFT_AS(T, WEFT_LEGACY_CALL(cmpxchg, C, suffix, space, number,                    \
                                       WEFT_AS(C, expected), WEFT_AS(C, desired),            \
                                       memory_order_relaxed, memory_order_relaxed,           \
                                       memory_scope_device));                                \
  }
#define WEFT_LEGACY(prefix, T, C, suffix, minimum, maximum, space, number)        \
  WEFT_LEGACY_RMW(prefix, add, add, T, C, suffix, space, number)                  \
  WEFT_LEGACY_RMW(prefix, sub, sub, T, C, suffix, space, number)                  \
  WEFT_LEGACY_RMW(prefix, xchg, exchange, T, C, suffix, space, number)            \
  WEFT_LEGACY_STEP(prefix, inc, add, T, C, suffix, space, number)                 \
  WEFT_LEGACY_STEP(prefix, dec, sub, T, C, suffix, space, number)                 \
  WEFT_LEGACY_CMPXCHG(prefix, T, C, suffix, space, number)                        \
  WEFT_LEGACY_RMW(prefix, min, minimum, T, C, suffix, space, number)              \
  WEFT_LEGACY_RMW(prefix, max, maximum, T, C, suffix, space, number)              \
  WEFT_LEGACY_RMW(prefix, and, and, T, C, suffix, space, number)                  \
  WEFT_LEGACY_RMW(prefix, or, or, T, C, suffix, space, number)                    \
  WEFT_LEGACY_RMW(prefix, xor, xor, T, C, suffix, space, number)
#define WEFT_LEGACY_32(prefix, space, number)                                     \
  WEFT_LEGACY(prefix, int, int, i32, min, max, space, number)                     \
  WEFT_LEGACY(prefix, uint, int, i32, umin, umax, space, number)
#define WEFT_LEGACY_64(prefix, space, number)                                     \
  WEFT_LEGACY(prefix, long, long, i64, min, max, space, number)                   \
  WEFT_LEGACY(prefix, ulong, long, i64, umin, umax, space, number)
