// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

/// What image and sampler arguments are to compiled code. The host makes them, the library's OpenCL
/// C (builtins/image) reads them.
namespace weft::abi {

/// One level of a mipmapped image, or all of another one. Sizes are in elements, pitches in bytes.
/// A dimension that the image does not have is 1 long.
struct ImageLevel {
  uint64_t data;  ///< address of the first element
  uint64_t rowPitch;
  uint64_t slicePitch;  ///< from slice to slice of a volume, from layer to layer of an array
  uint32_t width;
  uint32_t height;
  uint32_t slices;  ///< depth of a volume, layers of an array
  uint32_t reserved;
};

/// A whole chain of levels for the longest edge that the device has.
inline constexpr uint32_t kMaxImageLevels = 16;

/// An image argument is a pointer to this, in constant memory: no kernel changes it.
struct Image {
  uint32_t format;        ///< imageFormat() of its type and order, kCompact and kMipmapped
  uint32_t channelType;   ///< CL_UNORM_INT8 and so on
  uint32_t channelOrder;  ///< CL_RGBA and so on
  uint32_t elementBytes;  ///< of a pixel, rounded down where several are an element
  uint32_t levelCount;    ///< 1 where it is not mipmapped
  uint32_t reserved[3];
  ImageLevel levels[kMaxImageLevels];
};
static_assert(offsetof(Image, format) == 0);
static_assert(offsetof(Image, channelType) == 4);
static_assert(offsetof(Image, channelOrder) == 8);
static_assert(offsetof(Image, elementBytes) == 12);
static_assert(offsetof(Image, levelCount) == 16);
static_assert(offsetof(Image, levels) == 32);
static_assert(offsetof(ImageLevel, data) == 0);
static_assert(offsetof(ImageLevel, rowPitch) == 8);
static_assert(offsetof(ImageLevel, slicePitch) == 16);
static_assert(offsetof(ImageLevel, width) == 24);
static_assert(offsetof(ImageLevel, height) == 28);
static_assert(offsetof(ImageLevel, slices) == 32);
static_assert(sizeof(ImageLevel) == 40);

/// Channel types and orders of the host API are their numbers in image_formats.def and these.
inline constexpr uint32_t kFirstChannelType = 0x10cf, kFirstChannelOrder = 0x10af;

/// The numbers of image_formats.def: a type's and an order's. Never 0.
constexpr uint32_t imageFormat(uint32_t type, uint32_t order) noexcept {
  return type | (order << 8);
}
/// In Image::format: where it has levels.
inline constexpr uint32_t kMipmapped = 0x8000;
/// In Image::format: where it has one level, whose offsets fit into 31 bits, and rows of two
/// elements or more, so that a pair of neighbours can be read at once wherever an element can.
inline constexpr uint32_t kCompact = 0x80;

/// Whether kCompact is right for an image that is described but for its flags.
constexpr bool isCompact(const Image& image) noexcept {
  const ImageLevel& level = image.levels[0];
  constexpr uint64_t kMost = uint64_t{1} << 31;
  const auto fits = [](uint64_t pitch, uint32_t count) { return pitch <= kMost / count; };
  return image.levelCount == 1 && level.width >= 2 && fits(image.elementBytes, level.width) &&
         fits(level.rowPitch, level.height) && fits(level.slicePitch, level.slices) &&
         level.rowPitch * level.height + level.slicePitch * level.slices +
                 uint64_t{image.elementBytes} * level.width <=
             kMost;
}

/// A sampler argument is a number of 64 bits. Its low 8 bits are what the language's CLK_ constants
/// make up, so that a sampler of the program's and one of the host's are the same thing:
/// CLK_NORMALIZED_COORDS_TRUE is 1, CLK_ADDRESS_* are 0, 2, 4, 6, 8, CLK_FILTER_* 0x10 and 0x20.
/// The rest concerns mipmapped images alone; zeros mean: the nearest level, of all.
inline constexpr uint64_t kSamplerModes = 0xff;
inline constexpr uint64_t kSamplerLinearLevels = 0x100;  ///< CL_SAMPLER_MIP_FILTER_MODE is linear
inline constexpr unsigned kSamplerLodMinShift = 16;      ///< as a half in 16 bits
inline constexpr unsigned kSamplerLodMaxShift = 32;      ///< as a half in 16 bits; 0: no limit

}  // namespace weft::abi
