// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workgroup/collective.h"

// All other work-items bring zeros along.
REDUCE_CELLS(ushort, ushort, or, OP_or, 0)
REDUCE_CELLS(uint, uint, or, OP_or, 0)
REDUCE_CELLS(ulong, ulong, or, OP_or, 0)

#define BROADCAST(T, U, bits, unused)                                                         \
  COLLECTIVE T work_group_broadcast(T x, size_t id0, size_t id1, size_t id2) {                \
    const bool isSource =                                                                     \
        get_local_id(0) == id0 && get_local_id(1) == id1 && get_local_id(2) == id2;           \
    return WEFT_AS(T, (U)__weft_collective_reduce_##bits(isSource ? WEFT_AS(U, x) : (U)0,     \
                                                         weft_reduce_or_##U,                  \
                                                         get_local_linear_id()));             \
  }                                                                                           \
  COLLECTIVE T work_group_broadcast(T x, size_t id0, size_t id1) {                            \
    return work_group_broadcast(x, id0, id1, (size_t)0);                                      \
  }                                                                                           \
  COLLECTIVE T work_group_broadcast(T x, size_t id0) {                                        \
    return work_group_broadcast(x, id0, (size_t)0, (size_t)0);                                \
  }

FOR_COLLECTIVE_INTEGERS(BROADCAST, )
FOR_COLLECTIVE_FLOATS(BROADCAST, )
