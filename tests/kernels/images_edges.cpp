// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coordinates and levels of any value, through every function that takes them, next to pages that
// nobody may touch: what is read is an element of the image or its border, what is written is one
// or nothing.
#include <climits>
#include <cmath>
#include <limits>

#include "pictures.h"

namespace weft::test {
namespace {

constexpr uint64_t kNearest = 0x10, kLinear = 0x20;

struct Kind {
  const char* name;
  const char* type;
  const char* ofInt;    ///< makes a coordinate of an int4
  const char* ofFloat;  ///< and of a float4; null: there is no sampler
  const char* slope;    ///< and a gradient; null: there are no levels
  Extent extent;
  bool isArray = false;
  bool isDepth = false;
};
constexpr Kind kKinds[] = {
    {"line", "image1d_t", ".x", ".x", ".x", {13, 1, 1}},
    {"buffer", "image1d_buffer_t", ".x", nullptr, nullptr, {13, 1, 1}},
    {"lines", "image1d_array_t", ".xy", ".xy", ".x", {13, 1, 3}, true},
    {"plane", "image2d_t", ".xy", ".xy", ".xy", {7, 5, 1}},
    {"planes", "image2d_array_t", "", "", ".xy", {7, 5, 3}, true},
    {"volume", "image3d_t", "", "", "", {7, 5, 3}},
    {"depth", "image2d_depth_t", ".xy", ".xy", ".xy", {7, 5, 1}, false, true},
    {"depths", "image2d_array_depth_t", "", "", ".xy", {7, 5, 3}, true, true},
};

Program programFor(const Kind& kind, uint64_t sampler) {
  const std::string type = kind.type, how = std::to_string(sampler);
  const std::string at = std::string("at[i]") + kind.ofInt;
  const std::string where = std::string("where[i]") + (kind.ofFloat ? kind.ofFloat : "");
  const std::string pixel = kind.isDepth ? "float" : "float4";
  const auto kernel = [&](const std::string& name, const std::string& access,
                          const std::string& body) {
    return "kernel void " + name + "(" + access + " " + type +
           " image, global const int4* at, global const float4* where, global " + pixel +
           "* out) { size_t i = get_global_id(0); " + body + " }\n";
  };
  std::string text =
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable\n"
      "#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable\n";
  text += kernel("fetch", "read_only", "out[i] = read_imagef(image, " + at + ");");
  text += kernel("fetch_rw", "read_write", "out[i] = read_imagef(image, " + at + ");");
  const std::string color = kind.isDepth ? "2.0f" : "(float4)(2, 2, 2, 2)";
  text += kernel("put", "write_only", "write_imagef(image, " + at + ", " + color + ");");
  text += kernel(
      "put_rw", "read_write",
      "write_imagef(image, " + at + ", " + color + "); out[i] = read_imagef(image, " + at + ");");
  if (!kind.isDepth) {
    text += kernel("fetch_half", "read_only",
                   "out[i] = convert_float4(read_imageh(image, " + at + "));");
    text +=
        kernel("put_half", "write_only", "write_imageh(image, " + at + ", (half4)(2, 2, 2, 2));");
  }
  if (kind.ofFloat) {
    text +=
        kernel("sample_int", "read_only", "out[i] = read_imagef(image, " + how + ", " + at + ");");
    text +=
        kernel("sample", "read_only", "out[i] = read_imagef(image, " + how + ", " + where + ");");
    const std::string lod = "where[(i + 7) % get_global_size(0)].x";
    text += kernel("at_level", "read_only",
                   "out[i] = read_imagef(image, " + how + ", " + where + ", " + lod + ");");
    text += kernel(
        "put_level", "write_only",
        "write_imagef(image, " + at + ", at[(i + 7) % get_global_size(0)].x, " + color + ");");
    text += kernel("by_slopes", "read_only",
                   "float4 dx = where[(i + 5) % get_global_size(0)], dy = where[(i + 3) % "
                   "get_global_size(0)]; out[i] = read_imagef(image, " +
                       how + ", " + where + ", dx" + kind.slope + ", dy" + kind.slope + ");");
  }
  return build(text, "-cl-std=CL3.0");
}

class ImageEdges : public ::testing::TestWithParam<Kind> {
 protected:
  const Kind& kind_ = GetParam();
  std::mt19937 random_{11};
  std::vector<std::array<int32_t, 4>> at_{256};
  std::vector<std::array<float, 4>> where_{256};

