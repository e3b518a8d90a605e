// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "atomic/c11.h"

#define FETCH(space, number, T, C, suffix, unused)                                           \
  WEFT_ATOMIC_RMW_NAMED(atomic_fetch_add, fadd, , space, number, T, C, suffix, T)            \
  WEFT_ATOMIC_RMW_NAMED(atomic_fetch_sub, fadd, -, space, number, T, C, suffix, T)           \
  WEFT_ATOMIC_RMW_NAMED(atomic_fetch_min, fmin, , space, number, T, C, suffix, T)            \
  WEFT_ATOMIC_RMW_NAMED(atomic_fetch_max, fmax, , space, number, T, C, suffix, T)

WEFT_FOR_ATOMIC_FLOATS(FETCH, 0)
