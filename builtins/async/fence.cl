// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"
#include "weft_internal.h"

// cl_khr_async_work_group_copy_fence. One work-item makes all copies, in order.
WEFT_WRAPPER void async_work_group_copy_fence(cl_mem_fence_flags flags) {
  __weft_fence(flags, memory_order_acq_rel, memory_scope_work_group);
}
