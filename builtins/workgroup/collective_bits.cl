// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workgroup/collective.h"

FOR_COLLECTIVE_INTEGERS(COLLECTIVES, and, OP_and, -1, -1)
FOR_COLLECTIVE_INTEGERS(COLLECTIVES, or, OP_or, 0, 0)
FOR_COLLECTIVE_INTEGERS(COLLECTIVES, xor, OP_xor, 0, 0)
