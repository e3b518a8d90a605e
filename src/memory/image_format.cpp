// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/image_format.h"

#include <bit>

#include "platform/limits.h"
#include "weft/khr/image_formats.h"

#ifndef CL_UNSIGNED_INT_RAW10_EXT
#define CL_UNSIGNED_INT_RAW10_EXT weft::khr::kUnsignedIntRaw10
#define CL_UNSIGNED_INT_RAW12_EXT weft::khr::kUnsignedIntRaw12
#endif
#ifndef CL_UNORM_INT_2_101010_EXT
#define CL_UNORM_INT_2_101010_EXT weft::khr::kUnormInt2_101010
#endif

namespace weft {
namespace {

struct Type {
  uint32_t number;
  uint32_t bytes;
  uint32_t pixels;
  ChannelKind kind;
};

struct Order {
  uint32_t number;
  uint32_t stored;
  std::array<Component, 4> components;
};

// Names of the description that stand for numbers.
constexpr Component Zero = Component::Zero;
constexpr Component One = Component::One;
constexpr Component component(int channel) { return static_cast<Component>(channel); }
constexpr Component component(Component constant) { return constant; }

constexpr Type kTypes[] = {
#define WEFT_IMAGE_TYPE(name, number, bytes, pixels, kind) \
  {number, bytes, pixels, ChannelKind::kind},
#include "weft/abi/image_formats.def"
};

constexpr Order kOrders[] = {
#define WEFT_IMAGE_ORDER(name, number, stored, r, g, b, a, borderAlpha) \
  {number, stored, {component(r), component(g), component(b), component(a)}},
#include "weft/abi/image_formats.def"
};

constexpr cl_channel_type kTypeBase = 0x10cf;
constexpr cl_channel_order kOrderBase = 0x10af;

#define WEFT_IMAGE_TYPE(name, number, ...) static_assert(CL_##name == kTypeBase + (number));
#include "weft/abi/image_formats.def"
#define WEFT_IMAGE_ORDER(name, number, ...) static_assert(CL_##name == kOrderBase + (number));
#include "weft/abi/image_formats.def"

constexpr bool isSrgbOrder(cl_channel_order order) {
  return order == CL_sRGBA || order == CL_sBGRA || order == CL_sRGBx;
}

/// The rules of the specification's image format descriptor.
constexpr bool goTogether(const Type& type, const Order& order) {
  const cl_channel_type channelType = kTypeBase + type.number;
  const cl_channel_order channelOrder = kOrderBase + order.number;
  const bool isRgb = channelOrder == CL_RGB || channelOrder == CL_RGBx;
  if (channelType == CL_UNORM_INT_101010_2) return channelOrder == CL_RGBA;
  if (channelType == CL_UNORM_INT_2_101010_EXT) return channelOrder == CL_ABGR;
  if (type.kind == ChannelKind::Packed) return isRgb;
  if (type.pixels > 1) return channelOrder == CL_R;
  const bool isInteger = type.kind == ChannelKind::Signed || type.kind == ChannelKind::Unsigned;
  switch (channelOrder) {
    case CL_RGB:
    case CL_RGBx:
      return false;
    case CL_INTENSITY:
    case CL_LUMINANCE:
      return !isInteger;
    case CL_BGRA:
    case CL_ARGB:
    case CL_ABGR:
      return type.bytes == 1;
    case CL_DEPTH:
      return channelType == CL_UNORM_INT16 || channelType == CL_FLOAT;
    default:
      return !isSrgbOrder(channelOrder) || channelType == CL_UNORM_INT8;
  }
}

constexpr ImageFormat join(const Type& type, const Order& order) {
  ImageFormat format;
  format.cl = {kOrderBase + order.number, kTypeBase + type.number};
  format.number = abi::imageFormat(type.number, order.number);
  format.kind = type.kind;
  format.channels = order.stored;
  format.channelBytes = type.bytes;
  format.elementBytes = type.kind == ChannelKind::Packed ? type.bytes : type.bytes * order.stored;
  format.elementPixels = type.pixels;
  format.components = order.components;
  return format;
}

constexpr size_t countFormats() {
  size_t count = 0;
  for (const Order& order : kOrders)
    for (const Type& type : kTypes) count += goTogether(type, order) ? 1 : 0;
  return count;
}

constexpr auto makeFormats() {
  std::array<ImageFormat, countFormats()> formats{};
  size_t count = 0;
  for (const Order& order : kOrders)
    for (const Type& type : kTypes)
      if (goTogether(type, order)) formats[count++] = join(type, order);
  return formats;
}
constexpr auto kFormats = makeFormats();

/// Where in kFormats an order and a type are, plus one; zero when they do not go together.
constexpr size_t kNumbers = 32;
constexpr auto makeIndex() {
  std::array<std::array<uint8_t, kNumbers>, kNumbers> index{};
  for (size_t i = 0; i < kFormats.size(); ++i)
    index[kFormats[i].number >> 8][kFormats[i].number & 0xff] = static_cast<uint8_t>(i + 1);
  return index;
}
static_assert(kFormats.size() < UINT8_MAX);
constexpr auto kIndex = makeIndex();

constexpr bool areSound() {
  for (const ImageFormat& format : kFormats)
    if (!std::has_single_bit(format.elementPixels) ||
        (format.elementPixels == 1 && !std::has_single_bit(format.elementBytes)) ||
        format.elementBytes > limits::kMaxImageElementSize)
      return false;
  return true;
}
static_assert(areSound());

}  // namespace

bool ImageFormat::isSrgb() const noexcept { return isSrgbOrder(cl.image_channel_order); }

const ImageFormat* ImageFormat::find(cl_image_format format) noexcept {
  const cl_uint order = format.image_channel_order - kOrderBase;
  const cl_uint type = format.image_channel_data_type - kTypeBase;
  if (order >= kNumbers || type >= kNumbers || kIndex[order][type] == 0) return nullptr;
  return &kFormats[kIndex[order][type] - 1];
}

std::span<const ImageFormat> ImageFormat::all() noexcept { return kFormats; }

bool isImageFormatSupported(const ImageFormat& format, cl_mem_object_type type,
                            cl_mem_flags access) noexcept {
  if (format.isDepth() && type != CL_MEM_OBJECT_IMAGE2D && type != CL_MEM_OBJECT_IMAGE2D_ARRAY)
    return false;
  // Work-items that write neighbours would write to the same bytes.
  constexpr cl_mem_flags kWrites =
      CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_KERNEL_READ_AND_WRITE;
  if (format.elementPixels > 1 && (access & kWrites) != 0) return false;
  // With cl_khr_srgb_image_writes kernels write such images, but none does both.
  return !format.isSrgb() || (access & CL_MEM_KERNEL_READ_AND_WRITE) == 0;
}

}  // namespace weft
