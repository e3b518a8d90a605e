// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "math/libm_forms.h"

WEFT_LIBM_UNARY(acos)
