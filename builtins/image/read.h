// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "image/address.h"
#include "image/texel.h"

// The general functions that read: what (float, int, uint), the shape of the image, the type of its
// coordinates. `_lod`: at a level of detail; `_rw`: of images that kernels write to as well.
// Coordinates are vectors of four for all shapes: x, y and z as far as there are any, and the layer
// of an array behind them.

#define WEFT_READ(T, shape, C, suffix) WEFT_CAT(weft_image_read_##T##_##shape##_##C, suffix)

#define WEFT_DECLARE_READ(T, shape)                                                              \
  WEFT_GENERAL_READ T##4 weft_image_read_##T##_##shape##_float(WeftImagePtr image, WeftMode sampler,  \
                                                          float4 at);                            \
  WEFT_GENERAL_READ T##4 weft_image_read_##T##_##shape##_int(WeftImagePtr image, WeftMode sampler,    \
                                                        int4 at);                                \
  WEFT_GENERAL_READ T##4 weft_image_read_##T##_##shape##_lod(WeftImagePtr image, WeftMode sampler,    \
                                                        float4 at, float lod);                   \
  /* Without a sampler. */                                                                       \
  WEFT_GENERAL_READ T##4 weft_image_fetch_##T##_##shape(WeftImagePtr image, int4 at);                 \
  WEFT_GENERAL_READ T##4 weft_image_fetch_##T##_##shape##_rw(WeftImagePtr image, int4 at);
#define WEFT_DECLARE_READS(shape) \
  WEFT_DECLARE_READ(float, shape) \
  WEFT_DECLARE_READ(int, shape)   \
  WEFT_DECLARE_READ(uint, shape)
WEFT_DECLARE_READS(1d)
WEFT_DECLARE_READS(1d_array)
WEFT_DECLARE_READS(2d)
WEFT_DECLARE_READS(2d_array)
WEFT_DECLARE_READS(3d)

// The level of detail for gradients of so many dimensions.
WEFT_GENERAL_READ float weft_image_gradient_lod(WeftImagePtr image, WeftMode sampler, float4 dx,
                                           float4 dy);

// Dimensions without those of an array.
#define WEFT_DIMENSIONS_1d 1
#define WEFT_DIMENSIONS_1d_array 1
#define WEFT_DIMENSIONS_2d 2
#define WEFT_DIMENSIONS_2d_array 2
#define WEFT_DIMENSIONS_3d 3
#define WEFT_LAYER_1d 0
#define WEFT_LAYER_1d_array weft_layer(at.y, image->levels->slices)
#define WEFT_LAYER_2d 0
#define WEFT_LAYER_2d_array weft_layer(at.z, image->levels->slices)
#define WEFT_LAYER_3d 0
