// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Functions that the builtins library calls and the compiler's passes lower. They have C names
// (no mangling), carry order, scope and flags as constant arguments, and never reach the JIT.
//
// Not defined by the library but recognised by the compiler under their mangled names:
//   get_work_dim, get_global_size, get_global_id, get_local_size, get_enqueued_local_size,
//   get_local_id, get_num_groups, get_group_id, get_global_offset, get_global_linear_id,
//   get_local_linear_id, and printf.
//
// order: 0 relaxed, 2 acquire, 3 release, 4 acq_rel, 5 seq_cst
// scope: 0 work-item, 1 work-group, 2 device, 3 all devices, 4 sub-group
// flags: 1 CLK_LOCAL_MEM_FENCE, 2 CLK_GLOBAL_MEM_FENCE, 4 CLK_IMAGE_MEM_FENCE

// Arrival at a work-group barrier with its entry and exit fences.
__attribute__((convergent)) void __weft_barrier(uint flags, int scope);

// Functions for which the work-items of a group meet once. Each leaves the bits of its `x` in the
// cell of its linear local id; when all have come, `combine`, a CollectiveEntry of
// include/weft/abi/work_group.h, which must be a function's name, runs once. All get what it
// returned from a reduction, and what it left in their own cell from a scan.
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef ulong (*weft_combine)(__private uchar* cells, ulong items, __private uchar* arrivals);
#define WEFT_COLLECTIVES(bits, U)                                                              \
  __attribute__((convergent)) ulong __weft_collective_reduce_##bits(U x, weft_combine combine, \
                                                                    ulong linearId);           \
  __attribute__((convergent)) U __weft_collective_scan_##bits(U x, weft_combine combine,       \
                                                              ulong linearId);
WEFT_COLLECTIVES(8, uchar)
WEFT_COLLECTIVES(16, ushort)
WEFT_COLLECTIVES(32, uint)
WEFT_COLLECTIVES(64, ulong)

// The address space that p points to.
#define WEFT_SEGMENT_PRIVATE 0
#define WEFT_SEGMENT_GLOBAL 1
#define WEFT_SEGMENT_LOCAL 3
#define WEFT_SEGMENT_NONE 4  // p is null
__attribute__((const)) int __weft_segment(const __generic void* p);

// A fence on the memories in flags.
void __weft_fence(uint flags, int order, int scope);

// Atomic operations: __weft_atomic_<op>_<type>_as<address space>. `type` is i16 (load, store and
// cmpxchg alone), i32, i64, f16, f32 or f64; address space is 1 (global), 3 (local) or 4 (generic).
// All return the old value.
//   load(p, order, scope)                 store(p, v, order, scope)   (returns nothing)
//   exchange add sub and or xor min max umin umax   (p, v, order, scope)    integer types
//   exchange fadd fmin fmax                         (p, v, order, scope)    float types
//   cmpxchg(p, expected, desired, successOrder, failureOrder, scope)        integer types
#define WEFT_ATOMIC_RMW(op, suffix, type, as, number)                                     \
  type __weft_atomic_##op##_##suffix##_as##number(volatile as type* p, type v, int order, \
                                                  int scope);
#define WEFT_ATOMIC_CMPXCHG(suffix, type, as, number) \
  type __weft_atomic_cmpxchg_##suffix##_as##number(   \
      volatile as type* p, type expected, type desired, int success, int failure, int scope);
#define WEFT_ATOMIC_LOAD_STORE(suffix, type, as, number)                                    \
  type __weft_atomic_load_##suffix##_as##number(volatile as type* p, int order, int scope); \
  void __weft_atomic_store_##suffix##_as##number(volatile as type* p, type v, int order, int scope);

#define WEFT_ATOMICS_INT(suffix, type, as, number)    \
  WEFT_ATOMIC_LOAD_STORE(suffix, type, as, number)    \
  WEFT_ATOMIC_CMPXCHG(suffix, type, as, number)       \
  WEFT_ATOMIC_RMW(exchange, suffix, type, as, number) \
  WEFT_ATOMIC_RMW(add, suffix, type, as, number)      \
  WEFT_ATOMIC_RMW(sub, suffix, type, as, number)      \
  WEFT_ATOMIC_RMW(and, suffix, type, as, number)      \
  WEFT_ATOMIC_RMW(or, suffix, type, as, number)       \
  WEFT_ATOMIC_RMW(xor, suffix, type, as, number)      \
  WEFT_ATOMIC_RMW(min, suffix, type, as, number)      \
  WEFT_ATOMIC_RMW(max, suffix, type, as, number)      \
  WEFT_ATOMIC_RMW(umin, suffix, type, as, number)     \
  WEFT_ATOMIC_RMW(umax, suffix, type, as, number)
#define WEFT_ATOMICS_FLOAT(suffix, type, as, number)  \
  WEFT_ATOMIC_LOAD_STORE(suffix, type, as, number)    \
  WEFT_ATOMIC_RMW(exchange, suffix, type, as, number) \
  WEFT_ATOMIC_RMW(fadd, suffix, type, as, number)     \
  WEFT_ATOMIC_RMW(fmin, suffix, type, as, number)     \
  WEFT_ATOMIC_RMW(fmax, suffix, type, as, number)
#define WEFT_ATOMICS_IN(as, number)              \
  WEFT_ATOMIC_LOAD_STORE(i16, short, as, number) \
  WEFT_ATOMIC_CMPXCHG(i16, short, as, number)    \
  WEFT_ATOMICS_INT(i32, int, as, number)         \
  WEFT_ATOMICS_INT(i64, long, as, number)        \
  WEFT_ATOMICS_FLOAT(f16, half, as, number)      \
  WEFT_ATOMICS_FLOAT(f32, float, as, number)     \
  WEFT_ATOMICS_FLOAT(f64, double, as, number)

WEFT_ATOMICS_IN(__global, 1)
WEFT_ATOMICS_IN(__local, 3)
WEFT_ATOMICS_IN(__generic, 4)
