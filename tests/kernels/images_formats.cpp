// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels read and write of every format.
#include <algorithm>
#include <bit>
#include <cmath>

#include "pictures.h"

namespace weft::test {
namespace {

using Float4 = std::array<float, 4>;
using Int4 = std::array<int32_t, 4>;
using Uint4 = std::array<uint32_t, 4>;
using Half4 = std::array<uint16_t, 4>;

constexpr const char* kSource = R"(
  #pragma OPENCL EXTENSION cl_khr_fp16 : enable
  #define READ(f, T)                                                                       \
    kernel void read_##f(read_only image2d_t image, sampler_t how, global T* plain,        \
                         global T* sampled) {                                              \
      int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));                      \
      size_t i = get_global_linear_id();                                                   \
      plain[i] = read_image##f(image, at);                                                 \
      sampled[i] = read_image##f(image, how, at);                                          \
    }                                                                                      \
    kernel void write_##f(write_only image2d_t image, global const T* colors) {            \
      int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));                      \
      write_image##f(image, at, colors[get_global_linear_id()]);                           \
    }
  READ(f, float4)
  READ(i, int4)
  READ(ui, uint4)
  READ(h, half4)
  kernel void read_depth(read_only image2d_depth_t image, sampler_t how, global float* plain,
                         global float* sampled) {
    int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
    size_t i = get_global_linear_id();
    plain[i] = read_imagef(image, at);
    sampled[i] = read_imagef(image, how, at);
  }
  kernel void copy(read_only image2d_t in, write_only image2d_t out) {
    int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
    write_imagef(out, at, read_imagef(in, at));
  }
  kernel void write_depth(write_only image2d_depth_t image, global const float* colors) {
    int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
    write_imagef(image, at, colors[get_global_linear_id()]);
  }
)";
constexpr uint64_t kNearest = 0x10 | 2;
constexpr Extent kExtent{37, 3, 1};

Program program() { return build(kSource, "-cl-std=CL3.0"); }

