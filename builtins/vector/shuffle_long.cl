// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vector/shuffle.h"

WEFT_SHUFFLES(long, ulong)
WEFT_SHUFFLES(ulong, ulong)
WEFT_SHUFFLES(double, ulong)
