// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipe/pipe.h"

// A place that has the state which the end of the queue waits for keeps it until that end has
// passed, so that states that were looked at before the compare-and-swap hold when it succeeds.
WEFT_INLINE WeftPipeRun claim(WeftPipePtr ring, uint most, uint least, uint size, uint reads) {
  __global long *end = (__global long *)(reads ? &ring->head : &ring->tail);
  __global int *states = weft_pipe_states(ring);
  const uint capacity = ring->capacity;
  // Another type's pipe, of which no packet would be whole.
  if (ring->packet_bytes != size || least > capacity) return 0;
  ulong now = __weft_atomic_load_i64_as1(end, memory_order_relaxed, memory_scope_device);
  while (true) {
    uint place = (uint)now;
    uint state = (uint)(now >> 32) * 2 + reads;
    uint count = 0;
    while (count < most &&
           (uint)__weft_atomic_load_i32_as1(states + place, memory_order_acquire,
                                            memory_scope_device) == state) {
      ++count;
      if (++place == capacity) {
        place = 0;
        state += 2;
      }
    }
    if (count < least) {
      ulong later = __weft_atomic_load_i64_as1(end, memory_order_relaxed, memory_scope_device);
      if (later == now) return 0;
      now = later;
      continue;
    }
    ulong next = (ulong)(state / 2) << 32 | place;
    ulong found = __weft_atomic_cmpxchg_i64_as1(end, now, next, memory_order_acq_rel,
                                                memory_order_relaxed, memory_scope_device);
    if (found == now) return (ulong)count << 32 | (uint)now;
    now = found;
  }
}

__attribute__((noinline)) WeftPipeRun weft_pipe_claim_read(WeftPipePtr ring, uint most, uint least,
                                                           uint size) {
  return claim(ring, most, least, size, WEFT_PIPE_READ);
}

__attribute__((noinline)) WeftPipeRun weft_pipe_claim_write(WeftPipePtr ring, uint most, uint least,
                                                            uint size) {
  return claim(ring, most, least, size, WEFT_PIPE_WRITE);
}

__attribute__((noinline)) void weft_pipe_finish(WeftPipePtr ring, ulong run) {
  uint place = (uint)run;
  for (uint left = run >> 32; left != 0; --left) {
    weft_pipe_advance(ring, place);
    if (++place == ring->capacity) place = 0;
  }
}
