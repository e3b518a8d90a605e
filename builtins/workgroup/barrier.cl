// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"
#include "weft_internal.h"

#define BARRIER __attribute__((overloadable, always_inline, convergent))

BARRIER void barrier(cl_mem_fence_flags flags) { __weft_barrier(flags, memory_scope_work_group); }
BARRIER void work_group_barrier(cl_mem_fence_flags flags) {
  __weft_barrier(flags, memory_scope_work_group);
}
BARRIER void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  __weft_barrier(flags, scope);
}
