// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/wrap_writes.h"

WEFT_WRAP_WRITES(2d, "14ocl_image2d", 2d, 2)
WEFT_WRAP_WRITES_DEPTH(2d_depth, "20ocl_image2d_depth", 2d, 2)
WEFT_WRAP_WRITES(2d_array, "20ocl_image2d_array", 2d_array, 4)
WEFT_WRAP_WRITES_DEPTH(2d_array_depth, "26ocl_image2d_array_depth", 2d_array, 4)
