// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images and samplers in the language: where samplers come from, what functions take, queries, and
// what work-items of a group tell one another through an image.
#include <algorithm>

#include "pictures.h"

namespace weft::test {
namespace {

using Float4 = std::array<float, 4>;
using Int4 = std::array<int32_t, 4>;

constexpr PixelFormat kFloats{CL_FLOAT, CL_RGBA}, kBytes{CL_UNSIGNED_INT8, CL_RGBA};
constexpr const char* kEveryLanguage[] = {"", "-cl-std=CL3.0", "-cl-std=CLC++2021"};

constexpr uint64_t kEdge = 0x10 | 2 | 1;

struct SamplerForm {
  const char* outside;  ///< at file scope
  const char* inside;   ///< at the beginning of the kernel
  const char* sampler;  ///< in the call
};

TEST(Images, SamplersOfTheProgram) {
#define BORDERED "CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST"
  constexpr SamplerForm kForms[] = {
      {"constant sampler_t how = " BORDERED ";", "", "how"},
      {"const sampler_t how = " BORDERED ";", "", "how"},
      {"__constant const sampler_t how = " BORDERED ";", "", "how"},
      {"", "const sampler_t how = " BORDERED ";", "how"},
      {"", "constant sampler_t how = " BORDERED ";", "how"},
      {"", "sampler_t how = " BORDERED ";", "how"},
      {"", "", BORDERED},
      {"", "", "0x15"},
      {"#define HOW (" BORDERED ")", "", "HOW"},
  };
#undef BORDERED
  std::mt19937 random(1);
  Picture picture(kFloats, {5, 3, 1});
  picture.fillTame(random);
  for (const char* language : kEveryLanguage)
    for (const SamplerForm& form : kForms) {
      SCOPED_TRACE(std::string(language) + form.outside + form.inside + form.sampler);
      const auto program = build(std::string(form.outside) + R"(
        kernel void k(read_only image2d_t image, global const float2* at, global float4* out) {)" +
                                     form.inside + R"(
          size_t i = get_global_id(0);
          out[i] = read_imagef(image, )" +
                                     form.sampler + ", at[i]); }",
                                 language);
      std::vector<std::array<float, 2>> at = {{0.5f, 0.5f}, {1.25f, 0.5f}, {0.0f, 0.99f}};
      std::vector<Float4> out(at.size());
      Launch launch(program, "k");
      give(launch.range(at.size()), picture).buffer(at).buffer(out);
      launch.inEveryForm([&](const Outcome&) {
        const Pixel wanted[] = {picture.pixel(2, 1, 0), {0, 0, 0, 0}, picture.pixel(0, 2, 0)};
        for (size_t i = 0; i < at.size(); ++i)
          for (size_t c = 0; c < 4; ++c)
            ASSERT_EQ(static_cast<double>(out[i][c]), wanted[i][c]) << i;
      });
    }
}

/// Through functions that are inlined and functions that are not.
TEST(Images, PassedOnToFunctions) {
  std::mt19937 random(2);
  Picture in(kFloats, {9, 4, 1}), out(kFloats, {9, 4, 1}), second(kFloats, {9, 4, 1});
  in.fillTame(random);
  second.fillTame(random);
  for (const char* language : kEveryLanguage)
    for (const char* attribute : {"", "__attribute__((noinline))"}) {
      const auto program = build(std::string("#define ATTRIBUTE ") + attribute + R"(
        constant sampler_t border = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
        ATTRIBUTE float4 read(read_only image2d_t image, sampler_t how, int2 at) {
          return read_imagef(image, how, at);
        }
        ATTRIBUTE float4 choose(read_only image2d_t a, read_only image2d_t b, sampler_t how, int2 at) {
          if (at.x & 1) return read(a, how, at);
          return read(b, border, at + (int2)(1, 0));
        }
        ATTRIBUTE void put(write_only image2d_t image, int2 at, float4 color) {
          if (at.y < get_image_height(image)) write_imagef(image, at, color);
        }
        kernel void k(read_only image2d_t a, read_only image2d_t b, write_only image2d_t c,
                      sampler_t how) {
          int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
          put(c, at, choose(a, b, how, at));
        })",
                                 language);
      Launch launch(program, "k");
      give(give(give(launch.range({9, 5}), in), second), out).value(kEdge & ~uint64_t{1});
      launch.inEveryForm([&](const Outcome&) {
        for (uint32_t y = 0; y < 4; ++y)
          for (uint32_t x = 0; x < 9; ++x) {
            Pixel wanted{};
            if (x & 1)
              wanted = in.pixel(x, y, 0);
            else if (x + 1 < 9)
              wanted = second.pixel(x + 1, y, 0);
            ASSERT_EQ(out.pixel(x, y, 0), wanted) << x << ", " << y;
          }
      });
    }
}

/// Samplers of which work-items have different ones.
TEST(Images, SamplersDiffer) {
  std::mt19937 random(3);
  Picture picture(kFloats, {6, 6, 1});
  picture.fillTame(random);
  const auto program = build(R"(
    constant sampler_t clamp_it = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    constant sampler_t repeat_it = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;
    kernel void k(read_only image2d_t image, global float4* out, sampler_t given) {
      size_t i = get_global_id(0);
      float2 at = (float2)(1.25f, 0.25f);
      if (i % 3 == 0) out[i] = read_imagef(image, clamp_it, at);
      else if (i % 3 == 1) out[i] = read_imagef(image, repeat_it, at);
      else out[i] = read_imagef(image, given, at);
    })");
  std::vector<Float4> out(50);
  Launch launch(program, "k");
  give(launch.range(out.size()), picture).buffer(out).value(kEdge);
  launch.inEveryForm([&](const Outcome&) {
    const Pixel wanted[] = {{0, 0, 0, 0}, picture.pixel(1, 1, 0), picture.pixel(5, 1, 0)};
    for (size_t i = 0; i < out.size(); ++i)
      for (size_t c = 0; c < 4; ++c)
        ASSERT_EQ(static_cast<double>(out[i][c]), wanted[i % 3][c]) << i;
  });
}

TEST(Images, Queries) {
  const auto program = build(R"(
    #define COMMON(image) get_image_width(image), get_image_channel_data_type(image), \
        get_image_channel_order(image)
    kernel void line(read_only image1d_t a, global int4* out) {
      out[0] = (int4)(COMMON(a), get_image_num_mip_levels(a));
    }
    kernel void buffer(write_only image1d_buffer_t a, global int4* out) {
      out[0] = (int4)(COMMON(a), 1);
    }
    kernel void lines(read_write image1d_array_t a, global int4* out) {
      out[0] = (int4)(COMMON(a), get_image_num_mip_levels(a));
      out[1] = (int4)((int)get_image_array_size(a), 0, 0, 0);
    }
    kernel void plane(read_only image2d_t a, global int4* out) {
      out[0] = (int4)(COMMON(a), get_image_num_mip_levels(a));
      out[1] = (int4)(get_image_dim(a), get_image_height(a), 0);
    }
    kernel void depth(read_only image2d_depth_t a, global int4* out) {
      out[0] = (int4)(COMMON(a), get_image_num_mip_levels(a));
      out[1] = (int4)(get_image_dim(a), get_image_height(a), 0);
    }
    kernel void planes(write_only image2d_array_t a, global int4* out) {
      out[0] = (int4)(COMMON(a), get_image_num_mip_levels(a));
      out[1] = (int4)(get_image_dim(a), get_image_height(a), (int)get_image_array_size(a));
    }
    kernel void depths(read_only image2d_array_depth_t a, global int4* out) {
      out[0] = (int4)(COMMON(a), get_image_num_mip_levels(a));
      out[1] = (int4)(get_image_dim(a), get_image_height(a), (int)get_image_array_size(a));
    }
    kernel void volume(read_write image3d_t a, global int4* out) {
      out[0] = (int4)(COMMON(a), get_image_num_mip_levels(a));
      out[1] = get_image_dim(a) + (int4)(0, 0, 0, get_image_depth(a) + get_image_height(a));
    })",
                             "-cl-std=CL3.0");
  const PixelFormat depth{CL_FLOAT, CL_DEPTH};
  struct Query {
    const char* kernel;
    PixelFormat format;
    Extent extent;
    uint32_t levels;
    Int4 more;
    bool isArray = false;
  };
  const Query queries[] = {
      {"line", kBytes, {70000, 1, 1}, 3, {}},
      {"buffer", kFloats, {99, 1, 1}, 1, {}},
      {"lines", kBytes, {17, 1, 6}, 1, {6, 0, 0, 0}, true},
      {"plane", kFloats, {17, 6, 1}, 4, {17, 6, 6, 0}},
      {"depth", depth, {7, 3, 1}, 1, {7, 3, 3, 0}},
      {"planes", kBytes, {17, 6, 5}, 2, {17, 6, 6, 5}, true},
      {"depths", depth, {17, 6, 5}, 1, {17, 6, 6, 5}, true},
      {"volume", kBytes, {4, 3, 2}, 1, {4, 3, 2, 5}},
  };
  for (const Query& query : queries) {
    Picture picture(query.format, query.extent, GuardAt::End, 0, query.levels, query.isArray);
    std::vector<Int4> out(2);
    Launch launch(program, query.kernel);
    give(launch.range(1), picture).buffer(out);
    launch.inEveryForm([&](const Outcome&) {
      const Int4 first{
          static_cast<int32_t>(query.extent.width), static_cast<int32_t>(query.format.type),
          static_cast<int32_t>(query.format.order), static_cast<int32_t>(query.levels)};
      EXPECT_EQ(out[0], first) << query.kernel;
      EXPECT_EQ(out[1], query.more) << query.kernel;
    });
  }
}

