// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipe/pipe.h"

// Reservations of work-groups: the first work-item makes them, all learn of them. What others have
// read or written is done when the first one commits.

WeftReserveId __reserve_read_pipe(WeftPipePtr ring, uint packets, uint size, uint align);
WeftReserveId __reserve_write_pipe(WeftPipePtr ring, uint packets, uint size, uint align);
void __commit_read_pipe(WeftPipePtr ring, WeftReserveId reservation, uint size, uint align);
void __commit_write_pipe(WeftPipePtr ring, WeftReserveId reservation, uint size, uint align);

#define GROUP(direction)                                                                         \
  __attribute__((always_inline, convergent)) WeftReserveId                                       \
      __work_group_reserve_##direction##_pipe(WeftPipePtr ring, uint packets, uint size,         \
                                              uint align) {                                      \
    ulong id = 0;                                                                                \
    if (get_local_linear_id() == 0)                                                              \
      id = (ulong)__reserve_##direction##_pipe(ring, packets, size, align);                      \
    return (WeftReserveId)work_group_broadcast(id, 0, 0, 0);                                     \
  }                                                                                              \
  __attribute__((always_inline, convergent)) void __work_group_commit_##direction##_pipe(        \
      WeftPipePtr ring, WeftReserveId reservation, uint size, uint align) {                      \
    __weft_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);         \
    if (get_local_linear_id() == 0) __commit_##direction##_pipe(ring, reservation, size, align); \
  }

GROUP(read)
GROUP(write)
