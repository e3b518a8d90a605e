// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/to_integer.h"

WEFT_TO_INTEGER_SAT(uchar, i8, u)
