// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/write.h"

#define STORE(T)                                                                                  \
  WEFT_INLINE void weft_write(WeftImagePtr image, WeftLevelPtr level, uint x, uint y, uint slice, \
                              T##4 color) {                                                       \
    if (!((x < level->width) & (y < level->height) & (slice < level->slices))) return;            \
    uint bytes = image->element_bytes;                                                            \
    __global uchar* p = level->global_pixels + (ulong)slice * level->slice_pitch +                \
                        (ulong)y * level->row_pitch + (ulong)x * bytes;                           \
    weft_image_store_##T(p, image->format, bytes, color);                                         \
  }
STORE(float)
STORE(int)
STORE(uint)

#define DEFINE(T, shape, x, y, slice)                                                   \
  void weft_image_write_##T##_##shape(WeftImagePtr image, int4 at, T##4 color) {        \
    weft_write(image, image->levels, x, y, slice, color);                               \
  }                                                                                     \
  void weft_image_write_##T##_##shape##_lod(WeftImagePtr image, int4 at, T##4 color,    \
                                            int lod) {                                  \
    if ((uint)lod < image->level_count)                                                 \
      weft_write(image, image->levels + lod, x, y, slice, color);                       \
  }
#define DEFINE_ALL(...) DEFINE(float, __VA_ARGS__) DEFINE(int, __VA_ARGS__) DEFINE(uint, __VA_ARGS__)
DEFINE_ALL(1d, at.x, 0, 0)
DEFINE_ALL(1d_array, at.x, 0, at.y)
DEFINE_ALL(2d, at.x, at.y, 0)
DEFINE_ALL(2d_array, at.x, at.y, at.z)
DEFINE_ALL(3d, at.x, at.y, at.z)
