// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/wrap_writes.h"

WEFT_WRAP_WRITES(3d, "14ocl_image3d", 3d, 4)
