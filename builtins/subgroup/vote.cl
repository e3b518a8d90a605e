// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operations.h"

#define VOTE(prefix)                                                                      \
  SUB_GROUP int sub_group_##prefix##all(int predicate) {                                  \
    return __weft_sub_group_ballot(predicate == 0) == 0;                                  \
  }                                                                                       \
  SUB_GROUP int sub_group_##prefix##any(int predicate) {                                  \
    return __weft_sub_group_ballot(predicate != 0) != 0;                                  \
  }
VOTE()
VOTE(non_uniform_)

// cl_khr_subgroup_non_uniform_vote.
SUB_GROUP int sub_group_elect(void) { return get_sub_group_local_id() == first_active(); }

#define ALL_EQUAL(type, carrier, suffix)                                                  \
  SUB_GROUP int sub_group_non_uniform_all_equal(type x) {                                 \
    const type first = broadcasted(x, first_active());                                    \
    return __weft_sub_group_ballot(x != first) == 0;                                      \
  }
FOR_CARRIERS(ALL_EQUAL)
