// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "atomic/c11.h"

#define EXCHANGE(space, number, T, C, suffix, unused) \
  WEFT_ATOMIC_RMW_NAMED(atomic_exchange, exchange, , space, number, T, C, suffix, T)

WEFT_FOR_ATOMIC_INTEGERS(EXCHANGE, 0)
WEFT_FOR_ATOMIC_FLOATS(EXCHANGE, 0)
