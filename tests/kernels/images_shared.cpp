// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads of formats whose elements are several pixels, next to a page that nobody may touch.
#include <algorithm>
#include <random>

#include "pictures.h"
#include "support/shared_pixels.h"

namespace weft::test {
namespace {

using Uint4 = std::array<uint32_t, 4>;

constexpr const char* kSource = R"(
  kernel void read(read_only image2d_t image, sampler_t how, global uint4* plain,
                   global int4* fetched, global uint4* sampled, global int4* beyond) {
    int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
    size_t i = get_global_linear_id();
    plain[i] = read_imageui(image, at);
    fetched[i] = read_imagei(image, at);
    sampled[i] = read_imageui(image, how, convert_float2(at) + 0.25f);
    beyond[i] = read_imagei(image, how, at * 3 - 5);
  }
  kernel void describe(read_only image2d_t image, global int* said) {
    said[0] = get_image_channel_data_type(image);
    said[1] = get_image_channel_order(image) == CLK_R;
    said[2] = CLK_UNSIGNED_INT_RAW10_EXT;
    said[3] = CLK_UNSIGNED_INT_RAW12_EXT;
  }
  // What floats are read is not defined: that nothing else is touched is.
  kernel void floats(read_only image2d_t image, sampler_t how, global int* done) {
    int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
    float4 sum = read_imagef(image, at) + read_imagef(image, how, convert_float2(at * 5 - 9));
    done[get_global_linear_id()] = sum.x == sum.x;
  }
)";
constexpr uint64_t kClamp = 0x10 | 4, kLinear = 0x20 | 4;
constexpr uint32_t kWidth = 52, kHeight = 3;

class ImagesOfSharedElements : public testing::TestWithParam<GuardAt> {
 protected:
  struct Fixture {
    Fixture(const SharedFormat& format, GuardAt guard)
        : rowPitch(format.rowBytes(kWidth) + 7),
          memory(rowPitch * (kHeight - 1) + format.rowBytes(kWidth), guard == GuardAt::End) {
      std::mt19937 random(11);
      for (uint32_t y = 0; y < kHeight; ++y) {
        std::vector<uint32_t> row(kWidth);
        for (uint32_t& pixel : row) pixel = random() & ((1u << format.bits) - 1);
        const std::vector<std::byte> packed = packShared(format, row);
        std::ranges::copy(packed, memory.data() + y * rowPitch);
        rows.push_back(std::move(row));
      }
      header.format =
          abi::imageFormat(format.type - abi::kFirstChannelType, CL_R - abi::kFirstChannelOrder);
      header.channelType = format.type;
      header.channelOrder = CL_R;
      header.elementBytes = 1;
      header.levelCount = 1;
      header.levels[0] = {reinterpret_cast<uint64_t>(memory.data()),
                          rowPitch,
                          rowPitch * kHeight,
                          kWidth,
                          kHeight,
                          1,
                          0};
      if (abi::isCompact(header)) header.format |= abi::kCompact;
    }
    Uint4 at(int64_t x, int64_t y) const {
      const bool inside = x >= 0 && x < kWidth && y >= 0 && y < kHeight;
      if (!inside) return {0, 0, 0, 1};
      return {rows[static_cast<size_t>(y)][static_cast<size_t>(x)], 0, 0, 1};
    }
    size_t rowPitch;
    Guarded memory;
    std::vector<std::vector<uint32_t>> rows;
    abi::Image header{};
  };
};

TEST_P(ImagesOfSharedElements, PixelsAreRead) {
  const Program program = build(kSource, "-cl-std=CL3.0");
  for (const SharedFormat& format : kSharedFormats) {
    SCOPED_TRACE(format.bits);
    Fixture image(format, GetParam());
    std::vector<Uint4> plain(kWidth * kHeight), fetched(plain), sampled(plain), beyond(plain);
    Launch launch(program, "read");
    launch.range({kWidth, kHeight})
        .image(image.header, image.memory.data(), image.memory.size())
        .value(kClamp)
        .buffer(plain)
        .buffer(fetched)
        .buffer(sampled)
        .buffer(beyond);
    launch.inEveryForm([&](const Outcome&) {
      for (int64_t y = 0; y < kHeight; ++y)
        for (int64_t x = 0; x < kWidth; ++x) {
          const auto i = static_cast<size_t>(y * kWidth + x);
          ASSERT_EQ(plain[i], image.at(x, y)) << x << ", " << y;
          ASSERT_EQ(fetched[i], image.at(x, y)) << x << ", " << y;
          ASSERT_EQ(sampled[i], image.at(x, y)) << x << ", " << y;
          ASSERT_EQ(beyond[i], image.at(x * 3 - 5, y * 3 - 5)) << x << ", " << y;
        }
    });
  }
}

TEST_P(ImagesOfSharedElements, OtherReadsStayInside) {
  const Program program = build(kSource, "-cl-std=CL3.0");
  for (const SharedFormat& format : kSharedFormats)
    for (const uint64_t sampler : {kClamp, kLinear}) {
      Fixture image(format, GetParam());
      std::vector<int32_t> done(kWidth * kHeight);
      Launch launch(program, "floats");
      launch.range({kWidth, kHeight})
          .image(image.header, image.memory.data(), image.memory.size())
          .value(sampler)
          .buffer(done);
      launch.inEveryForm(
          [&](const Outcome&) { EXPECT_EQ(std::ranges::count(done, 1), std::ssize(done)); });
    }
}

TEST_P(ImagesOfSharedElements, Queries) {
  const Program program = build(kSource, "-cl-std=CL3.0");
  for (const SharedFormat& format : kSharedFormats) {
    Fixture image(format, GetParam());
    std::vector<int32_t> said(4);
    Launch launch(program, "describe");
    launch.range(1).image(image.header, image.memory.data(), image.memory.size()).buffer(said);
    launch.inEveryForm([&](const Outcome&) {
      EXPECT_EQ(said, (std::vector<int32_t>{static_cast<int32_t>(format.type), 1, 0x10E3, 0x10E4}));
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Every, ImagesOfSharedElements,
                         testing::Values(GuardAt::Begin, GuardAt::End));

}  // namespace
}  // namespace weft::test
