// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arithmetic.h"

// Reductions and scans that all work-items of a sub-group reach.
#define INTEGER(type, sums, numbers, min_name, max_name, suffix) \
  REDUCE(type, sums, , add, add_##suffix)                        \
  REDUCE(type, numbers, , min, min_name##_##suffix)              \
  REDUCE(type, numbers, , max, max_name##_##suffix)
#define FLOAT(type, suffix)                      \
  REDUCE(type, type, , add, fadd_##suffix)       \
  REDUCE(type, type, , min, fmin_##suffix)       \
  REDUCE(type, type, , max, fmax_##suffix)
FOR_INTEGER_TYPES(INTEGER)
FOR_FLOAT_TYPES(FLOAT)
