// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// Only a hint: the hardware prefetcher of a CPU sees these streams by itself.
#define PREFETCH(n, T) \
  WEFT_API void prefetch(const __global T##n *p, size_t count) {}
#define ALL(T) WEFT_FOR_SIZES(PREFETCH, T)

WEFT_FOR_ALL_TYPES(ALL)
