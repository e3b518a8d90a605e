// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workgroup/collective.h"

#define LOGICAL(name, neutral)                                                               \
  REDUCE_CELLS(uchar, uchar, name, OP_##name, neutral)                                       \
  SCAN_CELLS(uchar, inclusive, name, OP_##name, neutral, ROW(uchar, cells, i) = x;)          \
  SCAN_CELLS(uchar, exclusive, name, OP_##name, neutral,                                     \
             ROW(uchar, cells, i) = SHIFT_1(before, x);)                                     \
  COLLECTIVE int work_group_reduce_logical_##name(int predicate) {                           \
    return (uchar)__weft_collective_reduce_8(predicate != 0, weft_reduce_##name##_uchar,     \
                                             get_local_linear_id());                         \
  }                                                                                          \
  COLLECTIVE int work_group_scan_inclusive_logical_##name(int predicate) {                   \
    return __weft_collective_scan_8(predicate != 0, weft_scan_inclusive_##name##_uchar,      \
                                    get_local_linear_id());                                  \
  }                                                                                          \
  COLLECTIVE int work_group_scan_exclusive_logical_##name(int predicate) {                   \
    return __weft_collective_scan_8(predicate != 0, weft_scan_exclusive_##name##_uchar,      \
                                    get_local_linear_id());                                  \
  }

LOGICAL(and, 1)
LOGICAL(or, 0)
LOGICAL(xor, 0)

COLLECTIVE int work_group_all(int predicate) { return work_group_reduce_logical_and(predicate); }
COLLECTIVE int work_group_any(int predicate) { return work_group_reduce_logical_or(predicate); }
