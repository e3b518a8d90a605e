// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pictures.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "support/test_day.h"
#include "weft/khr/image_formats.h"

namespace weft::test {
namespace {

template <class T>
T load(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

double halfValue(uint16_t bits) {
  return static_cast<double>(static_cast<float>(std::bit_cast<_Float16>(bits)));
}

double linearOfSrgb(double c) {
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}
double srgbOfLinear(double c) {
  if (!(c > 0)) return 0;
  if (c > 1) return 1;
  return c < 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

/// Bits of the fields of a packed type, the first in the highest.
struct Packing {
  std::vector<unsigned> bits;
  unsigned below = 0;  ///< unused bits under the last field
};
Packing packingOf(cl_uint type) {
  switch (type) {
    case CL_UNORM_SHORT_565:
      return {{5, 6, 5}};
    case CL_UNORM_SHORT_555:
      return {{5, 5, 5}};
    case CL_UNORM_INT_101010:
      return {{10, 10, 10}};
    case khr::kUnormInt2_101010:
      return {{2, 10, 10, 10}};
    default:
      return {{10, 10, 10, 2}};  // CL_UNORM_INT_101010_2
  }
}

/// Channel k as it is stored: its number, before any transfer function.
double channel(const PixelFormat& format, const std::byte* element, size_t k) {
  const std::byte* p = element + k * format.channelBytes();
  // Division rounds once, to the float nearest to the quotient.
  const auto normal = [](int32_t x, float most) {
    return static_cast<double>(std::max(-1.0f, static_cast<float>(x) / most));
  };
  switch (format.type) {
    case CL_SNORM_INT8:
      return normal(load<int8_t>(p), 127);
    case CL_SNORM_INT16:
      return normal(load<int16_t>(p), 32767);
    case CL_UNORM_INT8:
      return normal(load<uint8_t>(p), 255);
    case CL_UNORM_INT16:
      return normal(load<uint16_t>(p), 65535);
    case CL_SIGNED_INT8:
      return load<int8_t>(p);
    case CL_SIGNED_INT16:
      return load<int16_t>(p);
    case CL_SIGNED_INT32:
      return load<int32_t>(p);
    case CL_UNSIGNED_INT8:
      return load<uint8_t>(p);
    case CL_UNSIGNED_INT16:
      return load<uint16_t>(p);
    case CL_UNSIGNED_INT32:
      return load<uint32_t>(p);
    case CL_HALF_FLOAT:
      return halfValue(load<uint16_t>(p));
    case CL_FLOAT:
      return static_cast<double>(load<float>(p));
    default: {
      const Packing packing = packingOf(format.type);
      uint32_t word =
          format.elementBytes() == 2 ? load<uint16_t>(element) : load<uint32_t>(element);
      for (size_t field = packing.bits.size(); field-- > k + 1;) word >>= packing.bits[field];
      const uint32_t most = (1u << packing.bits[k]) - 1;
      return normal(static_cast<int32_t>(word & most), static_cast<float>(most));
    }
  }
}

/// The largest numbers that a channel of normalised integers holds, least first.
std::pair<double, double> limitsOf(const PixelFormat& format, size_t k) {
  switch (format.type) {
    case CL_SNORM_INT8:
      return {-128, 127};
    case CL_SNORM_INT16:
      return {-32768, 32767};
    case CL_UNORM_INT8:
      return {0, 255};
    case CL_UNORM_INT16:
      return {0, 65535};
    case CL_SIGNED_INT8:
      return {-128, 127};
    case CL_SIGNED_INT16:
      return {-32768, 32767};
    case CL_SIGNED_INT32:
      return {-0x1p31, 0x1p31 - 1};
    case CL_UNSIGNED_INT8:
      return {0, 255};
    case CL_UNSIGNED_INT16:
      return {0, 65535};
    case CL_UNSIGNED_INT32:
      return {0, 0x1p32 - 1};
    default:
      return {0, static_cast<double>((1u << packingOf(format.type).bits[k]) - 1)};
  }
}

/// Whether channel k holds `wanted`, a component that was written.
::testing::AssertionResult holds(const PixelFormat& format, double wanted, const std::byte* element,
                                 size_t k) {
  const std::byte* p = element + k * format.channelBytes();
  const auto wrong = [&](double got) {
    return ::testing::AssertionFailure()
           << format.name() << " channel " << k << " is " << got << " of " << wanted;
  };
  if (format.type == CL_FLOAT || format.type == CL_HALF_FLOAT) {
    const double got = channel(format, element, k);
    if (std::isnan(wanted)) return std::isnan(got) ? ::testing::AssertionSuccess() : wrong(got);
    if (format.type == CL_FLOAT) return got == wanted ? ::testing::AssertionSuccess() : wrong(got);
    const auto nearest = static_cast<_Float16>(static_cast<float>(wanted));
    return load<uint16_t>(p) == std::bit_cast<uint16_t>(nearest) ? ::testing::AssertionSuccess()
                                                                 : wrong(got);
  }
  const auto [least, most] = limitsOf(format, k);
  if (format.kind() != PixelKind::Float) {
    const double got = channel(format, element, k);
    return got == std::clamp(wanted, least, most) ? ::testing::AssertionSuccess() : wrong(got);
  }
  // The number that is stored.
  const double got = std::round(channel(format, element, k) * most);
  const bool isLowest = least < 0 && got == -most;  // both lowest numbers are read as -1
  double exact = wanted * most;
  if (format.isSrgb() && k < 3) exact = srgbOfLinear(wanted) * most;
  if (std::isnan(exact)) exact = 0;
  exact = std::clamp(exact, least, most);
  if (isLowest && exact <= -most) return ::testing::AssertionSuccess();
  // To the nearest; that the product is rounded first may show at ties. Of sRGB the specification
  // has 0.6, for polynomials.
  const double slack = format.isSrgb() && k < 3 ? 0.01 : most * 0x1p-24;
  if (std::abs(got - exact) > 0.5 + slack) return wrong(got / most);
  return ::testing::AssertionSuccess();
}

}  // namespace

std::string PixelFormat::name() const {
  std::ostringstream text;
  text << std::hex << "type 0x" << type << " order 0x" << order;
  return text.str();
}

PixelKind PixelFormat::kind() const {
  switch (type) {
    case CL_SIGNED_INT8:
    case CL_SIGNED_INT16:
    case CL_SIGNED_INT32:
      return PixelKind::Signed;
    case CL_UNSIGNED_INT8:
    case CL_UNSIGNED_INT16:
    case CL_UNSIGNED_INT32:
      return PixelKind::Unsigned;
    default:
      return PixelKind::Float;
  }
}

bool PixelFormat::isPacked() const {
  return type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 || type == CL_UNORM_INT_101010 ||
         type == CL_UNORM_INT_101010_2 || type == khr::kUnormInt2_101010;
}

bool PixelFormat::isSrgb() const {
  return order == CL_sRGBA || order == CL_sBGRA || order == CL_sRGBx;
}

uint32_t PixelFormat::channelBytes() const {
  switch (type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
      return 1;
    case CL_UNORM_INT_101010:
    case CL_UNORM_INT_101010_2:
    case khr::kUnormInt2_101010:
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
      return 4;
    default:
      return 2;
  }
}

uint32_t PixelFormat::elementBytes() const {
  return isPacked() ? channelBytes() : channelBytes() * static_cast<uint32_t>(stored().size());
}

std::string PixelFormat::stored() const {
  switch (order) {
    case CL_R:
    case CL_Rx:
      return "R";
    case CL_A:
      return "A";
    case CL_RG:
    case CL_RGx:
      return "RG";
    case CL_RA:
      return "RA";
    case CL_RGB:
    case CL_RGBx:
      return "RGB";
    case CL_RGBA:
    case CL_sRGBA:
      return "RGBA";
    case CL_sRGBx:
      return "RGBx";
    case CL_BGRA:
    case CL_sBGRA:
      return "BGRA";
    case CL_ARGB:
      return "ARGB";
    case CL_ABGR:
      return "ABGR";
    case CL_INTENSITY:
      return "I";
    case CL_LUMINANCE:
      return "L";
    default:
      return "D";  // CL_DEPTH
  }
}

std::vector<PixelFormat> allFormats() {
  const cl_uint numbers[] = {CL_SNORM_INT8,     CL_SNORM_INT16,   CL_UNORM_INT8,
                             CL_UNORM_INT16,    CL_SIGNED_INT8,   CL_SIGNED_INT16,
                             CL_SIGNED_INT32,   CL_UNSIGNED_INT8, CL_UNSIGNED_INT16,
                             CL_UNSIGNED_INT32, CL_HALF_FLOAT,    CL_FLOAT};
  std::vector<PixelFormat> formats;
  for (const cl_uint type : numbers) {
    for (const cl_uint order : {CL_R, CL_A, CL_RG, CL_RA, CL_RGBA, CL_BGRA, CL_ARGB, CL_ABGR, CL_Rx,
                                CL_RGx, CL_INTENSITY, CL_LUMINANCE})
      formats.push_back({type, static_cast<cl_uint>(order)});
  }
  for (const cl_uint type : {CL_UNORM_INT16, CL_FLOAT})
    formats.push_back({static_cast<cl_uint>(type), CL_DEPTH});
  for (const cl_uint order : {CL_sRGBA, CL_sBGRA, CL_sRGBx})
    formats.push_back({CL_UNORM_INT8, static_cast<cl_uint>(order)});
  for (const cl_uint type : {CL_UNORM_SHORT_565, CL_UNORM_SHORT_555, CL_UNORM_INT_101010})
    for (const cl_uint order : {CL_RGB, CL_RGBx})
      formats.push_back({static_cast<cl_uint>(type), static_cast<cl_uint>(order)});
  formats.push_back({CL_UNORM_INT_101010_2, CL_RGBA});
  formats.push_back({khr::kUnormInt2_101010, CL_ABGR});
  return formats;
}

std::vector<PixelFormat> formatsOfTheDay() {
  constexpr uint64_t kParts = 3;
  std::printf("WEFT_TEST_DAY=%llu\n", static_cast<unsigned long long>(test::testDay()));
  std::vector<PixelFormat> formats;
  uint64_t number = 0;
  for (const PixelFormat& format : allFormats())
    if (test::isOfDay(number++, kParts)) formats.push_back(format);
  return formats;
}

Pixel decode(const PixelFormat& format, const std::byte* element) {
  Pixel pixel{0, 0, 0, 1};
  const std::string stored = format.stored();
  for (size_t k = 0; k < stored.size(); ++k) {
    double value = channel(format, element, k);
    if (format.isSrgb() && k < 3)
      value = static_cast<double>(static_cast<float>(linearOfSrgb(std::round(value * 255) / 255)));
    switch (stored[k]) {
      case 'R':
      case 'D':
        pixel[0] = value;
        break;
      case 'G':
        pixel[1] = value;
        break;
      case 'B':
        pixel[2] = value;
        break;
      case 'A':
        pixel[3] = value;
        break;
      case 'I':
        pixel = {value, value, value, value};
        break;
      case 'L':
        pixel = {value, value, value, 1};
        break;
      default:
        break;
    }
  }
  return pixel;
}

Pixel borderOf(const PixelFormat& format) {
  switch (format.order) {
    case CL_R:
    case CL_RG:
    case CL_RGB:
    case CL_LUMINANCE:
    case CL_DEPTH:
    // For these the conformance suite asks for what the specification does not say.
    case CL_Rx:
    case CL_RGx:
    case CL_RGBx:
    case CL_sRGBx:
      return {0, 0, 0, 1};
    default:
      return {0, 0, 0, 0};
  }
}

::testing::AssertionResult isEncoded(const PixelFormat& format, const Pixel& color,
                                     const std::byte* element) {
  const std::string stored = format.stored();
  for (size_t k = 0; k < stored.size(); ++k) {
    const size_t component = std::string("RGBA").find(stored[k]);
    if (stored[k] == 'x') continue;
    const double wanted = color[component == std::string::npos ? 0 : component];
    if (auto result = holds(format, wanted, element, k); !result) return result;
  }
  return ::testing::AssertionSuccess();
}

Picture::Picture(PixelFormat format, Extent extent, GuardAt guard, uint32_t padding,
                 uint32_t levels, bool isArray)
    : format_(format) {
  header_.format = abi::imageFormat(format.type - 0x10cf, format.order - 0x10af) |
                   (levels > 1 ? abi::kMipmapped : 0);
  header_.channelType = format.type;
  header_.channelOrder = format.order;
  header_.elementBytes = format.elementBytes();
  header_.levelCount = levels;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < levels; ++i) {
    abi::ImageLevel& level = header_.levels[i];
    const auto shrunk = [&](uint32_t size) { return std::max(1u, size >> i); };
    level.width = shrunk(extent.width);
    level.height = shrunk(extent.height);
    level.slices = isArray ? extent.slices : shrunk(extent.slices);
    level.rowPitch = uint64_t{level.width} * header_.elementBytes + padding;
    level.slicePitch = level.rowPitch * level.height + padding;
    level.data = bytes;
    bytes += level.slicePitch * level.slices;
    // Nothing follows the last element.
    if (i + 1 == levels) bytes -= 2 * padding;
  }
  if (abi::isCompact(header_)) header_.format |= abi::kCompact;
  memory_ = std::make_unique<Guarded>(bytes, guard == GuardAt::End);
  for (uint32_t i = 0; i < levels; ++i)
    header_.levels[i].data += reinterpret_cast<uint64_t>(memory_->data());
}

Extent Picture::extent(uint32_t level) const {
  const abi::ImageLevel& found = header_.levels[level];
  return {found.width, found.height, found.slices};
}

std::byte* Picture::at(uint32_t x, uint32_t y, uint32_t z, uint32_t level) {
  const abi::ImageLevel& found = header_.levels[level];
  return reinterpret_cast<std::byte*>(found.data + z * found.slicePitch + y * found.rowPitch +
                                      uint64_t{x} * header_.elementBytes);
}

void Picture::fillAny(std::mt19937& random) {
  for (size_t i = 0; i < size(); ++i) data()[i] = static_cast<std::byte>(random());
}

void Picture::fillTame(std::mt19937& random) {
  fillAny(random);
  std::uniform_real_distribution<float> value(-1, 1);
  if (format_.type == CL_FLOAT) {
    for (size_t i = 0; i + 4 <= size(); i += 4) {
      const float x = value(random);
      std::memcpy(data() + i, &x, 4);
    }
  } else if (format_.type == CL_HALF_FLOAT) {
    for (size_t i = 0; i + 2 <= size(); i += 2) {
      const auto x = static_cast<_Float16>(value(random));
      std::memcpy(data() + i, &x, 2);
    }
  }
}

}  // namespace weft::test
