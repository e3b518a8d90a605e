// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipe/pipe.h"

// read_pipe and write_pipe of packet `index` of a reservation.

WEFT_INLINE uint reserved_place(WeftPipePtr ring, ulong id, uint index) {
  return weft_pipe_place(ring, (uint)id - 1 + index);
}

WEFT_INLINE bool is_reserved(WeftPipePtr ring, ulong id, uint index, uint size) {
  return weft_pipe_is_reservation(id) && index < (uint)(id >> 32) && ring->packet_bytes == size;
}

__attribute__((always_inline)) int __read_pipe_4(WeftPipePtr ring, WeftReserveId reservation,
                                                 uint index, __generic void *packet, uint size,
                                                 uint align) {
  ulong id = (ulong)reservation;
  if (!is_reserved(ring, id, index, size)) return -1;
  weft_pipe_get(ring, reserved_place(ring, id, index), packet, size, align);
  return 0;
}

__attribute__((always_inline)) int __write_pipe_4(WeftPipePtr ring, WeftReserveId reservation,
                                                  uint index, const __generic void *packet,
                                                  uint size, uint align) {
  ulong id = (ulong)reservation;
  if (!is_reserved(ring, id, index, size)) return -1;
  weft_pipe_put(ring, reserved_place(ring, id, index), packet, size, align);
  return 0;
}
