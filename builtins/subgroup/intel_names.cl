// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operations.h"

// cl_intel_subgroups_char and _short: other names of what sub-groups do with small types.
#define BROADCAST(n, type)                                         \
  SUB_GROUP type##n intel_sub_group_broadcast(type##n x, uint k) { \
    return sub_group_broadcast(x, k);                              \
  }
#define COMBINE(type, function) \
  SUB_GROUP type intel_sub_group_##function(type x) { return sub_group_##function(x); }
#define SMALL(type)                                                                     \
  WEFT_FOR_SIZES(BROADCAST, type)                                                       \
  COMBINE(type, reduce_add)                                                             \
  COMBINE(type, reduce_min) COMBINE(type, reduce_max) COMBINE(type, scan_exclusive_add) \
      COMBINE(type, scan_exclusive_min) COMBINE(type, scan_exclusive_max)               \
          COMBINE(type, scan_inclusive_add) COMBINE(type, scan_inclusive_min)           \
              COMBINE(type, scan_inclusive_max)
SMALL(char) SMALL(uchar) SMALL(short) SMALL(ushort)
