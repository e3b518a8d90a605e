// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/format.h"
#include "image/level.h"
#include "image/read.h"

// Included once for pixels that are constant and once for others, with SPACE, PIXELS, and SUFFIX of
// the names of what is defined. `dimensions` is known in all calls.

WEFT_INLINE const SPACE uchar* weft_pixel(WeftLevelPtr level, int layer, int x, int y, int z,
                                          uint bytes) {
  return level->PIXELS + (ulong)(uint)(layer + z) * level->slice_pitch +
         (ulong)(uint)y * level->row_pitch + (ulong)(uint)x * bytes;
}

// A pixel that is known to be in the image. mayShare: where an element may be several pixels, which
// are integers alone: what read_imagef gives of those is not defined.
#define WEFT_PIXEL(T, mayShare)                                                                \
  WEFT_INLINE T##4 weft_pixel_##T(WeftImagePtr image, WeftLevelPtr level, int layer, int x,    \
                                  int y, int z) {                                              \
    uint format = image->format, bytes = image->element_bytes;                                 \
    if (!mayShare || weftFormatPixels(format) == 1) {                                          \
      const SPACE uchar* p = weft_pixel(level, layer, x, y, z, bytes);                         \
      return WEFT_CAT(weft_image_texel_##T, SUFFIX)(p, format, bytes);                         \
    }                                                                                          \
    const SPACE uchar* row = weft_pixel(level, layer, 0, y, z, bytes);                         \
    return (T##4)((T)WEFT_CAT(weft_image_shared_texel, SUFFIX)(row, format, x), 0, 0, 1);      \
  }
WEFT_PIXEL(float, false)
WEFT_PIXEL(int, true)
WEFT_PIXEL(uint, true)

// The nearest element. C is int or float.
#define WEFT_SAMPLE_NEAREST(T, C)                                                               \
  WEFT_INLINE T##4 weft_sample_nearest_##T(WeftImagePtr image, WeftLevelPtr level,              \
                                           WeftMode mode, int dimensions, int layer, C##4 at) { \
    WeftPlace x = weft_nearest(at.x, level->width, mode), y = {0, true}, z = {0, true};         \
    if (dimensions > 1) y = weft_nearest(at.y, level->height, mode);                            \
    if (dimensions > 2) z = weft_nearest(at.z, level->slices, mode);                            \
    T##4 texel = weft_pixel_##T(image, level, layer, x.place, y.place, z.place);                \
    if (!weft_has_border(mode)) return texel;                                                   \
    T##4 border = weft_image_border_##T(image->format);                                         \
    return (x.inside & y.inside & z.inside) ? texel : border;                                     \
  }
WEFT_SAMPLE_NEAREST(float, float)
WEFT_SAMPLE_NEAREST(int, float)
WEFT_SAMPLE_NEAREST(uint, float)
WEFT_SAMPLE_NEAREST(float, int)
WEFT_SAMPLE_NEAREST(int, int)
WEFT_SAMPLE_NEAREST(uint, int)

// The same where all coordinates are good, or nobody says what is read.
#define WEFT_FETCH(T)                                                                           \
  WEFT_INLINE T##4 weft_fetch_##T(WeftImagePtr image, int dimensions, int layer, int4 at) {     \
    WeftLevelPtr level = image->levels;                                                         \
    int x = weft_into(at.x, level->width);                                                      \
    int y = dimensions > 1 ? weft_into(at.y, level->height) : 0;                                \
    int z = dimensions > 2 ? weft_into(at.z, level->slices) : 0;                                \
    return weft_pixel_##T(image, level, layer, x, y, z);                                        \
  }
WEFT_FETCH(float)
WEFT_FETCH(int)
WEFT_FETCH(uint)

// Fusing is as good, and the same wherever a program runs on one host. The specification's sum of
// two products: the difference of both has no value where they are one infinity, and no finite one
// between the largest numbers.
WEFT_INLINE float4 weft_mix(float4 a, float4 b, float weight) {
#pragma OPENCL FP_CONTRACT ON
  return a * (1.0f - weight) + b * weight;
}

typedef struct {
  WeftImagePtr image;
  WeftLevelPtr level;
  WeftMode mode;
  int layer;
  float4 border;
} WeftTaps;

// The address of the element that is `distance` bytes behind that at x, y, z. Numbers of 32 bits are
// half the registers to compute and half the lanes to take out of them.
WEFT_INLINE const SPACE uchar* weft_tap_place(WeftTaps taps, ulong distance, int x, int y, int z) {
  WeftLevelPtr level = taps.level;
  uint bytes = taps.image->element_bytes;
  if (!(taps.image->format & WEFT_COMPACT))
    return weft_pixel(level, taps.layer, x, y, z, bytes) + distance;
  uint offset = (uint)(taps.layer + z) * (uint)level->slice_pitch +
                (uint)y * (uint)level->row_pitch + (uint)x * bytes;
  return level->PIXELS + distance + (ulong)offset;
}

