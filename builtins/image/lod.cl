// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define SPACE __constant
#define PIXELS constant_pixels
#define SUFFIX
#include "image/sample.h"

#define DEFINE(T, shape)                                                                        \
  T##4 weft_image_read_##T##_##shape##_lod(WeftImagePtr image, WeftMode sampler, float4 at,     \
                                           float lod) {                                         \
    return weft_sample_lod_##T(image, sampler, WEFT_DIMENSIONS_##shape, WEFT_LAYER_##shape, at, \
                               lod);                                                            \
  }
#define DEFINE_ALL(shape) DEFINE(float, shape) DEFINE(int, shape) DEFINE(uint, shape)
DEFINE_ALL(1d)
DEFINE_ALL(1d_array)
DEFINE_ALL(2d)
DEFINE_ALL(2d_array)
DEFINE_ALL(3d)
