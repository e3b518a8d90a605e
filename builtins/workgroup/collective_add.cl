// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workgroup/collective.h"

FOR_COLLECTIVE_INTEGERS(COLLECTIVES, add, OP_add, 0, 0)
// -0 leaves all numbers as they are, 0 makes a sum of -0 alone 0.
FOR_COLLECTIVE_FLOATS(COLLECTIVES, add, OP_add, -0.0h, 0)
