// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vector/shuffle.h"

WEFT_SHUFFLES(char, uchar)
WEFT_SHUFFLES(uchar, uchar)