WEFT_INLINE float4 weft_tap(WeftTaps taps, WeftPlace x, WeftPlace y, WeftPlace z) {
  uint bytes = taps.image->element_bytes;
  const SPACE uchar* p = weft_tap_place(taps, 0, x.place, y.place, z.place);
  float4 texel = WEFT_CAT(weft_image_texel_integral, SUFFIX)(p, taps.image->format, bytes);
  return (x.inside & y.inside & z.inside) ? texel : taps.border;
}

// Two elements that lie side by side, of at most 8 bytes each, by one load.
typedef struct {
  uint4 left, right;
} WeftPair;

WEFT_INLINE WeftPair weft_load_pair(const SPACE uchar* p, uint bytes) {
  WeftPair pair = {(uint4)(0), (uint4)(0)};
  switch (bytes) {
    case 1: {
      ushort both = *(const SPACE WeftBytes2*)p;
      pair.left.x = both & 0xffu;
      pair.right.x = both >> 8;
      break;
    }
    case 2: {
      uint both = *(const SPACE WeftBytes4*)p;
      pair.left.x = both & 0xffffu;
      pair.right.x = both >> 16;
      break;
    }
    case 4: {
      uint2 both = *(const SPACE WeftTwoWords*)p;
      pair.left.x = both.x;
      pair.right.x = both.y;
      break;
    }
    default: {
      uint4 both = *(const SPACE WeftBytes16*)p;
      pair.left.xy = both.xy;
      pair.right.xy = both.zw;
    }
  }
  return pair;
}

// The mean of the two elements of a row around a coordinate. They are neighbours, unless images
// repeat or the coordinate is at an edge, where both are one element.
WEFT_INLINE float4 weft_mix_row(WeftTaps taps, WeftPlaces x, WeftPlace y, WeftPlace z) {
  uint format = taps.image->format, bytes = taps.image->element_bytes;
  bool repeats = (taps.mode & WEFT_SAMPLER_ADDRESS) == WEFT_SAMPLER_REPEAT;
  if (!(format & WEFT_COMPACT) || bytes > 8 || repeats)
    return weft_mix(weft_tap(taps, x.first, y, z), weft_tap(taps, x.second, y, z), x.weight);
  int left = __builtin_elementwise_min(x.first.place, (int)taps.level->width - 2);
  WeftPair pair = weft_load_pair(weft_tap_place(taps, 0, left, y.place, z.place), bytes);
  uint4 one = x.first.place > left ? pair.right : pair.left;
  uint4 other = x.second.place > left ? pair.right : pair.left;
  float4 first = weft_image_unpack_integral(format, one);
  float4 second = weft_image_unpack_integral(format, other);
  first = (x.first.inside & y.inside & z.inside) ? first : taps.border;
  second = (x.second.inside & y.inside & z.inside) ? second : taps.border;
  return weft_mix(first, second, x.weight);
}

// Whether the elements around a coordinate are neighbours, wherever it is: a weight of zero takes
// an element out of a mean, unless that is infinite or no number.
WEFT_INLINE bool weft_mixes_neighbours(uint format, WeftMode mode) {
  bool repeats = (mode & WEFT_SAMPLER_ADDRESS) == WEFT_SAMPLER_REPEAT;
  return weftFormatIsFinite(format) && !weft_has_border(mode) && !repeats;
}

// The mean of the means of rows, rows[plane][row], of which there are so many as dimensions ask for.
#define WEFT_ROWS(dimensions) ((dimensions) > 1 ? 2 : 1)
#define WEFT_PLANES(dimensions) ((dimensions) > 2 ? 2 : 1)
WEFT_INLINE float4 weft_mix_rows(float4 rows[2][2], int dimensions, float y, float z) {
  float4 planes[2];
#pragma unroll
  for (int k = 0; k < WEFT_PLANES(dimensions); ++k)
    planes[k] = dimensions > 1 ? weft_mix(rows[k][0], rows[k][1], y) : rows[k][0];
  return dimensions > 2 ? weft_mix(planes[0], planes[1], z) : planes[0];
}

