// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "image/srgb.h"
#include "weft_common.h"

// How pixels are stored, from include/weft/abi/image_formats.def: for kernels and, through
// host/pack_pixel.cl, for the host's own commands. A format is the number of abi::Image::format;
// what else that holds does not matter here. Whatever depends on the format alone is decided first, so
// that little but straight code is left where it is known.

enum WeftImageType {
#define WEFT_IMAGE_TYPE(name, number, ...) WeftType_##name = number,
#include "weft/abi/image_formats.def"
};

enum WeftImageOrder {
#define WEFT_IMAGE_ORDER(name, number, stored, r, g, b, a, borderAlpha) WeftOrder_##name = number,
#include "weft/abi/image_formats.def"
};

// What read_image gives and write_image takes of a type.
enum WeftImageKind {
  WeftKind_Unorm,
  WeftKind_Snorm,
  WeftKind_Packed,
  WeftKind_Float,
  WeftKind_Signed,
  WeftKind_Unsigned,
};

// What a component is made of: a stored channel, or one of these.
enum WeftImageComponent {
  WeftComponent_0,
  WeftComponent_1,
  WeftComponent_2,
  WeftComponent_3,
  WeftComponent_Zero,
  WeftComponent_One,
};

WEFT_INLINE uint weftFormatType(uint format) { return format & 0x7fu; }
WEFT_INLINE uint weftFormatOrder(uint format) { return format >> 8 & 0x7fu; }

WEFT_INLINE enum WeftImageKind weftFormatKind(uint format) {
  switch (weftFormatType(format)) {
#define WEFT_IMAGE_TYPE(name, number, bytes, pixels, kind) \
  case number:                                             \
    return WeftKind_##kind;
#include "weft/abi/image_formats.def"
    default:
      return WeftKind_Float;
  }
}

// Whether no channel is infinite or no number.
WEFT_INLINE bool weftFormatIsFinite(uint format) { return weftFormatKind(format) != WeftKind_Float; }

WEFT_INLINE bool weftFormatIsSrgb(uint format) {
  uint order = weftFormatOrder(format);
  return order == WeftOrder_sRGBx || order == WeftOrder_sRGBA || order == WeftOrder_sBGRA;
}

// How many pixels of a row are one element.
WEFT_INLINE uint weftFormatPixels(uint format) {
  switch (weftFormatType(format)) {
#define WEFT_IMAGE_TYPE(name, number, bytes, pixels, kind) \
  case number:                                             \
    return pixels;
#include "weft/abi/image_formats.def"
    default:
      return 1;
  }
}

// ---- From an element to a pixel: what read_image gives

