// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Reductions and scans. Their operations have a name for each combination and machine type, and
// take the bits of a type under its own name.
#include "operations.h"

// The operations of a combination on a machine type.
#define COMBINE(type, name)                                                          \
  SUB_GROUP_OPERATION type __weft_sub_group_reduce_##name(type x);                   \
  SUB_GROUP_OPERATION type __weft_sub_group_inclusive_##name(type x);                \
  SUB_GROUP_OPERATION type __weft_sub_group_exclusive_##name(type x);                \
  SUB_GROUP_OPERATION type __weft_sub_group_cluster_##name(type x, uint size);

// The functions of a program; prefix is empty or non_uniform_.
#define REDUCE(type, carrier, prefix, op, name)                                                   \
  SUB_GROUP type sub_group_##prefix##reduce_##op(type x) {                                        \
    return (type)__weft_sub_group_reduce_##name((carrier)x);                                      \
  }                                                                                               \
  SUB_GROUP type sub_group_##prefix##scan_inclusive_##op(type x) {                                \
    return (type)__weft_sub_group_inclusive_##name((carrier)x);                                   \
  }                                                                                               \
  SUB_GROUP type sub_group_##prefix##scan_exclusive_##op(type x) {                                \
    return (type)__weft_sub_group_exclusive_##name((carrier)x);                                   \
  }
#define CLUSTER(type, carrier, op, name)                                     \
  SUB_GROUP type sub_group_clustered_reduce_##op(type x, uint size) {        \
    return (type)__weft_sub_group_cluster_##name((carrier)x, size);          \
  }

#define SIGNED_COMBINATIONS(type, suffix) COMBINE(type, min_##suffix) COMBINE(type, max_##suffix)
#define UNSIGNED_COMBINATIONS(type, suffix)                                                   \
  COMBINE(type, add_##suffix) COMBINE(type, mul_##suffix) COMBINE(type, umin_##suffix)        \
  COMBINE(type, umax_##suffix) COMBINE(type, and_##suffix) COMBINE(type, or_##suffix)         \
  COMBINE(type, xor_##suffix)
#define FLOAT_COMBINATIONS(type, suffix)                                                      \
  COMBINE(type, fadd_##suffix) COMBINE(type, fmul_##suffix) COMBINE(type, fmin_##suffix)      \
  COMBINE(type, fmax_##suffix)
UNSIGNED_COMBINATIONS(uchar, i8) UNSIGNED_COMBINATIONS(ushort, i16)
UNSIGNED_COMBINATIONS(uint, i32) UNSIGNED_COMBINATIONS(ulong, i64)
SIGNED_COMBINATIONS(char, i8) SIGNED_COMBINATIONS(short, i16)
SIGNED_COMBINATIONS(int, i32) SIGNED_COMBINATIONS(long, i64)
FLOAT_COMBINATIONS(half, f16) FLOAT_COMBINATIONS(float, f32) FLOAT_COMBINATIONS(double, f64)

// M(type, carrier of sums and bits, carrier of minima, names of sum, product, minimum, maximum)
#define FOR_INTEGER_TYPES(M)                        \
  M(char, uchar, char, min, max, i8)                \
  M(uchar, uchar, uchar, umin, umax, i8)            \
  M(short, ushort, short, min, max, i16)            \
  M(ushort, ushort, ushort, umin, umax, i16)        \
  M(int, uint, int, min, max, i32)                  \
  M(uint, uint, uint, umin, umax, i32)              \
  M(long, ulong, long, min, max, i64)               \
  M(ulong, ulong, ulong, umin, umax, i64)
#define FOR_FLOAT_TYPES(M) M(half, f16) M(float, f32) M(double, f64)
