// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "pipe/pipe.h"

// Reservations of work-groups and sub-groups: the first work-item makes them, all learn of them. What
// others have read or written is done when the first one commits.

WeftReserveId __reserve_read_pipe(WeftPipePtr ring, uint packets, uint size, uint align);
WeftReserveId __reserve_write_pipe(WeftPipePtr ring, uint packets, uint size, uint align);
void __commit_read_pipe(WeftPipePtr ring, WeftReserveId reservation, uint size, uint align);
void __commit_write_pipe(WeftPipePtr ring, WeftReserveId reservation, uint size, uint align);

#define WEFT_GROUP_PIPE __attribute__((always_inline, convergent))

// `own` is the work-item's number in the group, `shared` the first one's `id`, `meet` a barrier.
#define WEFT_GROUP_RESERVATIONS(group, own, shared, meet)      \
  WEFT_GROUP_RESERVATION(group, read, own, shared, meet)       \
  WEFT_GROUP_RESERVATION(group, write, own, shared, meet)
#define WEFT_GROUP_RESERVATION(group, direction, own, shared, meet)                        \
  WEFT_GROUP_PIPE WeftReserveId __##group##_reserve_##direction##_pipe(                    \
      WeftPipePtr ring, uint packets, uint size, uint align) {                             \
    ulong id = 0;                                                                          \
    if (own == 0) id = (ulong)__reserve_##direction##_pipe(ring, packets, size, align);    \
    return (WeftReserveId)shared;                                                          \
  }                                                                                        \
  WEFT_GROUP_PIPE void __##group##_commit_##direction##_pipe(                              \
      WeftPipePtr ring, WeftReserveId reservation, uint size, uint align) {                \
    meet;                                                                                  \
    if (own == 0) __commit_##direction##_pipe(ring, reservation, size, align);             \
  }
