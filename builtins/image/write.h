// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "image/texel.h"

// The general functions that write, named as those of read.h are. Nothing is written outside the
// image.

#define WEFT_DECLARE_WRITE(T, shape)                                                              \
  WEFT_GENERAL void weft_image_write_##T##_##shape(WeftImagePtr image, int4 at, T##4 color);      \
  WEFT_GENERAL void weft_image_write_##T##_##shape##_lod(WeftImagePtr image, int4 at, T##4 color, \
                                                         int lod);
#define WEFT_DECLARE_WRITES(shape) \
  WEFT_DECLARE_WRITE(float, shape) \
  WEFT_DECLARE_WRITE(int, shape)   \
  WEFT_DECLARE_WRITE(uint, shape)
WEFT_DECLARE_WRITES(1d)
WEFT_DECLARE_WRITES(1d_array)
WEFT_DECLARE_WRITES(2d)
WEFT_DECLARE_WRITES(2d_array)
WEFT_DECLARE_WRITES(3d)
