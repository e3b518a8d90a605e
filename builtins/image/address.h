// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "image/image.h"

// From coordinates to places in an image, one dimension at a time. A place is always one of the
// image's; whether the coordinate was is told beside it.

WEFT_INLINE bool weft_is_normalized(WeftMode mode) { return (mode & WEFT_SAMPLER_NORMALIZED) != 0; }
WEFT_INLINE bool weft_is_linear(WeftMode mode) {
  return (mode & WEFT_SAMPLER_FILTER) == WEFT_SAMPLER_LINEAR;
}
WEFT_INLINE bool weft_has_border(WeftMode mode) {
  return (mode & WEFT_SAMPLER_ADDRESS) == WEFT_SAMPLER_CLAMP;
}

WEFT_INLINE int weft_into(int i, uint size) {
  return __builtin_elementwise_min(__builtin_elementwise_max(i, 0), (int)size - 1);
}
WEFT_INLINE bool weft_is_inside(int i, uint size) { return (uint)i < size; }

// Coordinates beyond what int holds, and so beyond all images, become some that are: those below and
// NaNs one value, those above another.
WEFT_INLINE float weft_limit_coordinate(float x) {
  x = x > -0x1p30f ? x : -0x1p30f;
  return x < 0x1p30f ? x : 0x1p30f;
}

// The coordinate in elements. Repeated ones are in [0, size], others may be anything.
WEFT_INLINE float weft_element_coordinate(float x, uint size, WeftMode mode) {
  if (!weft_is_normalized(mode)) return x;
  switch (mode & WEFT_SAMPLER_ADDRESS) {
    case WEFT_SAMPLER_REPEAT: return (x - __builtin_elementwise_floor(x)) * (float)size;
    case WEFT_SAMPLER_MIRRORED_REPEAT: {
      float whole = 2.0f * __builtin_elementwise_rint(0.5f * x);
      return __builtin_elementwise_abs(x - whole) * (float)size;
    }
    default: return x * (float)size;
  }
}

// A place for one element.
typedef struct {
  int place;
  bool inside;
} WeftPlace;

WEFT_INLINE WeftPlace weft_place(int i, uint size, WeftMode mode) {
  WeftPlace result;
  if ((mode & WEFT_SAMPLER_ADDRESS) == WEFT_SAMPLER_REPEAT) {
    // One step beyond either end at most.
    i = i < 0 ? i + (int)size : i;
    i = i >= (int)size ? i - (int)size : i;
  }
  result.place = weft_into(i, size);
  result.inside = !weft_has_border(mode) || weft_is_inside(i, size);
  return result;
}

WEFT_INLINE WeftPlace weft_nearest(float x, uint size, WeftMode mode) {
  x = weft_limit_coordinate(weft_element_coordinate(x, size, mode));
  return weft_place((int)__builtin_elementwise_floor(x), size, mode);
}

// Integer coordinates are in elements, whatever the sampler says. To repeat them is not defined.
WEFT_INLINE WeftPlace weft_nearest(int i, uint size, WeftMode mode) {
  WeftPlace result = {weft_into(i, size), !weft_has_border(mode) || weft_is_inside(i, size)};
  return result;
}

// The two elements on either side of a coordinate, and the weight of the second.
typedef struct {
  WeftPlace first, second;
  float weight;
} WeftPlaces;

WEFT_INLINE WeftPlaces weft_linear(float x, uint size, WeftMode mode) {
  x = weft_limit_coordinate(weft_element_coordinate(x, size, mode) - 0.5f);
  float whole = __builtin_elementwise_floor(x);
  WeftPlaces result;
  result.first = weft_place((int)whole, size, mode);
  result.second = weft_place((int)whole + 1, size, mode);
  result.weight = x - whole;
  return result;
}

// The same for images whose edges go on outside them: the two are neighbours at any coordinate, which
// beyond an edge is the edge's with all weight on its element. `next` is how far the second is.
typedef struct {
  int first, next;
  float weight;
} WeftNeighbours;

WEFT_INLINE WeftNeighbours weft_linear_neighbours(float x, uint size, WeftMode mode) {
  x = weft_element_coordinate(x, size, mode) - 0.5f;
  x = x > 0.0f ? x : 0.0f;
  float last = (float)((int)size - 1);
  x = x < last ? x : last;
  WeftNeighbours result;
  result.next = size > 1 ? 1 : 0;
  result.first = __builtin_elementwise_min((int)x, (int)size - 1 - result.next);
  result.weight = x - (float)result.first;
  return result;
}

// Layers of arrays.
WEFT_INLINE int weft_layer(float x, uint size) {
  return weft_into((int)__builtin_elementwise_rint(weft_limit_coordinate(x)), size);
}
WEFT_INLINE int weft_layer(int i, uint size) { return weft_into(i, size); }
