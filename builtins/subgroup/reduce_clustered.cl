// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arithmetic.h"

// cl_khr_subgroup_clustered_reduce.
#define INTEGER(type, sums, numbers, min_name, max_name, suffix) \
  CLUSTER(type, sums, add, add_##suffix)                         \
  CLUSTER(type, sums, mul, mul_##suffix)                         \
  CLUSTER(type, numbers, min, min_name##_##suffix)               \
  CLUSTER(type, numbers, max, max_name##_##suffix)               \
  CLUSTER(type, sums, and, and_##suffix)                         \
  CLUSTER(type, sums, or, or_##suffix)                           \
  CLUSTER(type, sums, xor, xor_##suffix)
#define FLOAT(type, suffix)                   \
  CLUSTER(type, type, add, fadd_##suffix)     \
  CLUSTER(type, type, mul, fmul_##suffix)     \
  CLUSTER(type, type, min, fmin_##suffix)     \
  CLUSTER(type, type, max, fmax_##suffix)
FOR_INTEGER_TYPES(INTEGER)
FOR_FLOAT_TYPES(FLOAT)

#define LOGICAL(op)                                                                  \
  SUB_GROUP int sub_group_clustered_reduce_logical_##op(int predicate, uint size) {  \
    return (int)__weft_sub_group_cluster_##op##_i32(predicate != 0, size);           \
  }
LOGICAL(and)
LOGICAL(or)
LOGICAL(xor)
