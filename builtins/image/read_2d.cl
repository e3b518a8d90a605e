// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/wrap_reads.h"

WEFT_WRAP_EACH(WEFT_WRAP_READ, 2d, "14ocl_image2d", 2d, 2)
WEFT_WRAP_DEPTH(WEFT_WRAP_READ, 2d_depth, "20ocl_image2d_depth", 2d, 2)
