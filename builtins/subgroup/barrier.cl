// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operations.h"
#include "weft_internal.h"

SUB_GROUP void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  __weft_fence(flags, memory_order_release, scope);
  __weft_sub_group_barrier();
  __weft_fence(flags, memory_order_acquire, scope);
}
SUB_GROUP void sub_group_barrier(cl_mem_fence_flags flags) {
  sub_group_barrier(flags, memory_scope_sub_group);
}
