// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "atomic/legacy.h"

WEFT_LEGACY_32(atomic, __global, 1)
WEFT_LEGACY_32(atomic, __local, 3)
WEFT_LEGACY_RMW(atomic, xchg, exchange, float, float, f32, __global, 1)
WEFT_LEGACY_RMW(atomic, xchg, exchange, float, float, f32, __local, 3)