/// A line of more elements than an image's edge has.
TEST(Images, OfBuffers) {
  std::mt19937 random(4);
  Picture in({CL_SIGNED_INT16, CL_RG}, {100'000, 1, 1}), out(kBytes, {100'000, 1, 1});
  in.fillAny(random);
  const auto program = build(R"(
    kernel void k(read_only image1d_buffer_t in, write_only image1d_buffer_t out) {
      int i = (int)get_global_id(0);
      write_imageui(out, i, convert_uint4_sat(read_imagei(in, 99999 - i)));
    })");
  Launch launch(program, "k");
  give(give(launch.range(100'100), in), out);
  launch.inEveryForm([&](const Outcome&) {
    for (uint32_t i = 0; i < 100'000; ++i) {
      const Pixel source = in.pixel(99'999 - i, 0, 0), result = out.pixel(i, 0, 0);
      for (size_t c = 0; c < 4; ++c) ASSERT_EQ(result[c], std::clamp(source[c], 0.0, 255.0)) << i;
    }
  });
}

/// Work-items of a group write what others read behind a barrier for images.
TEST(Images, ToldToOthersOfTheGroup) {
  const auto program = build(R"(
    kernel void k(read_write image2d_t image, global uint* out) {
      int x = (int)get_local_id(0), n = (int)get_local_size(0), y = (int)get_group_id(0);
      uint sum = 0;
      for (int round = 0; round < 3; ++round) {
        write_imageui(image, (int2)(x, y), (uint4)(x * 7 + round, y, round, 1));
        work_group_barrier(CLK_IMAGE_MEM_FENCE);
        sum += read_imageui(image, (int2)((x + 1) % n, y)).x;
        sum += read_imageui(image, (int2)(n - 1 - x, y)).y * 1000;
        work_group_barrier(CLK_IMAGE_MEM_FENCE, memory_scope_work_group);
      }
      out[get_global_id(0)] = sum;
    })",
                             "-cl-std=CL3.0");
  constexpr uint32_t kItems = 24, kGroups = 5;
  Picture picture({CL_UNSIGNED_INT16, CL_RGBA}, {kItems, kGroups, 1});
  std::vector<uint32_t> out(kItems * kGroups);
  Launch launch(program, "k");
  give(launch.range({kItems * kGroups}, {kItems}), picture).buffer(out);
  launch.inEveryForm([&](const Outcome&) {
    for (uint32_t i = 0; i < out.size(); ++i) {
      const uint32_t next = (i % kItems + 1) % kItems;
      ASSERT_EQ(out[i], 3 * next * 7 + 3 + 3 * 1000 * (i / kItems)) << i;
    }
  });
}

/// Reads and writes of one kernel under conditions that differ from lane to lane, in loops.
TEST(Images, UnderConditions) {
  std::mt19937 random(5);
  Picture in(kBytes, {33, 9, 1}), out({CL_UNSIGNED_INT16, CL_RG}, {33, 9, 1});
  in.fillAny(random);
  out.fillAny(random);
  const std::vector<std::byte> before(out.data(), out.data() + out.size());
  const auto program = build(R"(
    constant sampler_t nearest = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    kernel void k(read_only image2d_t in, write_only image2d_t out) {
      int x = (int)get_global_id(0), y = (int)get_global_id(1);
      uint4 sum = (uint4)(0);
      for (int i = 0; i < x % 4; ++i) {
        uint4 pixel = read_imageui(in, nearest, (int2)(x + i - 1, y + 1));
        if (pixel.x > 100u) sum += pixel;
      }
      if ((x + y) % 3 != 0) write_imageui(out, (int2)(x, y), sum);
    })");
  Launch launch(program, "k");
  give(give(launch.range({33, 9}), in), out);
  launch.inEveryForm([&](const Outcome&) {
    for (uint32_t y = 0; y < 9; ++y)
      for (uint32_t x = 0; x < 33; ++x) {
        const std::byte* element = out.at(x, y, 0);
        if ((x + y) % 3 == 0) {
          ASSERT_EQ(std::memcmp(element, before.data() + (element - out.data()), 4), 0);
          continue;
        }
        Pixel sum{};
        for (uint32_t i = 0; i < x % 4; ++i) {
          const uint32_t column = x + i - 1;
          if (column >= 33 || y + 1 >= 9) continue;
          const Pixel pixel = in.pixel(column, y + 1, 0);
          for (size_t c = 0; c < 2; ++c) sum[c] += pixel[0] > 100 ? pixel[c] : 0;
        }
        const Pixel result = out.pixel(x, y, 0);
        ASSERT_EQ(result[0], sum[0]) << x << ", " << y;
        ASSERT_EQ(result[1], sum[1]) << x << ", " << y;
      }
  });
}

std::string refusalOf(const char* source, const char* options = "-cl-std=CL3.0") {
  const auto built = tryBuild(source, options);
  EXPECT_FALSE(built) << source;
  return built ? "" : built.error().log;
}

TEST(Images, RefusedWithALog) {
  for (const std::string type : {"image2d_msaa_t", "image2d_array_msaa_t", "image2d_msaa_depth_t",
                                 "image2d_array_msaa_depth_t"})
    for (const std::string access : {"", "read_only ", "write_only "}) {
      const std::string log = refusalOf(("kernel void k(" + access + type + " a) {}").c_str(), "");
      EXPECT_NE(log.find("no images of several samples"), std::string::npos) << log;
    }
  EXPECT_NE(refusalOf("struct S { image2d_t a; }; kernel void k(global int* p) {}"), "");
  EXPECT_NE(refusalOf("kernel void k(read_only image2d_t a) { image2d_t b[2]; }"), "");
  EXPECT_NE(refusalOf("kernel void k(read_only image2d_t a) { write_imagef(a, (int2)(0), "
                      "(float4)(0)); }"),
            "");
  EXPECT_NE(refusalOf("kernel void k(write_only image2d_t a, global float4* o) { *o = "
                      "read_imagef(a, (int2)(0)); }"),
            "");
  EXPECT_NE(refusalOf("kernel void k(read_write image2d_t a) {}", "-cl-std=CL1.2"), "");
}

}  // namespace
}  // namespace weft::test
