// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipe/pipe.h"

// Packets that are there, or being written, and not claimed by readers: out of date at once.
WEFT_INLINE uint packets(WeftPipePtr ring) {
  __global long *head = (__global long *)&ring->head;
  __global long *tail = (__global long *)&ring->tail;
  // In this order: what is written never falls behind what has been read.
  ulong from = __weft_atomic_load_i64_as1(head, memory_order_acquire, memory_scope_device);
  ulong to = __weft_atomic_load_i64_as1(tail, memory_order_acquire, memory_scope_device);
  uint rounds = (uint)(to >> 32) - (uint)(from >> 32);
  ulong count = (ulong)(rounds & INT_MAX) * ring->capacity + (uint)to - (uint)from;
  return (uint)min(count, (ulong)ring->capacity);
}

uint __get_pipe_num_packets_ro(WeftPipePtr ring, uint size, uint align) { return packets(ring); }
uint __get_pipe_num_packets_wo(WeftPipePtr ring, uint size, uint align) { return packets(ring); }
uint __get_pipe_max_packets_ro(WeftPipePtr ring, uint size, uint align) { return ring->capacity; }
uint __get_pipe_max_packets_wo(WeftPipePtr ring, uint size, uint align) { return ring->capacity; }
