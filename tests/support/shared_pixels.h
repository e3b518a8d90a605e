// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/khr/image_formats.h"

/// Image formats whose elements are several pixels, as cl_ext_image_raw10_raw12 describes them bit
/// by bit.
namespace weft::test {

struct SharedFormat {
  cl_channel_type type;
  size_t pixels;  ///< of an element
  size_t bytes;
  unsigned bits;  ///< of a pixel

  cl_image_format cl() const { return {CL_R, type}; }
  size_t rowBytes(size_t width) const { return width / pixels * bytes; }
};

inline constexpr SharedFormat kSharedFormats[] = {{khr::kUnsignedIntRaw10, 4, 5, 10},
                                                  {khr::kUnsignedIntRaw12, 2, 3, 12}};

/// Puts bit `bit` of pixel `pixel` of an element where the extension's tables have it: the highest
/// eight in the byte of the pixel's number, the rest in the last byte.
inline void setSharedBit(const SharedFormat& format, std::byte* element, size_t pixel, unsigned bit,
                         bool value) {
  const unsigned low = format.bits - 8;
  std::byte& byte = bit >= low ? element[pixel] : element[format.bytes - 1];
  const size_t place = bit >= low ? bit - low : pixel * low + bit;
  const auto mask = static_cast<std::byte>(1u << place);
  byte = value ? byte | mask : byte & ~mask;
}

/// A row of pixels as it lies in memory. Pre: whole elements.
inline std::vector<std::byte> packShared(const SharedFormat& format,
                                         const std::vector<uint32_t>& pixels) {
  std::vector<std::byte> row(format.rowBytes(pixels.size()));
  for (size_t x = 0; x < pixels.size(); ++x)
    for (unsigned bit = 0; bit < format.bits; ++bit)
      setSharedBit(format, row.data() + x / format.pixels * format.bytes, x % format.pixels, bit,
                   (pixels[x] >> bit & 1) != 0);
  return row;
}

}  // namespace weft::test
