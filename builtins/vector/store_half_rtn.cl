// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vector/store_half.h"

WEFT_STORE_HALF_SIZES(_rtn, rtn, float)
WEFT_STORE_HALF_SIZES(_rtn, rtn, double)