  void SetUp() override {
    constexpr int32_t kInts[] = {INT_MIN, INT_MAX, INT_MIN + 1, INT_MAX - 1, -1, 0,
                                 1,       2,       4,           5,           6,  7,
                                 12,      13,      1 << 30,     -(1 << 24)};
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr float kFloats[] = {NAN,      kInfinity, -kInfinity,  3e38f,    -3e38f,    0x1p31f,
                                 -0x1p31f, 0x1p32f,   0x1p63f,     -0x1p63f, 0x1p-149f, -0x1p-149f,
                                 -0.0f,    0.5f,      0.99999994f, 1.0f,     2.0f,      4.5f,
                                 6.5f,     12.5f,     -0.5f};
    for (auto& at : at_)
      for (int32_t& i : at) i = kInts[random_() % std::size(kInts)];
    for (auto& at : where_)
      for (float& x : at) x = kFloats[random_() % std::size(kFloats)];
  }

  /// Elements are between 0 and 1, the border's components 0 or 1, and what kernels write is 2.
  Picture pictureFor(GuardAt guard, uint32_t levels, Extent extent) {
    const PixelFormat format{CL_FLOAT, static_cast<cl_uint>(kind_.isDepth ? CL_DEPTH : CL_R)};
    Picture picture(format, extent, guard, 0, levels, kind_.isArray);
    std::uniform_real_distribution<float> value(0, 1);
    for (size_t at = 0; at < picture.size(); at += sizeof(float)) {
      const float x = value(random_);
      std::memcpy(picture.data() + at, &x, sizeof x);
    }
    return picture;
  }

  void run(const Program& program, const char* name, Picture& picture) {
    SCOPED_TRACE(name);
    const bool writes = std::string_view(name).starts_with("put");
    const std::vector<std::byte> before(picture.data(), picture.data() + picture.size());
    const size_t components = kind_.isDepth ? 1 : 4;
    std::vector<float> out(at_.size() * components);
    Launch launch(program, name);
    // Who reads what others write is left open.
    if (std::string_view(name) == "put_rw") launch.unordered();
    give(launch.range(at_.size()), picture).buffer(at_).buffer(where_).buffer(out);
    launch.formsTakeTurns().inEveryForm([&](const Outcome&) {
      for (const float x : out) ASSERT_TRUE(x >= 0 && x <= (writes ? 2 : 1)) << x;
      for (size_t i = 0; i < before.size(); i += sizeof(float)) {
        float now = 0;
        std::memcpy(&now, picture.data() + i, sizeof now);
        const bool isSame = std::memcmp(&before[i], &now, sizeof now) == 0;
        ASSERT_TRUE(isSame || (writes && now == 2)) << now << " at byte " << i;
      }
    });
    std::memcpy(picture.data(), before.data(), before.size());
  }
};

TEST_P(ImageEdges, WithoutASampler) {
  const Program program = programFor(kind_, kNearest);
  for (const GuardAt guard : {GuardAt::Begin, GuardAt::End})
    for (const Extent extent : {kind_.extent, Extent{}}) {
      Picture picture = pictureFor(guard, 1, extent);
      for (const char* name : {"fetch", "fetch_rw", "put", "put_rw"}) run(program, name, picture);
      if (!kind_.isDepth)
        for (const char* name : {"fetch_half", "put_half"}) run(program, name, picture);
    }
}

/// Of one level there are tests with every mode.
TEST_P(ImageEdges, AtLevels) {
  if (!kind_.ofFloat) return;
  for (const uint64_t how : {kNearest | 5, kNearest | 7, kLinear | 5, kLinear | 9}) {
    SCOPED_TRACE("sampler " + std::to_string(how));
    const Program program = programFor(kind_, how);
    for (const GuardAt guard : {GuardAt::Begin, GuardAt::End}) {
      Picture levels = pictureFor(guard, 3, kind_.extent);
      for (const char* name : {"sample", "at_level", "by_slopes"}) run(program, name, levels);
      if (how == (kNearest | 5))
        for (const char* name : {"sample_int", "put_level"}) run(program, name, levels);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, ImageEdges, ::testing::ValuesIn(kKinds),
                         [](const ::testing::TestParamInfo<Kind>& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace weft::test
