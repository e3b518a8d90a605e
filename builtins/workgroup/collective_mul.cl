// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workgroup/collective.h"

FOR_COLLECTIVE_INTEGERS(COLLECTIVES, mul, OP_mul, 1, 1)
FOR_COLLECTIVE_FLOATS(COLLECTIVES, mul, OP_mul, 1, 1)
