// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/wrap_reads.h"

WEFT_WRAP_EACH(WEFT_WRAP_READ, 2d_array, "20ocl_image2d_array", 2d_array, 4)
WEFT_WRAP_DEPTH(WEFT_WRAP_READ, 2d_array_depth, "26ocl_image2d_array_depth", 2d_array, 4)