// Offsets of a row and a plane from the first are the same for all coordinates, so that a coordinate
// costs one address.
WEFT_INLINE float4 weft_sample_neighbours(WeftTaps taps, int dimensions, float4 at) {
  WeftLevelPtr level = taps.level;
  uint format = taps.image->format, bytes = taps.image->element_bytes;
  WeftNeighbours x = weft_linear_neighbours(at.x, level->width, taps.mode);
  WeftNeighbours y = {0, 0, 0}, z = {0, 0, 0};
  if (dimensions > 1) y = weft_linear_neighbours(at.y, level->height, taps.mode);
  if (dimensions > 2) z = weft_linear_neighbours(at.z, level->slices, taps.mode);
  ulong nextRow = y.next ? level->row_pitch : 0, nextPlane = z.next ? level->slice_pitch : 0;
  float4 rows[2][2];
#pragma unroll
  for (int k = 0; k < WEFT_PLANES(dimensions); ++k)
#pragma unroll
    for (int j = 0; j < WEFT_ROWS(dimensions); ++j) {
      const SPACE uchar* p = weft_tap_place(taps, (ulong)k * nextPlane + (ulong)j * nextRow,
                                            x.first, y.first, z.first);
      float4 left, right;
      if ((format & WEFT_COMPACT) && bytes <= 8) {
        WeftPair pair = weft_load_pair(p, bytes);
        left = weft_image_unpack_integral(format, pair.left);
        right = weft_image_unpack_integral(format, pair.right);
      } else {
        const SPACE uchar* next = p + (x.next ? bytes : 0);
        left = WEFT_CAT(weft_image_texel_integral, SUFFIX)(p, format, bytes);
        right = WEFT_CAT(weft_image_texel_integral, SUFFIX)(next, format, bytes);
      }
      rows[k][j] = weft_mix(left, right, x.weight);
    }
  return weft_mix_rows(rows, dimensions, y.weight, z.weight);
}

// The mean of the two, four or eight elements around a coordinate that may each lie anywhere.
WEFT_INLINE float4 weft_sample_places(WeftTaps taps, int dimensions, float4 at) {
  WeftLevelPtr level = taps.level;
  WeftPlace none = {0, true};
  WeftPlaces x = weft_linear(at.x, level->width, taps.mode);
  WeftPlaces y = {none, none, 0}, z = {none, none, 0};
  if (dimensions > 1) y = weft_linear(at.y, level->height, taps.mode);
  if (dimensions > 2) z = weft_linear(at.z, level->slices, taps.mode);
  float4 rows[2][2];
#pragma unroll
  for (int k = 0; k < WEFT_PLANES(dimensions); ++k)
#pragma unroll
    for (int j = 0; j < WEFT_ROWS(dimensions); ++j)
      rows[k][j] = weft_mix_row(taps, x, j == 0 ? y.first : y.second, k == 0 ? z.first : z.second);
  return weft_mix_rows(rows, dimensions, y.weight, z.weight);
}

WEFT_INLINE float4 weft_sample_linear(WeftImagePtr image, WeftLevelPtr level, WeftMode mode,
                                      int dimensions, int layer, float4 at) {
  WeftTaps taps = {image, level, mode, layer, (float4)(0)};
  if (weft_has_border(mode)) taps.border = weft_image_border_integral(image->format);
  float4 mean = weft_mixes_neighbours(image->format, mode)
                    ? weft_sample_neighbours(taps, dimensions, at)
                    : weft_sample_places(taps, dimensions, at);
  return weft_image_scale_integral(image->format, mean);
}

// Only floats are mixed.
WEFT_INLINE float4 weft_sample_float(WeftImagePtr image, WeftLevelPtr level, WeftMode mode,
                                     int dimensions, int layer, float4 at) {
  if (weft_is_linear(mode)) return weft_sample_linear(image, level, mode, dimensions, layer, at);
  return weft_sample_nearest_float(image, level, mode, dimensions, layer, at);
}
#define weft_sample_int weft_sample_nearest_int
#define weft_sample_uint weft_sample_nearest_uint

// At a level of detail, where floats are mixed if the sampler says so.
WEFT_INLINE float4 weft_sample_lod_float(WeftImagePtr image, WeftMode sampler, int dimensions,
                                         int layer, float4 at, float lod) {
  lod = weft_limit_lod(image, sampler, lod);
  if (!(sampler & WEFT_SAMPLER_LINEAR_LEVELS))
    return weft_sample_float(image, weft_nearest_level(image, lod), sampler, dimensions, layer, at);
  int first = (int)lod;
  int second = first + 1 < (int)image->level_count ? first + 1 : first;
  return weft_mix(
      weft_sample_float(image, image->levels + first, sampler, dimensions, layer, at),
      weft_sample_float(image, image->levels + second, sampler, dimensions, layer, at),
      lod - (float)first);
}
#define WEFT_SAMPLE_LOD(T)                                                                       \
  WEFT_INLINE T##4 weft_sample_lod_##T(WeftImagePtr image, WeftMode sampler, int dimensions,     \
                                       int layer, float4 at, float lod) {                        \
    WeftLevelPtr level = weft_nearest_level(image, weft_limit_lod(image, sampler, lod));         \
    return weft_sample_nearest_##T(image, level, sampler, dimensions, layer, at);                \
  }
WEFT_SAMPLE_LOD(int)
WEFT_SAMPLE_LOD(uint)
