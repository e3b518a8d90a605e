// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "weft_common.h"
#include "weft_internal.h"

// The functions that Clang makes of calls of the language's pipe functions. They have C names, get
// the packet's size and alignment last, and objects as pointers: a pipe as one to what
// include/weft/abi/pipe.h describes, a reservation as a number in one.

typedef struct {
  ulong head, head_line[15];
  ulong tail, tail_line[15];
  uint capacity, packet_bytes;
  ulong packets;
  ulong reserved[14];
} WeftPipe;

typedef __global WeftPipe *WeftPipePtr;
typedef __private void *WeftReserveId;

#define WEFT_PIPE_READ 1
#define WEFT_PIPE_WRITE 0

// A run of places: their number in the high half, the first of them in the low half; 0 for none.
// They may go on at the beginning of the ring.
typedef ulong WeftPipeRun;

// Claims up to `most` places to read or write, `least` at least (1 or more), all or nothing. Lanes
// make one call for all of them, of a run that they divide, where `most` is 1
// (compiler/lanes/pipe_claims.cpp).
WeftPipeRun weft_pipe_claim_read(WeftPipePtr ring, uint most, uint least, uint size);
WeftPipeRun weft_pipe_claim_write(WeftPipePtr ring, uint most, uint least, uint size);

// Says that the places of a run have been read or written.
void weft_pipe_finish(WeftPipePtr ring, ulong run);

WEFT_INLINE __global int *weft_pipe_states(WeftPipePtr ring) { return (__global int *)(ring + 1); }

// Place `index` of the ring, which is counted from one in it and may have passed its end.
WEFT_INLINE uint weft_pipe_place(WeftPipePtr ring, uint index) {
  uint capacity = ring->capacity;
  return index >= capacity ? index - capacity : index;
}

// The packet at a place is known to be aligned as its type asks.
#define WEFT_PIPE_COPY(to, from, size, align)                                                  \
  switch (size == align ? size : 0u) {                                                         \
    case 1: *(to char *)target = *(const from char *)source; break;                            \
    case 2: *(to short *)target = *(const from short *)source; break;                          \
    case 4: *(to int *)target = *(const from int *)source; break;                              \
    case 8: *(to long *)target = *(const from long *)source; break;                            \
    default: __builtin_memcpy(target, source, size);                                           \
  }

WEFT_INLINE void weft_pipe_get(WeftPipePtr ring, uint place, __generic void *target, uint size,
                               uint align) {
  const __global char *source = (const __global char *)ring + ring->packets + (ulong)place * size;
  WEFT_PIPE_COPY(__generic, __global, size, align)
}

WEFT_INLINE void weft_pipe_put(WeftPipePtr ring, uint place, const __generic void *source,
                               uint size, uint align) {
  __global char *target = (__global char *)ring + ring->packets + (ulong)place * size;
  WEFT_PIPE_COPY(__global, __generic, size, align)
}

// Ends the use of one place.
WEFT_INLINE void weft_pipe_advance(WeftPipePtr ring, uint place) {
  __global int *state = weft_pipe_states(ring) + place;
  int now = __weft_atomic_load_i32_as1(state, memory_order_relaxed, memory_scope_device);
  __weft_atomic_store_i32_as1(state, now + 1, memory_order_release, memory_scope_device);
}

// Reservations are runs with the place counted from 1, so that neither a null nor
// CLK_NULL_RESERVE_ID, which is all ones, is one of them.
WEFT_INLINE bool weft_pipe_is_reservation(ulong id) { return (uint)id + 1 > 1; }

WEFT_INLINE WeftReserveId weft_pipe_no_reservation() { return (WeftReserveId)~0ul; }
