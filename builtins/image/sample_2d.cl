// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/read_define.h"

WEFT_DEFINE_READS(2d)
