// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operations.h"

// cl_khr_subgroup_shuffle, _shuffle_relative and _rotate.
#define SHUFFLE(type, carrier, suffix)                                                          \
  SUB_GROUP type sub_group_shuffle(type x, uint k) { return shuffled(x, k); }                   \
  SUB_GROUP type sub_group_shuffle_xor(type x, uint mask) {                                     \
    return shuffled(x, get_sub_group_local_id() ^ mask);                                        \
  }                                                                                             \
  SUB_GROUP type sub_group_shuffle_up(type x, uint delta) {                                     \
    return shuffled(x, get_sub_group_local_id() - delta);                                       \
  }                                                                                             \
  SUB_GROUP type sub_group_shuffle_down(type x, uint delta) {                                   \
    return shuffled(x, get_sub_group_local_id() + delta);                                       \
  }                                                                                             \
  SUB_GROUP type sub_group_rotate(type x, int delta) {                                          \
    return shuffled(x, get_sub_group_local_id() + (uint)delta);                                 \
  }                                                                                             \
  SUB_GROUP type sub_group_clustered_rotate(type x, int delta, uint size) {                     \
    const uint id = get_sub_group_local_id();                                                   \
    return shuffled(x, (id & -size) + ((id + (uint)delta) & (size - 1)));                       \
  }
FOR_CARRIERS(SHUFFLE)
