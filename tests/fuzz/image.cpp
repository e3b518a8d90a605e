// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/image.h"

#include <CL/cl.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <utility>

namespace weft::fuzz {
namespace {

struct ChannelTraits {
  cl_channel_type type;
  unsigned bytes;  ///< of packed formats those of an element
  Scalar pixel;    ///< as it is read and written
  Scalar stored;
  float scale = 0;  ///< of normalised formats: what one is stored as
};
constexpr std::array<ChannelTraits, kChannelTypes> kChannels{{
    {CL_UNORM_INT8, 1, Scalar::Float, Scalar::UChar, 255},
    {CL_SNORM_INT8, 1, Scalar::Float, Scalar::Char, 127},
    {CL_SIGNED_INT8, 1, Scalar::Int, Scalar::Char},
    {CL_UNSIGNED_INT8, 1, Scalar::UInt, Scalar::UChar},
    {CL_UNORM_INT16, 2, Scalar::Float, Scalar::UShort, 65535},
    {CL_SNORM_INT16, 2, Scalar::Float, Scalar::Short, 32767},
    {CL_SIGNED_INT16, 2, Scalar::Int, Scalar::Short},
    {CL_UNSIGNED_INT16, 2, Scalar::UInt, Scalar::UShort},
    {CL_SIGNED_INT32, 4, Scalar::Int, Scalar::Int},
    {CL_UNSIGNED_INT32, 4, Scalar::UInt, Scalar::UInt},
    {CL_HALF_FLOAT, 2, Scalar::Float, Scalar::Half},
    {CL_FLOAT, 4, Scalar::Float, Scalar::Float},
    {CL_UNORM_INT_101010_2, 4, Scalar::Float, Scalar::UInt, 1023},
}};
const ChannelTraits& traitsOf(Channel channel) { return kChannels[static_cast<size_t>(channel)]; }

/// The component that stored channel `k` is.
unsigned componentOf(ChannelOrder order, unsigned k) {
  switch (order) {
    case ChannelOrder::Bgra:
      return k < 3 ? 2 - k : k;
    case ChannelOrder::Argb:
      return (k + 3) % 4;
    case ChannelOrder::A:
      return 3;
    default:
      return k;
  }
}

/// Where a channel lies in an element.
struct Place1010102 {
  unsigned shift;
  uint64_t mask;
};
constexpr std::array<Place1010102, 4> k1010102{{{22, 1023}, {12, 1023}, {2, 1023}, {0, 3}}};

float floatOf(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
uint64_t bitsOfFloat(float value) { return std::bit_cast<uint32_t>(value); }

uint64_t one(Scalar pixel) { return pixel == Scalar::Float ? bitsOfFloat(1) : 1; }

bool isIn(int64_t i, uint32_t size) { return i >= 0 && i < int64_t{size}; }

/// An integer part that no image has is as good as any other.
int64_t wholeOf(float x) { return static_cast<int64_t>(std::clamp(x, -0x1p40f, 0x1p40f)); }

/// One coordinate of the nearest filter, as the specification has it.
int64_t nearest(float s, uint32_t size, uint64_t sampler) {
  const auto extent = static_cast<float>(size);
  const uint64_t address = sampler & kAddressMask;
  const bool isNormalized = (sampler & kNormalizedCoordinates) != 0;
  if (!isNormalized) return wholeOf(std::floor(s));
  if (address == kAddressRepeat) {
    const int64_t i = wholeOf(std::floor((s - std::floor(s)) * extent));
    return i > int64_t{size} - 1 ? i - size : i;
  }
  if (address == kAddressMirrored) {
    const float mirrored = std::fabs(s - 2.0f * std::rint(0.5f * s));
    return std::min<int64_t>(wholeOf(std::floor(mirrored * extent)), int64_t{size} - 1);
  }
  return wholeOf(std::floor(s * extent));
}

struct Place {
  int64_t at = 0;
  bool isBorder = false;
};

Place place(Scalar scalar, uint64_t bits, uint32_t size, uint64_t sampler) {
  const uint64_t address = sampler & kAddressMask;
  const bool isFloating = scalar == Scalar::Float;
  if (isFloating && !std::isfinite(floatOf(bits))) throw Undefined{"coordinate that is no number"};
  if (!isFloating && ((sampler & kNormalizedCoordinates) != 0 || address >= kAddressRepeat))
    throw Undefined{"integer coordinates with such a sampler"};
  const int64_t at =
      isFloating ? nearest(floatOf(bits), size, sampler) : toSignedBits(scalar, bits);
  if (isIn(at, size)) return {at};
  switch (address) {
    case kAddressEdge:
      return {std::clamp<int64_t>(at, 0, int64_t{size} - 1)};
    case kAddressBorder:
      return {0, true};
    default:
      throw Undefined{"coordinate outside of an image"};
  }
}

int64_t layer(Scalar scalar, uint64_t bits, uint32_t layers) {
  int64_t at = 0;
  if (scalar == Scalar::Float) {
    if (!std::isfinite(floatOf(bits))) throw Undefined{"layer that is no number"};
    at = wholeOf(std::rint(floatOf(bits)));
  } else {
    at = toSignedBits(scalar, bits);
  }
  return std::clamp<int64_t>(at, 0, int64_t{layers} - 1);
}

uint64_t offsetOf(const ImageType& image, const std::array<int64_t, 3>& at) {
  return ((static_cast<uint64_t>(at[2]) * image.height + static_cast<uint64_t>(at[1])) *
              image.width +
          static_cast<uint64_t>(at[0])) *
         image.elementBytes();
}

}  // namespace

unsigned ImageType::dimensions() const {
  switch (kind) {
    case ImageKind::Line:
    case ImageKind::OfBuffer:
    case ImageKind::Lines:
      return 1;
    case ImageKind::Plane:
    case ImageKind::Planes:
      return 2;
    case ImageKind::Volume:
      break;
  }
  return 3;
}

unsigned ImageType::coordinateLanes() const {
  const unsigned used = dimensions() + (isArray() ? 1 : 0);
  return used == 3 ? 4 : used;
}

uint32_t ImageType::sizeOf(unsigned c) const {
  if (c == 0) return width;
  if (isArray() && c == dimensions()) return slices;
  return c >= dimensions() ? 0 : c == 1 ? height : slices;
}

unsigned ImageType::channels() const {
  return order == ChannelOrder::R || order == ChannelOrder::A ? 1
         : order == ChannelOrder::Rg                          ? 2
                                                              : 4;
}
unsigned ImageType::elementBytes() const {
  return (channel == Channel::Unorm101010_2 ? 1 : channels()) * traitsOf(channel).bytes;
}
Scalar ImageType::pixel() const { return traitsOf(channel).pixel; }
uint32_t ImageType::channelType() const { return traitsOf(channel).type; }
uint32_t ImageType::channelOrder() const {
  static constexpr std::array<cl_channel_order, 6> kOrders{CL_R,    CL_RG,   CL_RGBA,
                                                           CL_BGRA, CL_ARGB, CL_A};
  return kOrders[static_cast<size_t>(order)];
}

const char* ImageType::typeName() const {
  static constexpr std::array kNames{"image1d_t", "image1d_buffer_t", "image1d_array_t",
                                     "image2d_t", "image2d_array_t",  "image3d_t"};
  return kNames[static_cast<size_t>(kind)];
}
const char* ImageType::accessName() const {
  static constexpr std::array kNames{"read_only", "write_only", "read_write"};
  return kNames[static_cast<size_t>(access)];
}

std::string samplerText(uint64_t number) {
  static constexpr std::array kAddress{"CLK_ADDRESS_NONE", "CLK_ADDRESS_CLAMP_TO_EDGE",
                                       "CLK_ADDRESS_CLAMP", "CLK_ADDRESS_REPEAT",
                                       "CLK_ADDRESS_MIRRORED_REPEAT"};
  return std::string((number & kNormalizedCoordinates) != 0 ? "CLK_NORMALIZED_COORDS_TRUE"
                                                            : "CLK_NORMALIZED_COORDS_FALSE") +
         " | " + kAddress[(number & kAddressMask) / 2] + " | CLK_FILTER_NEAREST";
}

std::optional<uint64_t> placeToRead(const ImageType& image, Scalar scalar, const Value& at,
                                    std::optional<uint64_t> sampler) {
  std::array<int64_t, 3> where{};
  bool isBorder = false;
  for (unsigned d = 0; d < image.dimensions(); ++d) {
    const Place found = place(scalar, at.lane[d], image.sizeOf(d), sampler.value_or(kAddressNone));
    where[d] = found.at;
    isBorder |= found.isBorder;
  }
  if (image.isArray()) where[2] = layer(scalar, at.lane[image.dimensions()], image.slices);
  if (isBorder) return std::nullopt;
  return offsetOf(image, where);
}

std::optional<uint64_t> placeToWrite(const ImageType& image, const Value& at) {
  std::array<int64_t, 3> where{};
  for (unsigned c = 0; c < image.dimensions() + (image.isArray() ? 1 : 0); ++c) {
    const int64_t i = toSignedBits(Scalar::Int, at.lane[c]);
    if (!isIn(i, image.sizeOf(c))) return std::nullopt;
    where[c < image.dimensions() ? c : 2] = i;
  }
  return offsetOf(image, where);
}

Value decodePixel(const ImageType& image, const uint8_t* element) {
  const ChannelTraits& traits = traitsOf(image.channel);
  Value pixel;
  pixel.lanes = 4;
  for (unsigned c = 0; c < 4; ++c) pixel.lane[c] = c == 3 ? one(traits.pixel) : 0;
  for (unsigned k = 0; k < image.channels(); ++k) {
    uint64_t bits = 0;
    float scale = traits.scale;
    if (image.channel == Channel::Unorm101010_2) {
      std::memcpy(&bits, element, traits.bytes);
      bits = bits >> k1010102[k].shift & k1010102[k].mask;
      scale = static_cast<float>(k1010102[k].mask);
    } else {
      std::memcpy(&bits, element + size_t{k} * traits.bytes, traits.bytes);
    }
    uint64_t& to = pixel.lane[componentOf(image.order, k)];
    to = convert(traits.pixel, traits.stored, Rounding::Default, false, bits);
    if (scale != 0) to = bitsOfFloat(std::max(floatOf(to) / scale, -1.0f));
  }
  return pixel;
}

Value borderPixel(const ImageType& image) {
  const bool isOpaque = image.order == ChannelOrder::R || image.order == ChannelOrder::Rg;
  Value pixel;
  pixel.lanes = 4;
  for (unsigned c = 0; c < 4; ++c) pixel.lane[c] = c == 3 && isOpaque ? one(image.pixel()) : 0;
  return pixel;
}

std::vector<uint8_t> initialPixels(const ImageType& image, uint64_t seed) {
  const ChannelTraits& traits = traitsOf(image.channel);
  std::vector<uint8_t> bytes(image.bytes());
  std::mt19937_64 random(seed);
  for (size_t at = 0; at < bytes.size(); at += traits.bytes) {
    uint64_t bits = random();
    if (traits.stored == Scalar::Half || traits.stored == Scalar::Float) {
      const double value = static_cast<double>(bits % 4096) / 16 - 100;
      bits =
          traits.stored == Scalar::Half ? halfBits(value) : bitsOfFloat(static_cast<float>(value));
    }
    std::memcpy(bytes.data() + at, &bits, traits.bytes);
  }
  return bytes;
}

std::array<uint8_t, 16> encodePixel(const ImageType& image, const Value& color) {
  const ChannelTraits& traits = traitsOf(image.channel);
  std::array<uint8_t, 16> element{};
  uint64_t packed = 0;
  for (unsigned k = 0; k < image.channels(); ++k) {
    const uint64_t given = color.lane[componentOf(image.order, k)];
    if (traits.pixel == Scalar::Float && std::isnan(floatOf(given)))
      throw Undefined{"a NaN in an image"};
    uint64_t bits = 0;
    if (image.channel == Channel::Unorm101010_2) {
      const auto most = static_cast<float>(k1010102[k].mask);
      bits = convert(Scalar::UShort, Scalar::Float, Rounding::Even, true,
                     bitsOfFloat(std::min(floatOf(given) * most, most)));
      packed |= bits << k1010102[k].shift;
      continue;
    }
    if (traits.scale != 0)
      bits = convert(traits.stored, Scalar::Float, Rounding::Even, true,
                     bitsOfFloat(floatOf(given) * traits.scale));
    else if (traits.pixel == Scalar::Float)
      bits = convert(traits.stored, Scalar::Float, Rounding::Default, false, given);
    else
      bits = convert(traits.stored, traits.pixel, Rounding::Default, true, given);
    std::memcpy(element.data() + size_t{k} * traits.bytes, &bits, traits.bytes);
  }
  if (image.channel == Channel::Unorm101010_2) std::memcpy(element.data(), &packed, traits.bytes);
  return element;
}

Type typeOf(ImageQuery query) {
  return scalarType(query == ImageQuery::ArraySize ? Scalar::ULong : Scalar::Int);
}

const char* nameOf(ImageQuery query) {
  static constexpr std::array kNames{"get_image_width",
                                     "get_image_height",
                                     "get_image_depth",
                                     "get_image_array_size",
                                     "get_image_channel_data_type",
                                     "get_image_channel_order"};
  return kNames[static_cast<size_t>(query)];
}

bool hasQuery(ImageKind kind, ImageQuery query) {
  const ImageType image{.kind = kind};
  switch (query) {
    case ImageQuery::Height:
      return image.dimensions() > 1;
    case ImageQuery::Depth:
      return image.dimensions() > 2;
    case ImageQuery::ArraySize:
      return image.isArray();
    default:
      return true;
  }
}

uint64_t answer(const ImageType& image, ImageQuery query) {
  switch (query) {
    case ImageQuery::Width:
      return image.width;
    case ImageQuery::Height:
      return image.height;
    case ImageQuery::Depth:
    case ImageQuery::ArraySize:
      return image.slices;
    case ImageQuery::Type:
      return image.channelType();
    case ImageQuery::Order:
      return image.channelOrder();
  }
  std::unreachable();
}

}  // namespace weft::fuzz
