// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/wrap_writes.h"

WEFT_WRAP_WRITES(1d, "14ocl_image1d", 1d, 1)
WEFT_WRAP_WRITES_PLAIN(1d_buffer, "21ocl_image1d_buffer", 1d, 1)
WEFT_WRAP_WRITES(1d_array, "20ocl_image1d_array", 1d_array, 2)
