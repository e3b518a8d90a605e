// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code for the formats and samplers of a launch does what code for all of them does, which is the
// first that the harness runs.
#include <algorithm>

#include "pictures.h"
#include "support/test_day.h"

namespace weft::test {
namespace {

using Float4 = std::array<float, 4>;

constexpr Extent kExtent{67, 9, 1};
constexpr uint64_t kLinearClamp = 0x20 | 4, kNearestEdge = 0x10 | 2, kLinearRepeat = 0x20 | 7;

/// A program that no other test has used up the variants of.
Program programOf(const std::string& source, size_t number) {
  return build(source, "-cl-std=CL3.0 -DNUMBER=" + std::to_string(number));
}

const char* suffixOf(const PixelFormat& format) {
  switch (format.kind()) {
    case PixelKind::Signed:
      return "i";
    case PixelKind::Unsigned:
      return "ui";
    case PixelKind::Float:
      break;
  }
  return "f";
}

constexpr const char* kFilters = R"(
  #define FILTERS(f, T, image_t, C, COLOR)                                                   \
    kernel void taps_##f(read_only image_t in, sampler_t how, write_only image_t out) {      \
      int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));                        \
      T sum = 0;                                                                             \
      for (int i = -2; i < 3; ++i) sum += read_image##f(in, how, at + (int2)(i, 1)) / (T)4;  \
      write_image##f(out, at - (int2)(1, 0), sum);                                           \
    }                                                                                        \
    kernel void moved_##f(read_only image_t in, sampler_t how, write_only image_t out) {     \
      int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));                        \
      float2 from = (float2)(at.x * 0.75f - 1.25f, at.y + at.x * 0.1f);                      \
      if (((ulong)NUMBER & 1) != 0) from /= (float2)(67, 9);                                 \
      T colour = read_image##f(in, how, from);                                               \
      if ((at.x & 7) != 3) write_image##f(out, at, colour);                                  \
    }
  FILTERS(f, float4, image2d_t, float4, )
  FILTERS(i, int4, image2d_t, int4, )
  FILTERS(ui, uint4, image2d_t, uint4, )
  #define read_imagedepth read_imagef
  #define write_imagedepth write_imagef
  FILTERS(depth, float, image2d_depth_t, float, )
)";

/// Runs a kernel in the reference's code and in what the library chooses for each form, and
/// compares the pictures that it writes.
void compare(const Program& program, const std::string& kernel, Picture& in, uint64_t how,
             Picture& out) {
  Launch launch(program, kernel);
  give(launch.range({kExtent.width, kExtent.height}), in).value(how);
  give(launch, out);
  std::vector<std::byte> expected;
  const std::vector<Mode> modes = launch.modes();
  for (const Mode& mode : modes) {
    const bool isReference = &mode == &modes.front();
    const bool isChosen = mode.width != 4 && !mode.plainIndices && mode.workers == 1;
    if (!isReference && (!isChosen || mode.anyImages)) continue;
    launch.in(mode, [&](const Outcome&) {
      if (isReference) expected.assign(out.data(), out.data() + out.size());
      const auto wrong = std::mismatch(expected.begin(), expected.end(), out.data()).first;
      EXPECT_TRUE(wrong == expected.end()) << "at byte " << wrong - expected.begin();
    });
  }
}

TEST(ImageVariants, EveryFormatHasCodeOfItsOwn) {
  std::mt19937 random(5);
  size_t number = 0;
  for (const PixelFormat& format : formatsOfTheDay()) {
    if (!isOfDay(number++, 2)) continue;
    SCOPED_TRACE(format.name());
    const Program program = programOf(kFilters, 2 * number);
    Picture in(format, kExtent, GuardAt::End, 4), out(format, kExtent, GuardAt::Begin);
    in.fillTame(random);
    out.fillTame(random);
    const std::string suffix = format.order == CL_DEPTH ? "depth" : suffixOf(format);
    compare(program, "taps_" + suffix, in, kNearestEdge, out);
    const bool isMixed = format.kind() == PixelKind::Float;
    compare(program, "moved_" + suffix, in, isMixed ? kLinearClamp : kNearestEdge, out);
    if (HasFailure()) return;
  }
}

