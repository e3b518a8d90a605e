// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operations.h"

#define SCALAR(type, carrier, suffix)                                                \
  SUB_GROUP type sub_group_broadcast(type x, uint k) { return broadcasted(x, k); }   \
  SUB_GROUP type sub_group_non_uniform_broadcast(type x, uint k) {                   \
    return broadcasted(x, k);                                                        \
  }                                                                                  \
  SUB_GROUP type sub_group_broadcast_first(type x) {                                 \
    return broadcasted(x, first_active());                                           \
  }
FOR_CARRIERS(SCALAR)

// cl_khr_subgroup_extended_types, and cl_khr_subgroup_ballot with it.
#define VECTOR(n, type)                                                              \
  SUB_GROUP type##n sub_group_broadcast(type##n x, uint k) {                         \
    type##n result;                                                                  \
    _Pragma("unroll") for (int i = 0; i < n; ++i) result[i] = broadcasted(x[i], k);  \
    return result;                                                                   \
  }                                                                                  \
  SUB_GROUP type##n sub_group_non_uniform_broadcast(type##n x, uint k) {             \
    return sub_group_broadcast(x, k);                                                \
  }
#define VECTORS(type) WEFT_FOR_VECTORS(VECTOR, type)
WEFT_FOR_ALL_TYPES(VECTORS)
