// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/image.h"

// Queries, of the first level where there are several.

#define QUERY(R, tag, symbol, access, value) \
  WEFT_NAMED(R, WEFT_CAT(weft_##tag##_, access), symbol #access, WeftImagePtr image) { return value; }
#define EACH_ACCESS(R, tag, symbol, value) \
  QUERY(R, tag, symbol, ro, value)         \
  QUERY(R, tag, symbol, wo, value)         \
  QUERY(R, tag, symbol, rw, value)

// Of all kinds.
#define EVERY(tag, kind)                                                                          \
  EACH_ACCESS(int, tag##_width, "_Z15get_image_width" kind "_", (int)image->levels[0].width)      \
  EACH_ACCESS(int, tag##_type, "_Z27get_image_channel_data_type" kind "_", (int)image->type)      \
  EACH_ACCESS(int, tag##_order, "_Z23get_image_channel_order" kind "_", (int)image->order)
#define LEVELS(tag, kind)                                                                         \
  EVERY(tag, kind)                                                                                \
  EACH_ACCESS(int, tag##_levels, "_Z24get_image_num_mip_levels" kind "_", (int)image->level_count)
#define PLANE(tag, kind)                                                                          \
  LEVELS(tag, kind)                                                                               \
  EACH_ACCESS(int, tag##_height, "_Z16get_image_height" kind "_", (int)image->levels[0].height)
#define FLAT(tag, kind)                                                                           \
  PLANE(tag, kind)                                                                                \
  EACH_ACCESS(int2, tag##_dim, "_Z13get_image_dim" kind "_",                                      \
              (int2)((int)image->levels[0].width, (int)image->levels[0].height))
#define LAYERS(tag, kind)                                                                         \
  EACH_ACCESS(size_t, tag##_layers, "_Z20get_image_array_size" kind "_", image->levels[0].slices)

EVERY(1d_buffer, "21ocl_image1d_buffer")
LEVELS(1d, "14ocl_image1d")
LEVELS(1d_array, "20ocl_image1d_array")
LAYERS(1d_array, "20ocl_image1d_array")
FLAT(2d, "14ocl_image2d")
FLAT(2d_depth, "20ocl_image2d_depth")
FLAT(2d_array, "20ocl_image2d_array")
LAYERS(2d_array, "20ocl_image2d_array")
FLAT(2d_array_depth, "26ocl_image2d_array_depth")
LAYERS(2d_array_depth, "26ocl_image2d_array_depth")
PLANE(3d, "14ocl_image3d")
EACH_ACCESS(int, 3d_depth, "_Z15get_image_depth14ocl_image3d_", (int)image->levels[0].slices)
EACH_ACCESS(int4, 3d_dim, "_Z13get_image_dim14ocl_image3d_",
            (int4)((int)image->levels[0].width, (int)image->levels[0].height,
                   (int)image->levels[0].slices, 0))