// What is stored, as components; `one` has the bits of one.
#define WEFT_PIXEL_0 channels.x
#define WEFT_PIXEL_1 channels.y
#define WEFT_PIXEL_2 channels.z
#define WEFT_PIXEL_3 channels.w
#define WEFT_PIXEL_Zero 0
#define WEFT_PIXEL_One one
WEFT_INLINE uint4 weftPixelOfChannels(uint format, uint4 channels, uint one) {
  switch (weftFormatOrder(format)) {
#define WEFT_IMAGE_ORDER(name, number, stored, r, g, b, a, borderAlpha) \
  case number:                                                          \
    return (uint4)(WEFT_PIXEL_##r, WEFT_PIXEL_##g, WEFT_PIXEL_##b, WEFT_PIXEL_##a);
#include "weft/abi/image_formats.def"
    default:
      return (uint4)(0);
  }
}

// What is read where there is no element.
WEFT_INLINE uint4 weftBorder(uint format, uint one) {
  switch (weftFormatOrder(format)) {
#define WEFT_IMAGE_ORDER(name, number, stored, r, g, b, a, borderAlpha) \
  case number:                                                          \
    return (uint4)(0, 0, 0, WEFT_PIXEL_##borderAlpha);
#include "weft/abi/image_formats.def"
    default:
      return (uint4)(0);
  }
}

// x / (2^bits - 1) rounded to nearest, for every such integer: 1 / (2^b - 1) is
// 2^-b + 2^-b / (2^b - 1), the first product is exact and the error of the second is lost in the
// sum. Exact, the first may be fused with it: the same bits on hosts with and without FMA.
#define WEFT_SCALE(bits) (1.0f / (1u << (bits)))
#define WEFT_REST(bits) (1.0f / (float)((1u << (bits)) * ((1u << (bits)) - 1)))
#define WEFT_NORMALIZE(x, bits) \
  weftNormalizeBy(x, (float4)(WEFT_SCALE(bits)), (float4)(WEFT_REST(bits)))
WEFT_INLINE float4 weftNormalizeBy(float4 x, float4 scale, float4 rest) {
#pragma clang fp contract(on)
  float4 small = x * rest;
  return x * scale + small;
}

// The same with factors for each channel.
WEFT_INLINE float4 weftNormalizePacked(uint4 channels, float4 scale, float4 rest) {
  return weftNormalizeBy(__builtin_convertvector(channels, float4), scale, rest);
}

// The first four numbers of 16 bits in an element. By shifts: a vector of eight of them, of each
// lane, is more than code for lanes may hold.
WEFT_INLINE uint4 weftSplit16(uint4 element) {
  return (uint4)(element.x & 0xffffu, element.x >> 16, element.y & 0xffffu, element.y >> 16);
}
WEFT_INLINE int4 weftSplitSigned16(uint4 element) {
  uint4 raised = (uint4)(element.x << 16, element.x, element.y << 16, element.y);
  return WEFT_AS(int4, raised) >> 16;
}

// The channels of an element, as read_imagef gives them. Zeros where it does not take the format.
WEFT_INLINE float4 weftFloatChannels(uint format, uint4 element) {
  uint4 bits = (uint4)(element.x);
  switch (weftFormatType(format)) {
    case WeftType_SNORM_INT8: {
      float4 x = __builtin_convertvector(WEFT_AS(char4, element.x), float4);
      return __builtin_elementwise_max(WEFT_NORMALIZE(x, 7), (float4)(-1.0f));
    }
    case WeftType_SNORM_INT16: {
      float4 x = __builtin_convertvector(weftSplitSigned16(element), float4);
      return __builtin_elementwise_max(WEFT_NORMALIZE(x, 15), (float4)(-1.0f));
    }
    case WeftType_UNORM_INT8: {
      float4 x = __builtin_convertvector(WEFT_AS(uchar4, element.x), float4);
      x = WEFT_NORMALIZE(x, 8);
      return weftFormatIsSrgb(format) ? (float4)(weftFromSrgb(x).xyz, x.w) : x;
    }
    case WeftType_UNORM_INT16: {
      float4 x = __builtin_convertvector(weftSplit16(element), float4);
      return WEFT_NORMALIZE(x, 16);
    }
    case WeftType_UNORM_SHORT_565:
      return weftNormalizePacked(bits >> (uint4)(11, 5, 0, 0) & (uint4)(31, 63, 31, 0),
                                 (float4)(WEFT_SCALE(5), WEFT_SCALE(6), WEFT_SCALE(5), 0),
                                 (float4)(WEFT_REST(5), WEFT_REST(6), WEFT_REST(5), 0));
    case WeftType_UNORM_SHORT_555:
      return weftNormalizePacked(bits >> (uint4)(10, 5, 0, 0) & (uint4)(31, 31, 31, 0),
                                 (float4)(WEFT_SCALE(5)), (float4)(WEFT_REST(5)));
    case WeftType_UNORM_INT_101010:
      return weftNormalizePacked(bits >> (uint4)(20, 10, 0, 0) & (uint4)(1023, 1023, 1023, 0),
                                 (float4)(WEFT_SCALE(10)), (float4)(WEFT_REST(10)));
    case WeftType_UNORM_INT_101010_2:
      return weftNormalizePacked(
          bits >> (uint4)(22, 12, 2, 0) & (uint4)(1023, 1023, 1023, 3),
          (float4)(WEFT_SCALE(10), WEFT_SCALE(10), WEFT_SCALE(10), WEFT_SCALE(2)),
          (float4)(WEFT_REST(10), WEFT_REST(10), WEFT_REST(10), WEFT_REST(2)));
    case WeftType_UNORM_INT_2_101010_EXT:
      return weftNormalizePacked(
          bits >> (uint4)(30, 20, 10, 0) & (uint4)(3, 1023, 1023, 1023),
          (float4)(WEFT_SCALE(2), WEFT_SCALE(10), WEFT_SCALE(10), WEFT_SCALE(10)),
          (float4)(WEFT_REST(2), WEFT_REST(10), WEFT_REST(10), WEFT_REST(10)));
    case WeftType_HALF_FLOAT: {
      ushort4 halves = __builtin_convertvector(weftSplit16(element), ushort4);
      return __builtin_convertvector(WEFT_AS(half4, halves), float4);
    }
    case WeftType_FLOAT:
      return WEFT_AS(float4, element);
    default:
      return (float4)(0);
  }
}

// Normalised channels as the integers that they are stored as, for filters: a mean is scaled once
// in place of each of its elements. Channels of other formats as they are read.
WEFT_INLINE float weftIntegralScale(uint format) {
  switch (weftFormatType(format)) {
    case WeftType_SNORM_INT8: return 127.0f;
    case WeftType_SNORM_INT16: return 32767.0f;
    case WeftType_UNORM_INT8: return weftFormatIsSrgb(format) ? 1.0f : 255.0f;
    case WeftType_UNORM_INT16: return 65535.0f;
    default: return 1.0f;
  }
}
WEFT_INLINE float4 weftIntegralChannels(uint format, uint4 element) {
  float4 least = (float4)(-weftIntegralScale(format));
  switch (weftFormatType(format)) {
    case WeftType_SNORM_INT8: {
      float4 x = __builtin_convertvector(WEFT_AS(char4, element.x), float4);
      return __builtin_elementwise_max(x, least);
    }
    case WeftType_SNORM_INT16: {
      float4 x = __builtin_convertvector(weftSplitSigned16(element), float4);
      return __builtin_elementwise_max(x, least);
    }
    case WeftType_UNORM_INT8:
      if (weftFormatIsSrgb(format)) break;
      return __builtin_convertvector(WEFT_AS(uchar4, element.x), float4);
    case WeftType_UNORM_INT16:
      return __builtin_convertvector(weftSplit16(element), float4);
  }
  return weftFloatChannels(format, element);
}
// A mean of such pixels.
WEFT_INLINE float4 weftScaleIntegral(uint format, float4 x) {
  switch (weftFormatType(format)) {
    case WeftType_SNORM_INT8: return WEFT_NORMALIZE(x, 7);
    case WeftType_SNORM_INT16: return WEFT_NORMALIZE(x, 15);
    case WeftType_UNORM_INT8: return weftFormatIsSrgb(format) ? x : WEFT_NORMALIZE(x, 8);
    case WeftType_UNORM_INT16: return WEFT_NORMALIZE(x, 16);
    default: return x;
  }
}

// As weftFloatChannels, for read_imagei and read_imageui, which are one: SPIR-V before 1.4 does not
// tell them apart.
WEFT_INLINE uint4 weftIntegerChannels(uint format, uint4 element) {
  switch (weftFormatType(format)) {
    case WeftType_SIGNED_INT8: {
      int4 channels = __builtin_convertvector(WEFT_AS(char4, element.x), int4);
      return WEFT_AS(uint4, channels);
    }
    case WeftType_SIGNED_INT16: {
      int4 channels = weftSplitSigned16(element);
      return WEFT_AS(uint4, channels);
    }
    case WeftType_UNSIGNED_INT8:
      return __builtin_convertvector(WEFT_AS(uchar4, element.x), uint4);
    case WeftType_UNSIGNED_INT16:
      return weftSplit16(element);
    case WeftType_SIGNED_INT32:
    case WeftType_UNSIGNED_INT32:
      return element;
    default:
      return (uint4)(0);
  }
}

// The numbers of an element of several pixels are a byte each, of their highest bits, and behind
// these comes one of the lowest bits of all, those of the first pixel lowest.
WEFT_INLINE uint weftJoinShared(uint pixels, uint high, uint lows, uint place) {
  uint bits = 8 / pixels;
  return high << bits | (lows >> place * bits & ((1u << bits) - 1));
}

// The pixel of an element.
WEFT_INLINE float4 weftUnpackFloat(uint format, uint4 element) {
  uint4 channels = WEFT_AS(uint4, weftFloatChannels(format, element));
  return WEFT_AS(float4, weftPixelOfChannels(format, channels, WEFT_AS(uint, 1.0f)));
}
WEFT_INLINE float4 weftUnpackIntegral(uint format, uint4 element) {
  uint4 channels = WEFT_AS(uint4, weftIntegralChannels(format, element));
  uint4 pixel = weftPixelOfChannels(format, channels, WEFT_AS(uint, weftIntegralScale(format)));
  return WEFT_AS(float4, pixel);
}
WEFT_INLINE uint4 weftUnpackUint(uint format, uint4 element) {
  return weftPixelOfChannels(format, weftIntegerChannels(format, element), 1);
}
WEFT_INLINE int4 weftUnpackInt(uint format, uint4 element) {
  uint4 pixel = weftUnpackUint(format, element);
  return WEFT_AS(int4, pixel);
}

// ---- From a colour to an element: what write_image stores

// A colour's bits in the order in which its channels are stored. A channel that no component is
// made of holds what alpha would.
#define WEFT_STORED_CHANNEL(k, r, g, b)                \
  (WeftComponent_##r == WeftComponent_##k   ? colour.x \
   : WeftComponent_##g == WeftComponent_##k ? colour.y \
   : WeftComponent_##b == WeftComponent_##k ? colour.z \
                                            : colour.w)
WEFT_INLINE uint4 weftStoredChannels(uint format, uint4 colour) {
  switch (weftFormatOrder(format)) {
#define WEFT_IMAGE_ORDER(name, number, stored, r, g, b, a, borderAlpha)              \
  case number:                                                                       \
    return (uint4)(WEFT_STORED_CHANNEL(0, r, g, b), WEFT_STORED_CHANNEL(1, r, g, b), \
                   WEFT_STORED_CHANNEL(2, r, g, b), WEFT_STORED_CHANNEL(3, r, g, b));
#include "weft/abi/image_formats.def"
    default:
      return colour;
  }
}

// An element is the first bytes of four numbers; these join channels of 8 and 16 bits. What is
// above an element's last byte means nothing.
WEFT_INLINE uint4 weftJoin8(uint4 channels) {
  uint4 c = channels & 0xffu;
  return (uint4)(c.x | c.y << 8 | c.z << 16 | c.w << 24, 0, 0, 0);
}
WEFT_INLINE uint4 weftJoin16(uint4 channels) {
  uint4 c = channels & 0xffffu;
  return (uint4)(c.x | c.y << 16, c.z | c.w << 16, 0, 0);
}

// The integer nearest to x, even where there are two, between low and high. Its low 16 bits are
// right, the others are not. A NaN is zero. Pre: high at most 65535, low at least -32768.
WEFT_INLINE uint4 weftRounded(float4 x, float low, float4 high) {
  if (low != 0.0f) x = x != x ? (float4)(0.0f) : x;
  x = x > low ? x : (float4)(low);
  x = x < high ? x : high;
  return WEFT_AS(uint4, x + 0x1.8p23f);  // whose last place is that of the number one
}
WEFT_INLINE uint4 weftNormalized(float4 x, float4 scale, float low) {
  return weftRounded(x * scale, low, scale);
}
WEFT_INLINE uint4 weftNormalized(float4 x, float scale, float low) {
  return weftNormalized(x, (float4)(scale), low);
}

// Of formats that write_imagef takes.
WEFT_INLINE uint4 weftPackFloat(uint format, float4 colour) {
  if (weftFormatIsSrgb(format)) {
    float4 scaled = (float4)(weftToSrgb(colour).xyz, 255.0f * colour.w);
    uint4 channels = weftRounded(scaled, 0.0f, (float4)(255.0f));
    return weftJoin8(weftStoredChannels(format, channels));
  }
  uint4 bits = weftStoredChannels(format, WEFT_AS(uint4, colour));
  float4 c = WEFT_AS(float4, bits);
  switch (weftFormatType(format)) {
    case WeftType_SNORM_INT8:
      return weftJoin8(weftNormalized(c, 127.0f, -128.0f));
    case WeftType_SNORM_INT16:
      return weftJoin16(weftNormalized(c, 32767.0f, -32768.0f));
    case WeftType_UNORM_INT8:
      return weftJoin8(weftNormalized(c, 255.0f, 0.0f));
    case WeftType_UNORM_INT16:
      return weftJoin16(weftNormalized(c, 65535.0f, 0.0f));
    case WeftType_UNORM_SHORT_565: {
      uint4 n = weftNormalized(c, (float4)(31.0f, 63.0f, 31.0f, 0.0f), 0.0f) & 0x3fu;
      return (uint4)(n.x << 11 | n.y << 5 | n.z, 0, 0, 0);
    }
    case WeftType_UNORM_SHORT_555: {
      uint4 n = weftNormalized(c, 31.0f, 0.0f) & 0x1fu;
      return (uint4)(n.x << 10 | n.y << 5 | n.z, 0, 0, 0);
    }
    case WeftType_UNORM_INT_101010: {
      uint4 n = weftNormalized(c, 1023.0f, 0.0f) & 0x3ffu;
      return (uint4)(n.x << 20 | n.y << 10 | n.z, 0, 0, 0);
    }
    case WeftType_UNORM_INT_101010_2: {
      uint4 n = weftNormalized(c, (float4)(1023.0f, 1023.0f, 1023.0f, 3.0f), 0.0f) & 0x3ffu;
      return (uint4)(n.x << 22 | n.y << 12 | n.z << 2 | n.w, 0, 0, 0);
    }
    case WeftType_UNORM_INT_2_101010_EXT: {
      uint4 n = weftNormalized(c, (float4)(3.0f, 1023.0f, 1023.0f, 1023.0f), 0.0f) & 0x3ffu;
      return (uint4)(n.x << 30 | n.y << 20 | n.z << 10 | n.w, 0, 0, 0);
    }
    case WeftType_HALF_FLOAT: {
      ushort4 halves = WEFT_AS(ushort4, __builtin_convertvector(c, half4));
      return weftJoin16(__builtin_convertvector(halves, uint4));
    }
    default:
      return bits;
  }
}

// Of formats that write_imagei and write_imageui take, which are one.
WEFT_INLINE uint4 weftPackUint(uint format, uint4 colour) {
  uint4 c = weftStoredChannels(format, colour);
  int4 s = WEFT_AS(int4, c);
  switch (weftFormatType(format)) {
    case WeftType_SIGNED_INT8:
      s = __builtin_elementwise_min(__builtin_elementwise_max(s, (int4)(-128)), (int4)(127));
      return weftJoin8(WEFT_AS(uint4, s));
    case WeftType_SIGNED_INT16:
      s = __builtin_elementwise_min(__builtin_elementwise_max(s, (int4)(-32768)), (int4)(32767));
      return weftJoin16(WEFT_AS(uint4, s));
    case WeftType_UNSIGNED_INT8:
      return weftJoin8(__builtin_elementwise_min(c, (uint4)(0xffu)));
    case WeftType_UNSIGNED_INT16:
      return weftJoin16(__builtin_elementwise_min(c, (uint4)(0xffffu)));
    // All pixels of the element.
    case WeftType_UNSIGNED_INT_RAW10_EXT: {
      uint n = __builtin_elementwise_min(c.x, 0x3ffu);
      return (uint4)((n >> 2) * 0x1010101u, (n & 3) * 0x55u, 0, 0);
    }
    case WeftType_UNSIGNED_INT_RAW12_EXT: {
      uint n = __builtin_elementwise_min(c.x, 0xfffu);
      return (uint4)((n >> 4) * 0x101u | (n & 15) * 0x110000u, 0, 0, 0);
    }
    default:
      return c;
  }
}
WEFT_INLINE uint4 weftPackInt(uint format, int4 colour) {
  return weftPackUint(format, WEFT_AS(uint4, colour));
}
