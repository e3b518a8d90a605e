// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "image/image.h"

// Single elements, of an address that is known to be good. `bytes` is Image::element_bytes.

#define WEFT_TEXEL_READS(space, suffix)                                                          \
  WEFT_GENERAL_READ float4 weft_image_texel_float##suffix(const space uchar* p, uint format,          \
                                                     uint bytes);                                \
  WEFT_GENERAL_READ float4 weft_image_texel_integral##suffix(const space uchar* p, uint format,  \
                                                             uint bytes);                        \
  WEFT_GENERAL_READ int4 weft_image_texel_int##suffix(const space uchar* p, uint format, uint bytes); \
  WEFT_GENERAL_READ uint4 weft_image_texel_uint##suffix(const space uchar* p, uint format, uint bytes); \
  /* Pixel x of a row whose elements are several pixels. */                                      \
  WEFT_GENERAL_READ uint weft_image_shared_texel##suffix(const space uchar* row, uint format,    \
                                                         uint x);
// Elements in memory, each read and written at once. Their alignment is the application's affair.
typedef ushort WeftBytes2 __attribute__((aligned(1)));
typedef uint WeftBytes4 __attribute__((aligned(1)));
typedef ulong WeftBytes8 __attribute__((aligned(1)));
typedef uint2 WeftTwoWords __attribute__((aligned(1)));
typedef uint4 WeftBytes16 __attribute__((aligned(1)));

WEFT_TEXEL_READS(__constant, )
WEFT_TEXEL_READS(__global, _rw)

// Pixels that are mixed before they are scaled: integers where the format has some.
WEFT_GENERAL_READ float4 weft_image_unpack_integral(uint format, uint4 element);
WEFT_GENERAL_READ float4 weft_image_border_integral(uint format);
WEFT_GENERAL_READ float4 weft_image_scale_integral(uint format, float4 mean);
WEFT_GENERAL_READ float4 weft_image_border_float(uint format);
WEFT_GENERAL_READ int4 weft_image_border_int(uint format);
WEFT_GENERAL_READ uint4 weft_image_border_uint(uint format);

WEFT_GENERAL void weft_image_store_float(__global uchar* p, uint format, uint bytes, float4 color);
WEFT_GENERAL void weft_image_store_int(__global uchar* p, uint format, uint bytes, int4 color);
WEFT_GENERAL void weft_image_store_uint(__global uchar* p, uint format, uint bytes, uint4 color);
