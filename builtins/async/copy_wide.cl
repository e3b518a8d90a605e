// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "async/copy.h"

WEFT_ASYNC_ALL(int)
WEFT_ASYNC_ALL(uint)
WEFT_ASYNC_ALL(long)
WEFT_ASYNC_ALL(ulong)
WEFT_ASYNC_ALL(float)
WEFT_ASYNC_ALL(double)
