// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "intel_block.h"
#include "operations.h"

// cl_intel_subgroups, _char, _short, _long and _local_block_io: blocks of memory, in which the
// values of a work-item are as far apart as the sub-group is large.
#define BLOCK(n, type, suffix, space)                                            \
  SUB_GROUP type##n intel_sub_group_block_read##suffix(const space type* p) {    \
    const size_t id = get_sub_group_local_id(), size = get_max_sub_group_size(); \
    type##n result;                                                              \
    WEFT_FOR_BLOCK(type, n, i) WEFT_BLOCK_PART(n, result, i) = p[id + i * size]; \
    return result;                                                               \
  }                                                                              \
  SUB_GROUP void intel_sub_group_block_write##suffix(space type* p, type##n x) { \
    const size_t id = get_sub_group_local_id(), size = get_max_sub_group_size(); \
    WEFT_FOR_BLOCK(type, n, i) p[id + i * size] = WEFT_BLOCK_PART(n, x, i);      \
  }
#define BLOCKS(n, type, suffix, r, w) \
  BLOCK(n, type, suffix, __global)    \
  BLOCK(n, type, suffix, __local)
WEFT_FOR_BLOCKS(BLOCKS)
