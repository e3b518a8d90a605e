// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vector/shuffle.h"

WEFT_SHUFFLES(int, uint)
WEFT_SHUFFLES(uint, uint)
WEFT_SHUFFLES(float, uint)
