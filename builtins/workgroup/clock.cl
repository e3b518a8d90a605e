// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// cl_khr_kernel_clock: the time-stamp counter, which all processors of a host share.
#define CLOCK(scope)                                                                        \
  WEFT_API ulong clock_read_##scope(void) { return __builtin_readcyclecounter(); }          \
  WEFT_API uint2 clock_read_hilo_##scope(void) {                                            \
    return WEFT_AS(uint2, (ulong)__builtin_readcyclecounter());                             \
  }

CLOCK(device)
CLOCK(work_group)
CLOCK(sub_group)
