// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"
#include "weft_internal.h"

// Clang's names of to_global, to_local and to_private. A null pointer is in no address space and
// stays null.
#define TO(space, number)                                                             \
  __attribute__((always_inline)) __##space void *weftTo_##space(__generic void *p)    \
      __asm("__to_" #space);                                                          \
  __##space void *weftTo_##space(__generic void *p) {                                 \
    return __weft_segment(p) == number ? (__##space void *)p : (__##space void *)0;   \
  }

TO(global, WEFT_SEGMENT_GLOBAL)
TO(local, WEFT_SEGMENT_LOCAL)
TO(private, WEFT_SEGMENT_PRIVATE)

WEFT_WRAPPER cl_mem_fence_flags get_fence(const __generic void *p) {
  return __weft_segment(p) == WEFT_SEGMENT_LOCAL ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;
}
WEFT_WRAPPER cl_mem_fence_flags get_fence(__generic void *p) {
  return get_fence((const __generic void *)p);
}
