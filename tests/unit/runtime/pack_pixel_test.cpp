// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft/abi/pack_pixel.h"

#include <CL/cl.h>
#include <CL/cl_half.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "weft/abi/image.h"
#include "weft/khr/image_formats.h"

namespace weft {
namespace {

using Element = std::array<uint8_t, 16>;

uint32_t formatOf(cl_channel_type type, cl_channel_order order) {
  return abi::imageFormat(type - 0x10cf, order - 0x10af);
}

template <class T>
Element pack(cl_channel_type type, cl_channel_order order, const std::array<T, 4>& colour) {
  static_assert(sizeof(T) == sizeof(uint32_t));
  uint32_t bits[4];
  std::memcpy(bits, colour.data(), sizeof bits);
  alignas(16) uint32_t element[4];
  weft_pack_pixel(formatOf(type, order), bits, element);
  Element bytes;
  std::memcpy(bytes.data(), element, sizeof element);
  return bytes;
}

template <class T>
T channel(const Element& element, size_t index) {
  T value;
  std::memcpy(&value, element.data() + index * sizeof(T), sizeof(T));
  return value;
}

/// Values around everything that rounds: ties, limits and what is no number.
std::vector<float> awkwardFloats() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> values{0.0f,   -0.0f, 1.0f,   -1.0f,     2.0f,       -2.0f,
                            1e-40f, 1e30f, -1e30f, kInfinity, -kInfinity, NAN};
  for (const int scale : {31, 63, 127, 255, 1023, 32767, 65535})
    for (int i = 0; i < 8; ++i) {
      const float tie = (static_cast<float>(i * scale / 8) + 0.5f) / static_cast<float>(scale);
      for (const float near : {tie, std::nextafter(tie, 0.0f), std::nextafter(tie, 1.0f)}) {
        values.push_back(near);
        values.push_back(-near);
      }
    }
  std::mt19937 random(7);
  std::uniform_real_distribution<float> range(-1.2f, 1.2f);
  for (int i = 0; i < 2000; ++i) values.push_back(range(random));
  return values;
}

/// The rule of the specification: the preferred conversion.
int64_t normalized(float x, float scale, float low) {
  if (std::isnan(x)) return 0;
  return std::llrint(std::clamp(x * scale, low, scale));
}

/// The sRGB rule of the specification, in double and not yet rounded.
double srgb(float x) {
  double c = std::isnan(x) ? 0.0 : std::clamp(static_cast<double>(x), 0.0, 1.0);
  c = c < 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055;
  return c * 255.0;
}

TEST(PackPixel, NormalizesToEveryWidth) {
  for (const float x : awkwardFloats()) {
    SCOPED_TRACE(x);
    const std::array<float, 4> colour{x, -x, x / 2, 1 - x};
    const Element unorm8 = pack(CL_UNORM_INT8, CL_RGBA, colour);
    const Element snorm8 = pack(CL_SNORM_INT8, CL_RGBA, colour);
    const Element unorm16 = pack(CL_UNORM_INT16, CL_RGBA, colour);
    const Element snorm16 = pack(CL_SNORM_INT16, CL_RGBA, colour);
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(channel<uint8_t>(unorm8, i), normalized(colour[i], 255.0f, 0.0f));
      EXPECT_EQ(channel<int8_t>(snorm8, i), normalized(colour[i], 127.0f, -128.0f));
      EXPECT_EQ(channel<uint16_t>(unorm16, i), normalized(colour[i], 65535.0f, 0.0f));
      EXPECT_EQ(channel<int16_t>(snorm16, i), normalized(colour[i], 32767.0f, -32768.0f));
    }
  }
}

TEST(PackPixel, PacksSeveralChannelsIntoANumber) {
  for (const float x : awkwardFloats()) {
    SCOPED_TRACE(x);
    const std::array<float, 4> colour{x, -x, x / 2, 1 - x};
    const auto bits = [&](size_t i, float scale) { return normalized(colour[i], scale, 0.0f); };
    for (const cl_channel_order order : {CL_RGB, CL_RGBx}) {
      EXPECT_EQ(channel<uint16_t>(pack(CL_UNORM_SHORT_565, order, colour), 0),
                bits(0, 31) << 11 | bits(1, 63) << 5 | bits(2, 31));
      EXPECT_EQ(channel<uint16_t>(pack(CL_UNORM_SHORT_555, order, colour), 0),
                bits(0, 31) << 10 | bits(1, 31) << 5 | bits(2, 31));
      EXPECT_EQ(channel<uint32_t>(pack(CL_UNORM_INT_101010, order, colour), 0),
                bits(0, 1023) << 20 | bits(1, 1023) << 10 | bits(2, 1023));
    }
    EXPECT_EQ(channel<uint32_t>(pack(CL_UNORM_INT_101010_2, CL_RGBA, colour), 0),
              bits(0, 1023) << 22 | bits(1, 1023) << 12 | bits(2, 1023) << 2 | bits(3, 3));
    EXPECT_EQ(channel<uint32_t>(pack(khr::kUnormInt2_101010, CL_ABGR, colour), 0),
              bits(3, 3) << 30 | bits(2, 1023) << 20 | bits(1, 1023) << 10 | bits(0, 1023));
  }
}

