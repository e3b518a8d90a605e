// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipe/pipe.h"

// read_pipe and write_pipe of one packet.

__attribute__((always_inline)) int __read_pipe_2(WeftPipePtr ring, __generic void *packet,
                                                 uint size, uint align) {
  WeftPipeRun run = weft_pipe_claim_read(ring, 1, 1, size);
  if (run == 0) return -1;
  uint place = weft_pipe_place(ring, (uint)run);
  weft_pipe_get(ring, place, packet, size, align);
  weft_pipe_advance(ring, place);
  return 0;
}

__attribute__((always_inline)) int __write_pipe_2(WeftPipePtr ring, const __generic void *packet,
                                                  uint size, uint align) {
  WeftPipeRun run = weft_pipe_claim_write(ring, 1, 1, size);
  if (run == 0) return -1;
  uint place = weft_pipe_place(ring, (uint)run);
  weft_pipe_put(ring, place, packet, size, align);
  weft_pipe_advance(ring, place);
  return 0;
}