TEST(ImageVariants, EverySamplerHasCodeOfItsOwn) {
  std::mt19937 random(6);
  for (const PixelFormat format : {PixelFormat{CL_UNORM_INT8, CL_RGBA}, {CL_FLOAT, CL_R}}) {
    Picture in(format, kExtent, GuardAt::End, 4), out(format, kExtent, GuardAt::Begin);
    in.fillTame(random);
    for (uint64_t filter : {0x10, 0x20})
      for (uint64_t address : {0, 2, 4, 6, 8})
        for (uint64_t normalized : {0, 1}) {
          if (normalized == 0 && address >= 6) continue;
          const uint64_t how = filter | address | normalized;
          SCOPED_TRACE(format.name() + " sampler " + std::to_string(how));
          compare(programOf(kFilters, 1000 + how), "moved_f", in, how, out);
        }
  }
}

TEST(ImageVariants, ChannelsOf16BitsHaveLanes) {
  const Program program = programOf(R"(
    constant sampler_t mixed =
        CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
    kernel void volume(read_only image3d_t in, write_only image3d_t out) {
      int4 at = (int4)((int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2), 0);
      float4 from = convert_float4(at) * 0.9f;
      float4 sum = read_imagef(in, mixed, from) + read_imagef(in, mixed, from + 1.25f);
      write_imagef(out, at, sum * 0.5f);
    })",
                                    2000);
  for (const uint16_t type : {2, 4, 14})    // SNORM_INT16, UNORM_INT16, HALF_FLOAT
    for (const uint16_t order : {1, 3, 6})  // R, RG, RGBA
    {
      const auto format = static_cast<uint16_t>(order << 8 | type);
      const auto text = program->explain(0, {.form = compiler::Form::Flat,
                                             .width = 0,
                                             .subGroupSize = 16,
                                             .images = {format, format}});
      ASSERT_TRUE(text);
      EXPECT_NE(text->find("flat form, vectorised ("), std::string::npos) << *text;
    }
}

TEST(ImageVariants, ImagesPassThroughFunctionsAndAreChosenFrom) {
  const Program program = programOf(R"(
    __attribute__((noinline)) float4 tap(read_only image2d_t image, sampler_t how, float2 at) {
      return read_imagef(image, how, at) * 0.5f;
    }
    __attribute__((noinline)) float4 both(read_only image2d_t a, read_only image2d_t b,
                                          sampler_t how, float2 at) {
      return tap(a, how, at) + tap(b, how, at + 1.0f);
    }
    constant sampler_t own = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    kernel void mixed(read_only image2d_t a, read_only image2d_t b, sampler_t how,
                      global float4* sums) {
      int x = get_global_id(0);
      float2 at = (float2)(x * 0.6f - 2, (x & 7) * 1.3f);
      float4 sum = both(a, b, how, at);
      if (x & 1) sum += read_imagef(a, own, at); else sum += read_imagef(b, own, at);
      if (x % 3 == 0) sum += tap(b, how, at);
      sums[x] = sum + (float)get_image_width(b);
    })",
                                    0);
  std::mt19937 random(7);
  const PixelFormat bytes{CL_UNORM_INT8, CL_RGBA}, words{CL_HALF_FLOAT, CL_RG};
  for (const auto& [one, other] : {std::pair(bytes, bytes), {bytes, words}, {words, words}}) {
    Picture a(one, kExtent), b(other, kExtent);
    a.fillTame(random);
    b.fillTame(random);
    std::vector<Float4> sums(130);
    Launch launch(program, "mixed");
    give(give(launch.range(sums.size()), a), b).value(kLinearClamp).buffer(sums);
    launch.inEveryForm([&](const Outcome&) { EXPECT_GE(sums[0][0], 67); });
  }
}

