// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"
#include "weft_internal.h"

// Every work-item waits for the copies of the first: that is a barrier. Copies were made when
// they were asked for, so it does not matter which events are named.
#define WAIT(space)                                                                       \
  __attribute__((overloadable, always_inline, convergent)) void wait_group_events(        \
      int count, space event_t *events) {                                                 \
    __weft_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);  \
  }

WAIT(__private)
WAIT(__generic)
