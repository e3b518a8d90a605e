// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipe/pipe.h"

// reserve_read_pipe, commit_read_pipe and their likes for writing. A reservation needs no memory:
// its number says which places it has.

#define RESERVE(name, claim)                                                             \
  WeftReserveId name(WeftPipePtr ring, uint packets, uint size, uint align) {            \
    if (packets == 0) return (WeftReserveId)1ul; /* good for nothing, but not refused */ \
    WeftPipeRun run = claim(ring, packets, packets, size);                               \
    return run == 0 ? weft_pipe_no_reservation() : (WeftReserveId)(run + 1);             \
  }
#define COMMIT(name)                                                                      \
  void name(WeftPipePtr ring, WeftReserveId reservation, uint size, uint align) {         \
    ulong id = (ulong)reservation;                                                        \
    if (weft_pipe_is_reservation(id) && ring->packet_bytes == size)                       \
      weft_pipe_finish(ring, id - 1);                                                     \
  }

RESERVE(__reserve_read_pipe, weft_pipe_claim_read)
RESERVE(__reserve_write_pipe, weft_pipe_claim_write)
COMMIT(__commit_read_pipe)
COMMIT(__commit_write_pipe)

// The name that Clang gives the function for the language's own type.
bool weft_is_valid_reserve_id(WeftReserveId id) __asm("_Z19is_valid_reserve_id13ocl_reserveid");
bool weft_is_valid_reserve_id(WeftReserveId id) { return weft_pipe_is_reservation((ulong)id); }