TEST(ImageVariants, GroupsShareTilesOfImages) {
  const Program program = programOf(R"(
    kernel void tiles(read_only image2d_t in, sampler_t how, read_write image2d_t out) {
      local float4 tile[64];
      int x = get_global_id(0), y = get_global_id(1), l = get_local_id(0);
      tile[l] = read_imagef(in, how, (float2)(x - 0.25f, y + 0.75f));
      barrier(CLK_LOCAL_MEM_FENCE);
      float4 sum = tile[l] + tile[(l + 5) % get_local_size(0)];
      float4 before = read_imagef(out, (int2)(x, y));
      write_imagef(out, (int2)(x, y), sum * 0.25f + before * 0.5f);
      atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
      write_imagef(out, (int2)(x, y), read_imagef(out, (int2)(x, y)) * 0.5f);
    })",
                                    0);
  std::mt19937 random(8);
  for (const PixelFormat format :
       {PixelFormat{CL_UNORM_INT8, CL_BGRA}, {CL_FLOAT, CL_RGBA}, {CL_UNORM_INT16, CL_R}}) {
    Picture in(format, {64, 6, 1}), out(format, {64, 6, 1});
    in.fillTame(random);
    out.fillTame(random);
    Launch launch(program, "tiles");
    give(give(launch.range({64, 6}, {16, 1}), in).value(kLinearClamp), out);
    launch.inEveryForm([](const Outcome&) {});
  }
}

TEST(ImageVariants, MoreAccessesThanFitAKernelAreCalls) {
  std::string source =
      "kernel void many(read_only image3d_t in, sampler_t how, global float4* sums) {"
      "  int x = get_global_id(0); float4 sum = 0; float4 at = (float4)(x * 0.3f, x * 0.1f, 1, 0);";
  for (int i = 0; i < 60; ++i)
    source += "  sum += read_imagef(in, how, at * (sum.x + " + std::to_string(i) + ".5f));\n";
  source += "  sums[x] = sum; }";
  std::mt19937 random(9);
  Picture in({CL_SNORM_INT16, CL_RGBA}, {9, 8, 7});
  in.fillTame(random);
  std::vector<Float4> sums(70);
  Launch launch(programOf(source, 0), "many");
  give(launch.range(sums.size()), in).value(kLinearRepeat).buffer(sums);
  launch.inEveryForm([](const Outcome&) {});
}

TEST(ImageVariants, FormatsThatPlayNoRoleMakeNoVariants) {
  const Program program = programOf(R"(
    kernel void asks(read_only image2d_t a, write_only image3d_t b, sampler_t idle, global int* r) {
      r[get_global_id(0)] = get_image_width(a) + get_image_depth(b) + get_image_channel_order(a) +
                            get_image_channel_data_type(b);
    }
    kernel void reads(global int* r, read_only image2d_t a, write_only image2d_t b, sampler_t s,
                      sampler_t idle) {
      r[get_global_id(0)] = get_image_width(b) + read_imagei(a, s, (int2)(1, 2)).x;
    })",
                                    0);
  const auto* asks = kernelInfo(program, "asks");
  const auto* reads = kernelInfo(program, "reads");
  ASSERT_TRUE(asks != nullptr && reads != nullptr);
  EXPECT_TRUE(asks->imageArguments.empty());
  EXPECT_EQ(reads->imageArguments, (std::vector<uint32_t>{1, 3}));

  std::string source = "kernel void full(global int4* r";
  for (int i = 0; i < 20; ++i) source += ", read_only image1d_t i" + std::to_string(i);
  source += ") { int x = get_global_id(0); int4 sum = 0;\n";
  for (int i = 0; i < 20; ++i) source += "sum += read_imagei(i" + std::to_string(i) + ", x);\n";
  const Program other = programOf(source + "r[x] = sum; }", 0);
  const auto* full = kernelInfo(other, "full");
  ASSERT_NE(full, nullptr);
  EXPECT_EQ(full->imageArguments.size(), compiler::kMostImageArguments);
  std::mt19937 random(10);
  Picture in({CL_SIGNED_INT16, CL_RG}, {33, 1, 1});
  in.fillAny(random);
  std::vector<std::array<int32_t, 4>> sums(40);
  Launch launch(other, "full");
  launch.range(sums.size()).buffer(sums);
  for (int i = 0; i < 20; ++i) give(launch, in);
  launch.inEveryForm([&](const Outcome&) {
    EXPECT_EQ(sums[5][1], 20 * static_cast<int32_t>(in.pixel(5, 0, 0)[1]));
  });
}

}  // namespace
}  // namespace weft::test
