// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arithmetic.h"

// cl_khr_subgroup_non_uniform_arithmetic: of the work-items that come to the call.
#define INTEGER(type, sums, numbers, min_name, max_name, suffix)  \
  REDUCE(type, sums, non_uniform_, add, add_##suffix)             \
  REDUCE(type, sums, non_uniform_, mul, mul_##suffix)             \
  REDUCE(type, numbers, non_uniform_, min, min_name##_##suffix)   \
  REDUCE(type, numbers, non_uniform_, max, max_name##_##suffix)   \
  REDUCE(type, sums, non_uniform_, and, and_##suffix)             \
  REDUCE(type, sums, non_uniform_, or, or_##suffix)               \
  REDUCE(type, sums, non_uniform_, xor, xor_##suffix)
#define FLOAT(type, suffix)                                  \
  REDUCE(type, type, non_uniform_, add, fadd_##suffix)       \
  REDUCE(type, type, non_uniform_, mul, fmul_##suffix)       \
  REDUCE(type, type, non_uniform_, min, fmin_##suffix)       \
  REDUCE(type, type, non_uniform_, max, fmax_##suffix)
FOR_INTEGER_TYPES(INTEGER)
FOR_FLOAT_TYPES(FLOAT)

#define LOGICAL(op)                                                          \
  SUB_GROUP int sub_group_non_uniform_reduce_logical_##op(int predicate) {   \
    return (int)__weft_sub_group_reduce_##op##_i32(predicate != 0);          \
  }                                                                          \
  SUB_GROUP int sub_group_non_uniform_scan_inclusive_logical_##op(int predicate) { \
    return (int)__weft_sub_group_inclusive_##op##_i32(predicate != 0);       \
  }                                                                          \
  SUB_GROUP int sub_group_non_uniform_scan_exclusive_logical_##op(int predicate) { \
    return __weft_sub_group_exclusive_##op##_i32(predicate != 0) != 0;       \
  }
LOGICAL(and)
LOGICAL(or)
LOGICAL(xor)
