// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workgroup/collective.h"

COLLECTIVES(int, uint, 32, min, OP_min, INT_MAX, INT_MAX)
COLLECTIVES(uint, uint, 32, min, OP_min, UINT_MAX, UINT_MAX)
COLLECTIVES(long, ulong, 64, min, OP_min, LONG_MAX, LONG_MAX)
COLLECTIVES(ulong, ulong, 64, min, OP_min, ULONG_MAX, ULONG_MAX)
FOR_COLLECTIVE_FLOATS(COLLECTIVES, min, OP_fmin, INFINITY, INFINITY)
