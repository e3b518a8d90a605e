// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workgroup/collective.h"

COLLECTIVES(int, uint, 32, max, OP_max, INT_MIN, INT_MIN)
COLLECTIVES(uint, uint, 32, max, OP_max, 0, 0)
COLLECTIVES(long, ulong, 64, max, OP_max, LONG_MIN, LONG_MIN)
COLLECTIVES(ulong, ulong, 64, max, OP_max, 0, 0)
FOR_COLLECTIVE_FLOATS(COLLECTIVES, max, OP_fmax, -INFINITY, -INFINITY)
