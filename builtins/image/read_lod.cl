// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/wrap_reads.h"

WEFT_WRAP_LODS_EACH(1d, "14ocl_image1d", 1d, 1, 1, "ff")
WEFT_WRAP_LODS_EACH(1d_array, "20ocl_image1d_array", 1d_array, 2, 1, "ff")
WEFT_WRAP_LODS_EACH(2d, "14ocl_image2d", 2d, 2, 2, "S1_S1_")
WEFT_WRAP_LODS_DEPTH(2d_depth, "20ocl_image2d_depth", 2d, 2, 2, "S1_S1_")
WEFT_WRAP_LODS_EACH(2d_array, "20ocl_image2d_array", 2d_array, 4, 2, "Dv2_fS2_")
WEFT_WRAP_LODS_DEPTH(2d_array_depth, "26ocl_image2d_array_depth", 2d_array, 4, 2, "Dv2_fS2_")
WEFT_WRAP_LODS_EACH(3d, "14ocl_image3d", 3d, 4, 4, "S1_S1_")
