// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define SPACE __global
#define PIXELS global_pixels
#define SUFFIX _rw
#include "image/sample.h"

// Reads of images that kernels may write to at the same time.

#define DEFINE(T, shape)                                                                     \
  T##4 weft_image_fetch_##T##_##shape##_rw(WeftImagePtr image, int4 at) {                    \
    return weft_fetch_##T(image, WEFT_DIMENSIONS_##shape, WEFT_LAYER_##shape, at);           \
  }
#define DEFINE_ALL(shape) DEFINE(float, shape) DEFINE(int, shape) DEFINE(uint, shape)
DEFINE_ALL(1d)
DEFINE_ALL(1d_array)
DEFINE_ALL(2d)
DEFINE_ALL(2d_array)
DEFINE_ALL(3d)
