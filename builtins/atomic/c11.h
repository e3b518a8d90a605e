// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "weft_common.h"
#include "weft_internal.h"

// The atomic functions of OpenCL C 2.0 and later. T is the type, C the one that carries it in
// __weft_atomic_*, whose name ends in `suffix`; `number` is that of the address space.
// Functions without an order are sequentially consistent, and those without a scope are for
// the device.

// M(space, number, ...) for each address space of atomic objects.
#define WEFT_FOR_ATOMIC_SPACES(M, ...) \
  M(__global, 1, __VA_ARGS__) M(__local, 3, __VA_ARGS__) M(__generic, 4, __VA_ARGS__)

#define WEFT_FOR_ATOMIC_INTEGERS(M, ...)            \
  WEFT_FOR_ATOMIC_SPACES(M, int, int, i32, __VA_ARGS__)  \
  WEFT_FOR_ATOMIC_SPACES(M, uint, int, i32, __VA_ARGS__) \
  WEFT_FOR_ATOMIC_SPACES(M, long, long, i64, __VA_ARGS__) \
  WEFT_FOR_ATOMIC_SPACES(M, ulong, long, i64, __VA_ARGS__)
#define WEFT_FOR_ATOMIC_FLOATS(M, ...)              \
  WEFT_FOR_ATOMIC_SPACES(M, half, half, f16, __VA_ARGS__) \
  WEFT_FOR_ATOMIC_SPACES(M, float, float, f32, __VA_ARGS__) \
  WEFT_FOR_ATOMIC_SPACES(M, double, double, f64, __VA_ARGS__)

#define WEFT_ATOMIC_CALL(op, C, suffix, space, number, ...) \
  __weft_atomic_##op##_##suffix##_as##number((volatile space C *)object, __VA_ARGS__)

// name(object, value) and its explicit forms, for a read-modify-write operation. V is the type
// of the operand, `change` what is done to it first (nothing, or a minus sign).
#define WEFT_ATOMIC_RMW_NAMED(name, op, change, space, number, T, C, suffix, V)              \
  WEFT_WRAPPER T name##_explicit(volatile space atomic_##T *object, V value,                 \
                                 memory_order order, memory_scope scope) {                   \
    return WEFT_AS(T, WEFT_ATOMIC_CALL(op, C, suffix, space, number,                         \
                                       WEFT_AS(C, (T)(change value)), order, scope));        \
  }                                                                                          \
  WEFT_WRAPPER T name##_explicit(volatile space atomic_##T *object, V value,                 \
                                 memory_order order) {                                       \
    return name##_explicit(object, value, order, memory_scope_device);                       \
  }                                                                                          \
  WEFT_WRAPPER T name(volatile space atomic_##T *object, V value) {                          \
    return name##_explicit(object, value, memory_order_seq_cst, memory_scope_device);        \
  }
