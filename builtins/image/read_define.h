// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#define SPACE __constant
#define PIXELS constant_pixels
#define SUFFIX
#include "image/sample.h"

// Defines the general functions that read images of one shape, without levels.
#define WEFT_DEFINE_READ(T, shape)                                                              \
  T##4 weft_image_read_##T##_##shape##_float(WeftImagePtr image, WeftMode sampler, float4 at) { \
    return weft_sample_##T(image, image->levels, sampler, WEFT_DIMENSIONS_##shape, WEFT_LAYER_##shape,  \
                           at);                                                                 \
  }                                                                                             \
  T##4 weft_image_read_##T##_##shape##_int(WeftImagePtr image, WeftMode sampler, int4 at) {     \
    return weft_sample_nearest_##T(image, image->levels, sampler, WEFT_DIMENSIONS_##shape,              \
                                   WEFT_LAYER_##shape, at);                                     \
  }                                                                                             \
  T##4 weft_image_fetch_##T##_##shape(WeftImagePtr image, int4 at) {                            \
    return weft_fetch_##T(image, WEFT_DIMENSIONS_##shape, WEFT_LAYER_##shape, at);              \
  }
#define WEFT_DEFINE_READS(shape) \
  WEFT_DEFINE_READ(float, shape) \
  WEFT_DEFINE_READ(int, shape)   \
  WEFT_DEFINE_READ(uint, shape)
