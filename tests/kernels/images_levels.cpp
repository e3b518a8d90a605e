// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mipmapped images: levels of detail, gradients, writes to levels.
#include <algorithm>
#include <bit>
#include <cmath>

#include "pictures.h"

namespace weft::test {
namespace {

using Float4 = std::array<float, 4>;

constexpr uint64_t kNearestEdge = 0x10 | 2 | 1, kLinearEdge = 0x20 | 2 | 1,
                   kLinearLevels = abi::kSamplerLinearLevels;

uint64_t limits(float least, float most) {
  const auto bits = [](float x) {
    return uint64_t{std::bit_cast<uint16_t>(static_cast<_Float16>(x))};
  };
  return bits(least) << abi::kSamplerLodMinShift | bits(most) << abi::kSamplerLodMaxShift;
}

/// The level nearest to what is asked for, or two and the weight of the second.
struct Levels {
  uint32_t first, second;
  double weight;
};
Levels levelsFor(const Picture& picture, uint64_t how, float lod, float least = 0,
                 float most = 100) {
  const float last = static_cast<float>(picture.header().levelCount - 1);
  lod = std::isnan(lod) ? least : std::clamp(lod, least, most);
  lod = std::clamp(lod, 0.0f, last);
  if (how & kLinearLevels) {
    const float whole = std::floor(lod);
    const auto first = static_cast<uint32_t>(whole);
    return {first, std::min(first + 1, static_cast<uint32_t>(last)),
            static_cast<double>(lod - whole)};
  }
  const auto level = static_cast<uint32_t>(std::max(0.0f, std::ceil(lod + 0.5f) - 1));
  return {level, level, 0};
}

/// Of a plane or volume, with coordinates in [0, 1] and the filter of `how`.
Pixel sampleOf(Picture& picture, uint32_t level, uint64_t how, const Float4& at, uint32_t layer) {
  const Extent extent = picture.extent(level);
  const auto place = [](float s, uint32_t size, uint64_t filter, double& weight) {
    const float u = s * static_cast<float>(size);
    if (filter & 0x10) {
      weight = 0;
      return static_cast<int64_t>(std::floor(u));
    }
    weight = static_cast<double>(u - 0.5f - std::floor(u - 0.5f));
    return static_cast<int64_t>(std::floor(u - 0.5f));
  };
  double a = 0, b = 0;
  const int64_t x = place(at[0], extent.width, how, a), y = place(at[1], extent.height, how, b);
  const auto edge = [](int64_t i, uint32_t size) {
    return static_cast<uint32_t>(std::clamp<int64_t>(i, 0, size - 1));
  };
  Pixel sum{};
  for (const int j : {0, 1})
    for (const int i : {0, 1}) {
      const Pixel element =
          picture.pixel(edge(x + i, extent.width), edge(y + j, extent.height), layer, level);
      for (size_t c = 0; c < 4; ++c) sum[c] += (i ? a : 1 - a) * (j ? b : 1 - b) * element[c];
    }
  return sum;
}

void checkNear(const Pixel& wanted, const Float4& got, const std::string& what) {
  for (size_t c = 0; c < 4; ++c) ASSERT_NEAR(static_cast<double>(got[c]), wanted[c], 1e-5) << what;
}

constexpr const char* kPlanes = R"(
  kernel void lods(read_only image2d_t image, sampler_t how, global const float4* at,
                   global const float* lod, global float4* out) {
    size_t i = get_global_id(0);
    out[i] = read_imagef(image, how, at[i].xy, lod[i]);
  }
  kernel void layers(read_only image2d_array_t image, sampler_t how, global const float4* at,
                     global const float* lod, global float4* out) {
    size_t i = get_global_id(0);
    out[i] = read_imagef(image, how, at[i], lod[i]);
  }
  kernel void gradients(read_only image2d_t image, sampler_t how, global const float4* at,
                        global const float4* slopes, global float4* out) {
    size_t i = get_global_id(0);
    out[i] = read_imagef(image, how, at[i].xy, slopes[i].xy, slopes[i].zw);
  }
)";
constexpr const char* kOptions = "-cl-std=CL3.0";
constexpr PixelFormat kFloats{CL_FLOAT, CL_RGBA};

class Levels2D : public ::testing::Test {
 protected:
  Levels2D() {
    picture_.fillTame(random_);
    layers_.fillTame(random_);
    std::uniform_real_distribution<float> place(-0.2f, 1.2f), level(-1, 7);
    const float special[] = {NAN, INFINITY, -INFINITY, 0, 0.5f, 1.5f, 1, 2, 5, 100, -100};
    for (size_t i = 0; i < at_.size(); ++i) {
      at_[i] = {place(random_), place(random_), place(random_) * 4, 0};
      lod_[i] = i % 3 == 0 ? special[random_() % std::size(special)] : level(random_);
    }
  }

