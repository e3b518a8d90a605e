// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "image/image.h"

// Single elements, of an address that is known to be good. `bytes` is Image::element_bytes.

#define WEFT_TEXEL_READS(space, suffix)                                                          \
  WEFT_GENERAL_READ float4 weft_image_texel_float##suffix(const space uchar* p, uint format,          \
                                                     uint bytes);                                \
  WEFT_GENERAL_READ int4 weft_image_texel_int##suffix(const space uchar* p, uint format, uint bytes); \
  WEFT_GENERAL_READ uint4 weft_image_texel_uint##suffix(const space uchar* p, uint format, uint bytes);
WEFT_TEXEL_READS(__constant, )
WEFT_TEXEL_READS(__global, _rw)

WEFT_GENERAL_READ float4 weft_image_border_float(uint format);
WEFT_GENERAL_READ int4 weft_image_border_int(uint format);
WEFT_GENERAL_READ uint4 weft_image_border_uint(uint format);

WEFT_GENERAL void weft_image_store_float(__global uchar* p, uint format, uint bytes, float4 color);
WEFT_GENERAL void weft_image_store_int(__global uchar* p, uint format, uint bytes, int4 color);
WEFT_GENERAL void weft_image_store_uint(__global uchar* p, uint format, uint bytes, uint4 color);