bool isSame(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Linear values of sRGB: nothing and all exactly, the others as well as floats, or halfs, of a
/// polynomial are. The specification has 2^-9 for the largest.
template <class T>
bool isLinear(double got, double wanted) {
  if (wanted == 0 || wanted == 1) return got == wanted;
  return std::abs(got - wanted) <= wanted * (std::is_same_v<T, Half4> ? 0x1p-10 : 5e-6);
}

/// Reads all of a picture by two functions and compares components by `value`.
template <class T, class Value>
void checkReads(const char* kernel, Picture& picture, const Value& value) {
  const Extent extent = picture.extent();
  std::vector<T> plain(size_t{extent.width} * extent.height), sampled(plain.size());
  Launch launch(program(), kernel);
  give(launch.range({extent.width, extent.height}), picture)
      .value(kNearest)
      .buffer(plain)
      .buffer(sampled);
  // A signalling NaN may stay one where conversions cancel out, and need not.
  if (std::is_same_v<T, Half4>) launch.unordered();
  launch.formsTakeTurns().inEveryForm([&](const Outcome&) {
    for (uint32_t y = 0; y < extent.height; ++y)
      for (uint32_t x = 0; x < extent.width; ++x) {
        const Pixel wanted = picture.pixel(x, y, 0);
        for (const auto& got : {plain[y * extent.width + x], sampled[y * extent.width + x]})
          for (size_t c = 0; c < got.size(); ++c)
            ASSERT_TRUE(picture.format().isSrgb() ? isLinear<T>(value(got[c]), value(wanted[c]))
                                                  : isSame(value(got[c]), value(wanted[c])))
                << picture.format().name() << " at " << x << ", " << y << " component " << c << ": "
                << value(got[c]) << " instead of " << wanted[c];
      }
  });
}

TEST(Images, EveryFormatIsRead) {
  std::mt19937 random(1);
  const auto asDouble = [](auto x) { return static_cast<double>(x); };
  for (const PixelFormat& format : formatsOfTheDay()) {
    SCOPED_TRACE(format.name());
    Picture picture(format, kExtent, GuardAt::End, 3);
    picture.fillAny(random);
    switch (format.kind()) {
      case PixelKind::Signed:
        checkReads<Int4>("read_i", picture, asDouble);
        break;
      case PixelKind::Unsigned:
        checkReads<Uint4>("read_ui", picture, asDouble);
        break;
      default:
        if (format.order == CL_DEPTH)
          checkReads<std::array<float, 1>>("read_depth", picture, asDouble);
        else
          checkReads<Float4>("read_f", picture, asDouble);
    }
    if (HasFatalFailure()) return;
  }
}

TEST(Images, EverySrgbByteIsReadAndComesBack) {
  const PixelFormat format{CL_UNORM_INT8, CL_sRGBA};
  const Extent extent{256, 1, 1};
  Picture picture(format, extent, GuardAt::End), copy(format, extent, GuardAt::End);
  for (uint32_t x = 0; x < 256; ++x)
    for (size_t c = 0; c < 4; ++c) picture.at(x, 0, 0)[c] = static_cast<std::byte>(x);
  checkReads<Float4>("read_f", picture, [](auto x) { return static_cast<double>(x); });
  Launch launch(program(), "copy");
  give(give(launch.range({256, 1}), picture), copy);
  launch.formsTakeTurns().inEveryForm([&](const Outcome&) {
    EXPECT_TRUE(std::equal(picture.data(), picture.data() + picture.size(), copy.data()));
  });
}

/// Bits of halfs as the floats they are, and floats rounded to halfs.
struct HalfValue {
  double operator()(uint16_t bits) const {
    return static_cast<double>(static_cast<float>(std::bit_cast<_Float16>(bits)));
  }
  double operator()(double x) const {
    return static_cast<double>(static_cast<float>(static_cast<_Float16>(static_cast<float>(x))));
  }
};

TEST(Images, ReadAsHalf) {
  std::mt19937 random(2);
  for (const cl_uint type : {CL_UNORM_INT8, CL_SNORM_INT16, CL_HALF_FLOAT, CL_FLOAT}) {
    Picture picture({static_cast<cl_uint>(type), CL_RGBA}, kExtent);
    picture.fillAny(random);
    checkReads<Half4>("read_h", picture, HalfValue{});
  }
}

/// Colours around what formats can hold, and any others.
template <class T>
std::vector<std::array<T, 4>> colorsFor(const PixelFormat& format, std::mt19937& random) {
  std::vector<std::array<T, 4>> colors(size_t{kExtent.width} * kExtent.height);
  if constexpr (std::is_same_v<T, float>) {
    const float special[] = {0.0f,         -0.0f,    1.0f,     -1.0f,     2.0f,   -2.0f,
                             0.5f,         NAN,      INFINITY, -INFINITY, 1e-42f, 65504.0f,
                             65520.0f,     65519.0f, 3e38f,    -3e38f,    1e-8f,  0.0031308f,
                             127.5f / 255, -0.5f,    1.0f / 3};
    std::uniform_real_distribution<float> tame(-1.1f, 1.1f);
    for (auto& color : colors)
      for (float& c : color)
        c = random() % 4 == 0 ? special[random() % std::size(special)] : tame(random);
  } else {
    for (auto& color : colors)
      for (T& c : color) {
        c = static_cast<T>(random());
        c = static_cast<T>(c >> (random() % 32));
      }
  }
  (void)format;
  return colors;
}

template <class T>
void checkWrites(const char* kernel, const PixelFormat& format, std::mt19937& random) {
  auto colors = colorsFor<T>(format, random);
  Picture picture(format, kExtent, GuardAt::Begin, 5);
  picture.fillAny(random);
  std::vector<std::byte> before(picture.data(), picture.data() + picture.size());
  Launch launch(program(), kernel);
  give(launch.range({kExtent.width, kExtent.height}), picture).buffer(colors);
  launch.formsTakeTurns().inEveryForm([&](const Outcome&) {
    for (uint32_t y = 0; y < kExtent.height; ++y) {
      for (uint32_t x = 0; x < kExtent.width; ++x) {
        Pixel color;
        std::ranges::copy(colors[y * kExtent.width + x], color.begin());
        ASSERT_TRUE(isEncoded(format, color, picture.at(x, y, 0))) << "at " << x << ", " << y;
      }
      // What lies between rows is not the image's.
      if (y + 1 == kExtent.height) break;
      const auto gap = static_cast<size_t>(picture.at(0, y + 1, 0) - picture.data()) - 5;
      for (size_t i = gap; i < gap + 5; ++i) ASSERT_EQ(picture.data()[i], before[i]);
    }
  });
}

TEST(Images, EveryFormatIsWritten) {
  std::mt19937 random(3);
  for (const PixelFormat& format : formatsOfTheDay()) {
    SCOPED_TRACE(format.name());
    switch (format.kind()) {
      case PixelKind::Signed:
        checkWrites<int32_t>("write_i", format, random);
        break;
      case PixelKind::Unsigned:
        checkWrites<uint32_t>("write_ui", format, random);
        break;
      default:
        if (format.order != CL_DEPTH) checkWrites<float>("write_f", format, random);
    }
    if (HasFatalFailure()) return;
  }
}

TEST(Images, DepthIsWritten) {
  std::mt19937 random(4);
  for (const cl_uint type : {CL_UNORM_INT16, CL_FLOAT}) {
    const PixelFormat format{static_cast<cl_uint>(type), CL_DEPTH};
    std::vector<float> colors;
    for (const Float4& color : colorsFor<float>(format, random)) colors.push_back(color[0]);
    Picture picture(format, kExtent);
    Launch launch(program(), "write_depth");
    give(launch.range({kExtent.width, kExtent.height}), picture).buffer(colors);
    launch.formsTakeTurns().inEveryForm([&](const Outcome&) {
      for (uint32_t i = 0; i < colors.size(); ++i)
        ASSERT_TRUE(isEncoded(format, {static_cast<double>(colors[i]), 0, 0, 0},
                              picture.at(i % kExtent.width, i / kExtent.width, 0)));
    });
  }
}

TEST(Images, WrittenAsHalf) {
  std::mt19937 random(5);
  for (const cl_uint type : {CL_UNORM_INT8, CL_HALF_FLOAT, CL_FLOAT}) {
    const PixelFormat format{static_cast<cl_uint>(type), CL_BGRA};
    std::vector<Half4> colors(size_t{kExtent.width} * kExtent.height);
    for (Half4& color : colors)
      for (uint16_t& c : color) c = static_cast<uint16_t>(random());
    Picture picture(format, kExtent);
    Launch launch(program(), "write_h");
    launch.unordered();  // as above
    give(launch.range({kExtent.width, kExtent.height}), picture).buffer(colors);
    launch.formsTakeTurns().inEveryForm([&](const Outcome&) {
      for (uint32_t i = 0; i < colors.size(); ++i) {
        Pixel color;
        std::ranges::transform(colors[i], color.begin(), HalfValue{});
        ASSERT_TRUE(isEncoded(format, color, picture.at(i % kExtent.width, i / kExtent.width, 0)));
      }
    });
  }
}

}  // namespace
}  // namespace weft::test
