// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operations.h"

// cl_intel_subgroups, _char, _short and _long: shuffles, also of vectors and along two sub-groups'
// worth of values.
#define SCALAR(type, carrier, suffix)                                                  \
  SUB_GROUP type intel_sub_group_shuffle(type x, uint k) { return shuffled(x, k); }    \
  SUB_GROUP type intel_sub_group_shuffle_xor(type x, uint mask) {                      \
    return shuffled(x, get_sub_group_local_id() ^ mask);                               \
  }                                                                                    \
  SUB_GROUP type intel_sub_group_shuffle_down(type current, type next, uint delta) {   \
    const uint k = get_sub_group_local_id() + delta, size = get_max_sub_group_size();  \
    const type near = shuffled(current, k), far = shuffled(next, k - size);            \
    return k < size ? near : far;                                                      \
  }                                                                                    \
  SUB_GROUP type intel_sub_group_shuffle_up(type previous, type current, uint delta) { \
    const uint id = get_sub_group_local_id(), k = id - delta;                          \
    const type near = shuffled(current, k);                                            \
    const type far = shuffled(previous, k + get_max_sub_group_size());                 \
    return delta <= id ? near : far;                                                   \
  }
FOR_CARRIERS(SCALAR)

#define EACH_COMPONENT(type, n, value)                             \
  type##n result;                                                  \
  _Pragma("unroll") for (int i = 0; i < n; ++i) result[i] = value; \
  return result
#define VECTOR(n, type)                                                                         \
  SUB_GROUP type##n intel_sub_group_shuffle(type##n x, uint k) {                                \
    EACH_COMPONENT(type, n, shuffled(x[i], k));                                                 \
  }                                                                                             \
  SUB_GROUP type##n intel_sub_group_shuffle_xor(type##n x, uint mask) {                         \
    return intel_sub_group_shuffle(x, get_sub_group_local_id() ^ mask);                         \
  }                                                                                             \
  SUB_GROUP type##n intel_sub_group_shuffle_down(type##n current, type##n next, uint delta) {   \
    EACH_COMPONENT(type, n, intel_sub_group_shuffle_down(current[i], next[i], delta));          \
  }                                                                                             \
  SUB_GROUP type##n intel_sub_group_shuffle_up(type##n previous, type##n current, uint delta) { \
    EACH_COMPONENT(type, n, intel_sub_group_shuffle_up(previous[i], current[i], delta));        \
  }
#define VECTORS(type) WEFT_FOR_VECTORS(VECTOR, type)
VECTORS(char)
VECTORS(uchar) VECTORS(short) VECTORS(ushort) VECTORS(int) VECTORS(uint) VECTORS(float)
