// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/wrap_reads.h"

WEFT_WRAP_EACH(WEFT_WRAP_READ, 3d, "14ocl_image3d", 3d, 4)
