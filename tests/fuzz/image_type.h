// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "fuzz/types.h"

namespace weft::fuzz {

enum class ImageKind : uint8_t { Line, OfBuffer, Lines, Plane, Planes, Volume };
enum class ImageAccess : uint8_t { Read, Write, Both };

/// What a channel is stored as: those whose conversions have one result.
enum class Channel : uint8_t {
  Unorm8,
  Snorm8,
  SInt8,
  UInt8,
  Unorm16,
  Snorm16,
  SInt16,
  UInt16,
  SInt32,
  UInt32,
  Half,
  Float,
  Unorm101010_2,  ///< all four in one number
};
inline constexpr unsigned kChannelTypes = 13;
enum class ChannelOrder : uint8_t { R, Rg, Rgba, Bgra, Argb, A };

struct ImageType {
  ImageKind kind = ImageKind::Plane;
  ImageAccess access = ImageAccess::Read;
  Channel channel = Channel::UInt8;
  ChannelOrder order = ChannelOrder::Rgba;
  uint32_t width = 1, height = 1;
  uint32_t slices = 1;  ///< depth, or layers

  /// Of the coordinates that name an element, without the layer.
  unsigned dimensions() const;
  bool isArray() const { return kind == ImageKind::Lines || kind == ImageKind::Planes; }
  /// Components of a coordinate as the language has them.
  unsigned coordinateLanes() const;
  /// Size along component `c` of a coordinate; 0: it means nothing.
  uint32_t sizeOf(unsigned c) const;
  unsigned channels() const;
  unsigned elementBytes() const;
  uint64_t bytes() const { return uint64_t{width} * height * slices * elementBytes(); }
  /// What its pixels are read as and written as: Float, Int or UInt.
  Scalar pixel() const;

  const char* typeName() const;
  const char* accessName() const;
  /// The format in the API's numbers.
  uint32_t channelType() const;
  uint32_t channelOrder() const;
};

}  // namespace weft::fuzz
