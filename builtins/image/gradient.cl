// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/address.h"
#include "image/read.h"

// The level whose elements are as far apart as the coordinates of neighbours.
float weft_image_gradient_lod(WeftImagePtr image, WeftMode sampler, float4 dx, float4 dy) {
  WeftLevelPtr level = image->levels;
  if (weft_is_normalized(sampler)) {
    float4 size = (float4)((float)level->width, (float)level->height, (float)level->slices, 0);
    dx *= size;
    dy *= size;
  }
  float4 x = dx * dx, y = dy * dy;
  float width = x.x + x.y + x.z, height = y.x + y.y + y.z;
  return 0.5f * log2(width > height ? width : height);
}