  std::mt19937 random_{11};
  Picture picture_{kFloats, {37, 18, 1}, GuardAt::End, 0, 6};
  Picture layers_{kFloats, {20, 9, 3}, GuardAt::End, 0, 5, true};
  std::vector<Float4> at_ = std::vector<Float4>(200), out_ = at_;
  std::vector<float> lod_ = std::vector<float>(200);
};

TEST_F(Levels2D, AtLevelsOfDetail) {
  for (const char* kernel : {"lods", "layers"})
    for (const uint64_t how :
         {kNearestEdge, kLinearEdge, kNearestEdge | kLinearLevels, kLinearEdge | kLinearLevels}) {
      SCOPED_TRACE(std::string(kernel) + " sampler " + std::to_string(how));
      const bool isArray = kernel == std::string_view("layers");
      Picture& picture = isArray ? layers_ : picture_;
      Launch launch(build(kPlanes, kOptions), kernel);
      give(launch.range(at_.size()), picture).value(how).buffer(at_).buffer(lod_).buffer(out_);
      launch.inEveryForm([&](const Outcome&) {
        for (size_t i = 0; i < at_.size(); ++i) {
          const Levels levels = levelsFor(picture, how, lod_[i]);
          const auto layer = static_cast<uint32_t>(std::clamp(std::rint(at_[i][2]), 0.0f, 2.0f));
          Pixel wanted{};
          const Pixel first = sampleOf(picture, levels.first, how, at_[i], isArray ? layer : 0);
          const Pixel second = sampleOf(picture, levels.second, how, at_[i], isArray ? layer : 0);
          for (size_t c = 0; c < 4; ++c)
            wanted[c] = first[c] * (1 - levels.weight) + second[c] * levels.weight;
          checkNear(wanted, out_[i], "lod " + std::to_string(lod_[i]));
          if (HasFatalFailure()) return;
        }
      });
    }
}

TEST_F(Levels2D, WithinLimitsOfTheSampler) {
  for (const auto& [least, most] :
       {std::pair{1.0f, 3.0f}, {2.0f, 0.0f}, {0.0f, 1.0f}, {3.0f, 1.0f}, {40.0f, 50.0f}}) {
    const uint64_t how = kNearestEdge | limits(least, most);
    Launch launch(build(kPlanes, kOptions), "lods");
    give(launch.range(at_.size()), picture_).value(how).buffer(at_).buffer(lod_).buffer(out_);
    launch.inEveryForm([&](const Outcome&) {
      if (least > most && most != 0) return;  // only harmless
      for (size_t i = 0; i < at_.size(); ++i) {
        const Levels levels = levelsFor(picture_, how, lod_[i], least, most == 0 ? 100 : most);
        checkNear(sampleOf(picture_, levels.first, how, at_[i], 0), out_[i],
                  "lod " + std::to_string(lod_[i]));
        if (HasFatalFailure()) return;
      }
    });
  }
}

/// Slopes of powers of two have levels that rounding cannot change.
TEST_F(Levels2D, ByGradients) {
  std::vector<Float4> slopes(at_.size());
  std::vector<float> lods(at_.size());
  for (size_t i = 0; i < slopes.size(); ++i) {
    const auto step = static_cast<float>(1u << i % 8);
    lods[i] = static_cast<float>(i % 8);
    slopes[i] = {step / 37, 0, 0, step / 2 / 18};
    if (i % 3 == 1) slopes[i] = {0, -step / 4 / 18, 0, step / 18};
    if (i % 3 == 2) slopes[i] = {0.6f * step / 37, 0.8f * step / 18, 0, 0};
    if (i % 11 == 5) {
      slopes[i] = {0, 0, 0, 0};
      lods[i] = 0;
    }
  }
  Launch launch(build(kPlanes, kOptions), "gradients");
  give(launch.range(at_.size()), picture_)
      .value(kNearestEdge)
      .buffer(at_)
      .buffer(slopes)
      .buffer(out_);
  launch.inEveryForm([&](const Outcome&) {
    for (size_t i = 0; i < at_.size(); ++i) {
      const Levels levels = levelsFor(picture_, kNearestEdge, lods[i]);
      checkNear(sampleOf(picture_, levels.first, kNearestEdge, at_[i], 0), out_[i],
                "lod " + std::to_string(lods[i]));
      if (HasFatalFailure()) return;
    }
  });
}

/// Coordinates without a level name the first.
TEST_F(Levels2D, WithoutALevel) {
  const auto program = build(R"(
    kernel void k(read_only image2d_t image, global uint4* out, write_only image2d_t other) {
      int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
      uint4 pixel = read_imageui(image, at);
      out[get_global_linear_id()] = pixel;
      write_imageui(other, at, pixel);
    })",
                             kOptions);
  const PixelFormat format{CL_UNSIGNED_INT32, CL_RGBA};
  Picture in(format, {8, 4, 1}, GuardAt::End, 0, 4), out(format, {8, 4, 1}, GuardAt::End, 0, 4);
  in.fillAny(random_);
  out.fillAny(random_);
  const std::vector<std::byte> before(out.data(), out.data() + out.size());
  std::vector<std::array<uint32_t, 4>> read(32);
  Launch launch(program, "k");
  give(give(launch.range({8, 4}), in).buffer(read), out);
  launch.inEveryForm([&](const Outcome&) {
    EXPECT_EQ(std::memcmp(read.data(), in.data(), 512), 0);
    EXPECT_EQ(std::memcmp(out.data(), in.data(), 512), 0);
    EXPECT_TRUE(std::equal(before.begin() + 512, before.end(), out.data() + 512));
  });
}

