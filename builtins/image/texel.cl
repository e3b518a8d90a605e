// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/texel.h"

#include "image/format.h"

#define LOAD(space)                                                                    \
  WEFT_INLINE uint4 weft_load(const space uchar *p, uint bytes) {                      \
    switch (bytes) {                                                                   \
      case 1: return (uint4)(*p, 0, 0, 0);                                             \
      case 2: return (uint4)(*(const space WeftBytes2 *)p, 0, 0, 0);                   \
      case 4: return (uint4)(*(const space WeftBytes4 *)p, 0, 0, 0);                   \
      case 8: return (uint4)(WEFT_AS(uint2, *(const space WeftBytes8 *)p), 0, 0);      \
      default: return *(const space WeftBytes16 *)p;                                   \
    }                                                                                  \
  }
LOAD(__constant)
LOAD(__global)

WEFT_INLINE void weft_store(__global uchar *p, uint bytes, uint4 element) {
  switch (bytes) {
    case 1: *p = (uchar)element.x; break;
    case 2: *(__global WeftBytes2 *)p = (ushort)element.x; break;
    case 4: *(__global WeftBytes4 *)p = element.x; break;
    case 8: *(__global WeftBytes8 *)p = WEFT_AS(ulong, element.xy); break;
    default: *(__global WeftBytes16 *)p = element; break;
  }
}

#define TEXEL(T, Name, space, suffix)                                                  \
  T##4 weft_image_texel_##T##suffix(const space uchar *p, uint format, uint bytes) {   \
    return weftUnpack##Name(format, weft_load(p, bytes));                              \
  }
#define EACH(T, Name, one)                                                             \
  TEXEL(T, Name, __constant, )                                                         \
  TEXEL(T, Name, __global, _rw)                                                        \
  T##4 weft_image_border_##T(uint format) {                                            \
    return WEFT_AS(T##4, weftBorder(format, one));                                     \
  }                                                                                    \
  void weft_image_store_##T(__global uchar *p, uint format, uint bytes, T##4 color) {  \
    weft_store(p, bytes, weftPack##Name(format, color));                               \
  }
EACH(float, Float, WEFT_AS(uint, 1.0f))
EACH(int, Int, 1)
EACH(uint, Uint, 1)
#define INTEGRAL(space, suffix)                                                            \
  float4 weft_image_texel_integral##suffix(const space uchar *p, uint format, uint bytes) { \
    return weftUnpackIntegral(format, weft_load(p, bytes));                                \
  }
INTEGRAL(__constant, )
INTEGRAL(__global, _rw)
#define SHARED(space, suffix)                                                                  \
  uint weft_image_shared_texel##suffix(const space uchar *row, uint format, uint x) {          \
    uint pixels = weftFormatPixels(format), place = x % pixels;                                \
    const space uchar *element = row + (x / pixels) * (pixels + 1);                            \
    return weftJoinShared(pixels, element[place], element[pixels], place);                     \
  }
SHARED(__constant, )
SHARED(__global, _rw)
float4 weft_image_unpack_integral(uint format, uint4 element) {
  return weftUnpackIntegral(format, element);
}
float4 weft_image_border_integral(uint format) {
  return WEFT_AS(float4, weftBorder(format, WEFT_AS(uint, weftIntegralScale(format))));
}
float4 weft_image_scale_integral(uint format, float4 mean) {
  return weftScaleIntegral(format, mean);
}
