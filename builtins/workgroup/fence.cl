// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"
#include "weft_internal.h"

WEFT_WRAPPER void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order,
                                         memory_scope scope) {
  __weft_fence(flags, order, scope);
}

// OpenCL C 1.x: order the work-item's own accesses as the other work-items of its group see them.
WEFT_WRAPPER void mem_fence(cl_mem_fence_flags flags) {
  __weft_fence(flags, memory_order_acq_rel, memory_scope_work_group);
}
WEFT_WRAPPER void read_mem_fence(cl_mem_fence_flags flags) {
  __weft_fence(flags, memory_order_acquire, memory_scope_work_group);
}
WEFT_WRAPPER void write_mem_fence(cl_mem_fence_flags flags) {
  __weft_fence(flags, memory_order_release, memory_scope_work_group);
}