TEST(ImageLevels, AreWritten) {
  struct Case {
    const char* type;
    const char* at;
    Extent extent;
    bool isArray;
  };
  const Case cases[] = {{"image1d_t", "(int)get_global_id(0)", {16, 1, 1}, false},
                        {"image1d_array_t", "at.xz", {16, 1, 3}, true},
                        {"image2d_t", "at.xy", {16, 8, 1}, false},
                        {"image2d_array_t", "at", {16, 8, 3}, true},
                        {"image3d_t", "at", {16, 8, 4}, false}};
  std::mt19937 random(12);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.type);
    const auto program = build(std::string("kernel void k(write_only ") + c.type + R"( image) {
        int4 at = (int4)((int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2), 0);
        for (int level = -1; level < 7; ++level)
          write_imageui(image, )" + c.at +
                                   R"(, level, (uint4)(at.x, at.y, at.z, level));
      })",
                               kOptions);
    Picture picture({CL_UNSIGNED_INT8, CL_RGBA}, c.extent, GuardAt::End, 0, 5, c.isArray);
    picture.fillAny(random);
    Launch launch(program, "k");
    give(launch.range({17, c.extent.height, c.extent.slices}), picture);
    launch.inEveryForm([&](const Outcome&) {
      for (uint32_t level = 0; level < 5; ++level) {
        const Extent extent = picture.extent(level);
        for (uint32_t z = 0; z < extent.slices; ++z)
          for (uint32_t y = 0; y < extent.height; ++y)
            for (uint32_t x = 0; x < extent.width; ++x) {
              const Pixel pixel = picture.pixel(x, y, z, level);
              ASSERT_EQ(pixel[0], x);
              if (c.extent.height > 1) ASSERT_EQ(pixel[1], y);
              if (c.extent.slices > 1) ASSERT_EQ(pixel[2], z);
              ASSERT_EQ(pixel[3], level);
            }
      }
    });
  }
}

}  // namespace
}  // namespace weft::test
