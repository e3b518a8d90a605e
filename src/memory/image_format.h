// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "weft/abi/image.h"

/// The C++ view of include/weft/abi/image_formats.def.
namespace weft {

/// What read_image gives and write_image takes of a channel.
enum class ChannelKind : uint8_t { Unorm, Snorm, Float, Signed, Unsigned, Packed };

/// What a component of a pixel is made of: one of the channels in memory, by its number, or a
/// constant.
enum class Component : int8_t { Channel0 = 0, Channel1, Channel2, Channel3, Zero = -1, One = -2 };

/// A channel type and an order that go together.
struct ImageFormat {
  cl_image_format cl{};
  uint32_t number = 0;        ///< abi::imageFormat() of both
  uint32_t elementBytes = 0;  ///< a power of two where an element is a pixel
  /// Neighbours of a row that are stored as one element. Rows are whole elements, and so is what
  /// commands of the host copy and fill.
  uint32_t elementPixels = 1;
  uint32_t channels = 0;      ///< in memory
  uint32_t channelBytes = 0;  ///< of a channel; of the whole element where they are packed
  ChannelKind kind = ChannelKind::Unorm;
  std::array<Component, 4> components{};  ///< red, green, blue, alpha

  bool isPacked() const noexcept { return kind == ChannelKind::Packed; }
  bool isDepth() const noexcept { return cl.image_channel_order == CL_DEPTH; }
  /// Bytes of so many pixels of a row, whole elements.
  size_t bytesOf(size_t pixels) const noexcept { return pixels / elementPixels * elementBytes; }
  /// What CL_IMAGE_ELEMENT_SIZE tells: bytes that hold a pixel.
  size_t pixelBytes() const noexcept { return (elementBytes + elementPixels - 1) / elementPixels; }
  /// Addresses and pitches of images of such elements are multiples of this.
  size_t alignment() const noexcept { return elementPixels == 1 ? elementBytes : 1; }
  /// Whether red, green and blue are stored by the sRGB curve.
  bool isSrgb() const noexcept;

  /// Null when type and order do not go together, or are none.
  static const ImageFormat* find(cl_image_format format) noexcept;
  /// All there are.
  static std::span<const ImageFormat> all() noexcept;
};

/// Whether an image of `format` and `type`, one of the kinds of image, can be made for use with
/// `access`: the access flags of clGetSupportedImageFormats, each of which has to be possible.
bool isImageFormatSupported(const ImageFormat& format, cl_mem_object_type type,
                            cl_mem_flags access) noexcept;

}  // namespace weft
