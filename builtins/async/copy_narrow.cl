// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "async/copy.h"

WEFT_ASYNC_ALL(char)
WEFT_ASYNC_ALL(uchar)
WEFT_ASYNC_ALL(short)
WEFT_ASYNC_ALL(ushort)
WEFT_ASYNC_ALL(half)
