// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/wrap_reads.h"

WEFT_WRAP_EACH(WEFT_WRAP_READ, 1d, "14ocl_image1d", 1d, 1)
WEFT_WRAP_EACH(WEFT_WRAP_FETCH, 1d_buffer, "21ocl_image1d_buffer", 1d, 1)
