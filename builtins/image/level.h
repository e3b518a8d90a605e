// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "image/image.h"

// From levels of detail to levels of an image, which the sampler may limit further.

WEFT_INLINE float weft_half_field(WeftMode sampler, int shift) {
  return (float)WEFT_AS(half, (ushort)(sampler >> shift));
}

// In [0, last level]; a NaN is the least there may be.
WEFT_INLINE float weft_limit_lod(WeftImagePtr image, WeftMode sampler, float lod) {
  float least = weft_half_field(sampler, WEFT_SAMPLER_LOD_MIN_SHIFT);
  float most = weft_half_field(sampler, WEFT_SAMPLER_LOD_MAX_SHIFT);
  float last = (float)(image->level_count - 1);
  most = most > 0.0f && most < last ? most : last;
  least = least > 0.0f ? least : 0.0f;
  lod = lod > least ? lod : least;
  return lod < most ? lod : most;
}

// The nearest one, the larger one of two.
WEFT_INLINE WeftLevelPtr weft_nearest_level(WeftImagePtr image, float lod) {
  return image->levels + ((int)__builtin_elementwise_ceil(lod + 0.5f) - 1);
}