TEST(PackPixel, RoundsHalvesToNearestEven) {
  std::mt19937 random(3);
  std::vector<float> values = awkwardFloats();
  for (int i = 0; i < 20000; ++i)
    values.push_back(std::bit_cast<float>(static_cast<uint32_t>(random())));
  for (const float x : values) {
    const Element element = pack(CL_HALF_FLOAT, CL_RG, std::array<float, 4>{1.0f, x, 2.0f, 3.0f});
    EXPECT_EQ(channel<uint16_t>(element, 0), 0x3c00);
    const auto half = channel<uint16_t>(element, 1);
    if (std::isnan(x))
      EXPECT_GT(half & 0x7fff, 0x7c00);
    else
      EXPECT_EQ(half, cl_half_from_float(x, CL_HALF_RTE)) << x;
  }
}

TEST(PackPixel, KeepsFloatsAndSaturatesIntegers) {
  const std::array<float, 4> floats{1.5f, -1e38f, 1e-42f, -0.0f};
  const Element kept = pack(CL_FLOAT, CL_RGBA, floats);
  EXPECT_EQ(std::memcmp(kept.data(), floats.data(), sizeof floats), 0);

  const std::array<int32_t, 4> ints{INT32_MIN, -129, 128, INT32_MAX};
  const Element int8 = pack(CL_SIGNED_INT8, CL_RGBA, ints);
  const Element int16 = pack(CL_SIGNED_INT16, CL_RGBA, ints);
  const Element int32 = pack(CL_SIGNED_INT32, CL_RGBA, ints);
  const std::array<uint32_t, 4> uints{0, 255, 256, UINT32_MAX};
  const Element uint8 = pack(CL_UNSIGNED_INT8, CL_RGBA, uints);
  const Element uint16 = pack(CL_UNSIGNED_INT16, CL_RGBA, uints);
  const Element uint32 = pack(CL_UNSIGNED_INT32, CL_RGBA, uints);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(channel<int8_t>(int8, i), std::clamp(ints[i], -128, 127));
    EXPECT_EQ(channel<int16_t>(int16, i), std::clamp(ints[i], -32768, 32767));
    EXPECT_EQ(channel<int32_t>(int32, i), ints[i]);
    EXPECT_EQ(channel<uint8_t>(uint8, i), std::min(uints[i], 255u));
    EXPECT_EQ(channel<uint16_t>(uint16, i), std::min(uints[i], 65535u));
    EXPECT_EQ(channel<uint32_t>(uint32, i), uints[i]);
  }
}

TEST(PackPixel, EncodesSrgbButNotAlpha) {
  std::vector<float> values = awkwardFloats();
  for (int k = 0; k < 256; ++k) {
    // Where one channel value gives way to the next.
    const double edge = (k + 0.5) / 255.0;
    const double linear =
        edge <= 0.040449936 ? edge / 12.92 : std::pow((edge + 0.055) / 1.055, 2.4);
    float near = static_cast<float>(linear) * (1 - 4e-7f);
    for (int i = 0; i < 20; ++i) values.push_back(near = std::nextafter(near, 1.0f));
  }
  for (int k = 0; k < 200'000; ++k) values.push_back(static_cast<float>(k) / 200'000);
  for (const float x : values) {
    SCOPED_TRACE(x);
    const std::array<float, 4> colour{x, x / 3, x * x, x};
    const Element rgba = pack(CL_UNORM_INT8, CL_sRGBA, colour);
    const Element bgra = pack(CL_UNORM_INT8, CL_sBGRA, colour);
    for (size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(static_cast<double>(rgba[i]), srgb(colour[i]), 0.51) << "0.6 is allowed";
    EXPECT_EQ(rgba[3], normalized(x, 255.0f, 0.0f));
    const Element swapped{rgba[2], rgba[1], rgba[0], rgba[3]};
    EXPECT_TRUE(std::equal(swapped.begin(), swapped.begin() + 4, bgra.begin()));
  }
}

TEST(PackPixel, StoresChannelsInTheirOrder) {
  struct Row {
    cl_channel_order order;
    std::vector<uint8_t> stored;
  };
  const Row rows[] = {
      {CL_R, {1}},
      {CL_A, {4}},
      {CL_RG, {1, 2}},
      {CL_RA, {1, 4}},
      {CL_RGBA, {1, 2, 3, 4}},
      {CL_BGRA, {3, 2, 1, 4}},
      {CL_ARGB, {4, 1, 2, 3}},
      {CL_ABGR, {4, 3, 2, 1}},
      {CL_INTENSITY, {1}},
      {CL_LUMINANCE, {1}},
      {CL_Rx, {1}},
      {CL_RGx, {1, 2}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.order);
    const Element element = pack(CL_UNSIGNED_INT8, row.order, std::array<uint32_t, 4>{1, 2, 3, 4});
    EXPECT_EQ(std::vector<uint8_t>(element.begin(), element.begin() + row.stored.size()),
              row.stored);
  }
}

TEST(PackPixel, ReadsOneFloatOfADepth) {
  // Under a sanitizer a second one would be beyond the end.
  const auto depth = std::make_unique<uint32_t[]>(1);
  depth[0] = std::bit_cast<uint32_t>(0.25f);
  uint32_t element[4];
  weft_pack_pixel(formatOf(CL_FLOAT, CL_DEPTH), depth.get(), element);
  EXPECT_EQ(element[0], depth[0]);
  weft_pack_pixel(formatOf(CL_UNORM_INT16, CL_DEPTH), depth.get(), element);
  EXPECT_EQ(element[0] & 0xffff, 16384u);
}

}  // namespace
}  // namespace weft
