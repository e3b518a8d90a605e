// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/wrap_reads.h"

WEFT_WRAP_EACH(WEFT_WRAP_READ, 1d_array, "20ocl_image1d_array", 1d_array, 2)
