// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/log.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/log.h"
WEFT_HOT Real log(Real x) { return weftLog(x); }
#endif
