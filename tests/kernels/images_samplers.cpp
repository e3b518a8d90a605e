// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coordinates of any value, in every mode of a sampler and every shape of an image, next to pages
// that nobody may touch.
#include <algorithm>
#include <cmath>
#include <limits>

#include "pictures.h"
#include "support/test_day.h"

namespace weft::test {
namespace {

using Float4 = std::array<float, 4>;
using Int4 = std::array<int32_t, 4>;

enum class Shape { Line, Lines, Plane, Planes, Volume };

struct ShapeTraits {
  const char* type;
  const char* coordinate;  ///< of the kernel's vector of four
  const char* size;        ///< of a vector of coordinates
  unsigned dimensions;
  bool isArray;
};
constexpr ShapeTraits kShapes[] = {
    {"image1d_t", ".x", "", 1, false},   {"image1d_array_t", ".xy", "2", 1, true},
    {"image2d_t", ".xy", "2", 2, false}, {"image2d_array_t", "", "4", 2, true},
    {"image3d_t", "", "4", 3, false},
};
const ShapeTraits& traitsOf(Shape shape) { return kShapes[static_cast<size_t>(shape)]; }
constexpr Shape kEveryShape[] = {Shape::Line, Shape::Lines, Shape::Plane, Shape::Planes,
                                 Shape::Volume};

/// A program that reads and writes images of one shape.
Program programFor(Shape shape) {
  const ShapeTraits& traits = traitsOf(shape);
  std::string text = R"(
    kernel void by_float(read_only IMAGE image, sampler_t how, global const float4* at,
                         global float4* out) {
      size_t i = get_global_id(0);
      out[i] = read_imagef(image, how, at[i]AT);
    }
    kernel void by_int(read_only IMAGE image, sampler_t how, global const int4* at,
                       global float4* out, global float4* plain) {
      size_t i = get_global_id(0);
      out[i] = read_imagef(image, how, at[i]AT);
      plain[i] = read_imagef(image, at[i]AT);
    }
    kernel void integers(read_only IMAGE image, sampler_t how, global const float4* at,
                         global uint4* out, global int4* other) {
      size_t i = get_global_id(0);
      out[i] = read_imageui(image, how, at[i]AT);
      other[i] = read_imagei(image, how, at[i]AT);
    }
    kernel void put(write_only IMAGE image, global const int4* at, global const uint4* colors) {
      size_t i = get_global_id(0);
      write_imageui(image, at[i]AT, colors[i]);
    }
    kernel void change(read_write IMAGE image, global const int4* at, global uint4* out) {
      size_t i = get_global_id(0);
      uint4 old = read_imageui(image, at[i]AT);
      out[i] = old;
      write_imageui(image, at[i]AT, old + 1u);
      atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
      out[i] += read_imageui(image, at[i]AT);
    })";
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  };
  replace("IMAGE image", std::string(traits.type) + " image");
  replace("[i]AT", std::string("[i]") + traits.coordinate);
  return build(text, "-cl-std=CL3.0");
}

Extent extentFor(Shape shape, bool isSmall) {
  if (isSmall) return {};
  switch (shape) {
    case Shape::Line:
      return {13, 1, 1};
    case Shape::Lines:
      return {13, 1, 3};
    case Shape::Plane:
      return {7, 5, 1};
    case Shape::Planes:
      return {7, 5, 3};
    case Shape::Volume:
      return {7, 5, 4};
  }
  return {};
}

constexpr uint64_t kNormalized = 1, kClampToEdge = 2, kClamp = 4, kRepeat = 6, kMirroredRepeat = 8,
                   kAddress = 14, kLinear = 0x20, kNearest = 0x10;

/// Sizes of the dimensions that the shape has.
std::array<uint32_t, 3> sizesOf(const Picture& picture) {
  const Extent extent = picture.extent();
  return {extent.width, extent.height, extent.slices};
}

/// The layer of an array that coordinates name.
uint32_t layerOf(const Picture& picture, const ShapeTraits& traits, const Float4& at) {
  if (!traits.isArray) return 0;
  const float last = static_cast<float>(picture.extent().slices - 1);
  return static_cast<uint32_t>(std::clamp(std::rint(at[traits.dimensions]), 0.0f, last));
}

/// One coordinate as the specification has it: the elements on either side, which may lie outside,
/// and the weight of the second. With the nearest filter, that one alone.
struct Places {
  int64_t first = 0, second = 0;
  double weight = 0;
};
Places placesOf(float s, uint32_t size, uint64_t how) {
  const float extent = static_cast<float>(size);
  const auto last = static_cast<int64_t>(size) - 1;
  float u = s;
  if (how & kNormalized) {
    if ((how & kAddress) == kRepeat)
      u = (s - std::floor(s)) * extent;
    else if ((how & kAddress) == kMirroredRepeat)
      u = std::fabs(s - 2.0f * std::rint(0.5f * s)) * extent;
    else
      u = s * extent;
  }
  Places places;
  if (how & kLinear) {
    const float shifted = u - 0.5f;
    places.first = static_cast<int64_t>(std::floor(shifted));
    places.second = places.first + 1;
    places.weight = static_cast<double>(shifted - std::floor(shifted));
  } else {
    places.first = places.second = static_cast<int64_t>(std::floor(u));
  }
  for (int64_t* i : {&places.first, &places.second}) {
    switch (how & kAddress) {
      case kRepeat:
        if (*i < 0) *i += size;
        if (*i > last) *i -= size;
        break;
      case kMirroredRepeat:
      case kClampToEdge:
        *i = std::clamp<int64_t>(*i, 0, last);
        break;
      default:
        break;
    }
  }
  return places;
}

Pixel elementOf(Picture& picture, int64_t x, int64_t y, int64_t z) {
  const Extent extent = picture.extent();
  const auto isIn = [](int64_t i, uint32_t size) { return i >= 0 && i < int64_t{size}; };
  if (!isIn(x, extent.width) || !isIn(y, extent.height) || !isIn(z, extent.slices))
    return borderOf(picture.format());
  return picture.pixel(static_cast<uint32_t>(x), static_cast<uint32_t>(y),
                       static_cast<uint32_t>(z));
}

/// What is to be read; `isDefined` unless the specification leaves it open.
Pixel expectedAt(Picture& picture, const ShapeTraits& traits, uint64_t how, const Float4& at,
                 bool& isDefined) {
  const auto sizes = sizesOf(picture);
  Places places[3];
  isDefined = true;
  for (unsigned d = 0; d < traits.dimensions; ++d) {
    if (!std::isfinite(at[d]) || std::fabs(at[d]) > 1e9f) {
      isDefined = false;
      return {};
    }
    places[d] = placesOf(at[d], sizes[d], how);
    const auto isIn = [&](int64_t i) { return i >= 0 && i < int64_t{sizes[d]}; };
    if ((how & kAddress) == 0 && !(isIn(places[d].first) && isIn(places[d].second)))
      isDefined = false;
  }
  if (traits.isArray && !std::isfinite(at[traits.dimensions])) isDefined = false;
  if (!isDefined) return {};
  if (traits.dimensions < 3) {
    const uint32_t layer = layerOf(picture, traits, at);
    places[2] = {layer, layer, 0};
  }
  Pixel sum{};
  for (unsigned corner = 0; corner < 8; ++corner) {
    double weight = 1;
    int64_t place[3];
    for (unsigned d = 0; d < 3; ++d) {
      const bool isSecond = corner >> d & 1;
      weight *= isSecond ? places[d].weight : 1 - places[d].weight;
      place[d] = isSecond ? places[d].second : places[d].first;
    }
    if (weight == 0) continue;
    const Pixel element = elementOf(picture, place[0], place[1], place[2]);
    for (unsigned c = 0; c < 4; ++c) sum[c] += weight * element[c];
  }
  return sum;
}

/// Coordinates on, between and beyond elements, and some that are none.
std::vector<Float4> coordinatesFor(const Picture& picture, const ShapeTraits& traits, uint64_t how,
                                   std::mt19937& random) {
  const auto sizes = sizesOf(picture);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float special[] = {
      NAN,     kInfinity, -kInfinity, 0x1p31f,        -0x1p31f, 3e38f,       -3e38f, 1e20f, -0.0f,
      -1e-30f, 1e-42f,    0x1p30f,    0x1.fffffep30f, -0x1p63f, 0.99999994f, -0.5f,  1.0f,  2.0f};
  std::vector<Float4> all(301);
  for (Float4& at : all)
    for (unsigned d = 0; d < 4; ++d) {
      const bool isLayer = traits.isArray && d == traits.dimensions;
      const uint32_t size = isLayer ? picture.extent().slices : sizes[std::min(d, 2u)];
      const auto in = std::uniform_real_distribution<float>(-2.5f, 3.5f)(random);
      const bool normalized = (how & kNormalized) && !isLayer;
      const float steps =
          static_cast<float>(static_cast<int>(random() % (6 * size)) - static_cast<int>(2 * size)) /
          2;
      const float scale = static_cast<float>(size);
      switch (random() % 8) {
        case 0:
          at[d] = special[random() % std::size(special)];
          break;
        case 1:
        case 2:
          at[d] = normalized ? steps / scale : steps;
          break;
        case 3:
        case 4:
          at[d] = normalized ? in : in * scale;
          break;
        default:  // inside, mostly
          at[d] = (in + 2.5f) / 6 * (normalized ? 1 : scale);
      }
    }
  return all;
}

void checkPixel(const Pixel& wanted, const Float4& got, double tolerance, const Float4& at) {
  for (unsigned c = 0; c < 4; ++c)
    ASSERT_NEAR(static_cast<double>(got[c]), wanted[c], tolerance)
        << "component " << c << " at " << at[0] << ", " << at[1] << ", " << at[2];
}

/// The modes there are. Repeating is for normalised coordinates; others are to do no harm.
std::vector<uint64_t> everyMode(uint64_t filter) {
  std::vector<uint64_t> modes;
  for (const uint64_t address : {uint64_t{0}, kClampToEdge, kClamp, kRepeat, kMirroredRepeat})
    for (const uint64_t normalized : {uint64_t{0}, kNormalized})
      modes.push_back(filter | address | normalized);
  return modes;
}
bool isSpecified(uint64_t how) { return (how & kNormalized) || (how & kAddress) < kRepeat; }

class ImagesOfShape : public ::testing::TestWithParam<Shape> {
 protected:
  const ShapeTraits& traits_ = traitsOf(GetParam());
  Program program_ = programFor(GetParam());
  std::mt19937 random_{7};

  void SetUp() override { WEFT_TAKES_TURNS(); }

  void checkFloats(PixelFormat format, bool isSmall, GuardAt guard, uint64_t how) {
    SCOPED_TRACE(format.name() + " sampler " + std::to_string(how));
    Picture picture(format, extentFor(GetParam(), isSmall), guard);
    picture.fillTame(random_);
    auto at = coordinatesFor(picture, traits_, how, random_);
    std::vector<Float4> out(at.size());
    Launch launch(program_, "by_float");
    give(launch.range(at.size()), picture).value(how).buffer(at).buffer(out);
    launch.formsTakeTurns().inEveryForm([&](const Outcome&) {
      if (!isSpecified(how)) return;
      for (size_t i = 0; i < at.size(); ++i) {
        bool isDefined = true;
        const Pixel wanted = expectedAt(picture, traits_, how, at[i], isDefined);
        if (isDefined) checkPixel(wanted, out[i], how & kLinear ? 1e-5 : 0, at[i]);
        if (HasFatalFailure()) return;
      }
    });
  }
};

TEST_P(ImagesOfShape, NearestAtFloats) {
  for (const uint64_t how : everyMode(kNearest)) {
    checkFloats({CL_FLOAT, CL_RGBA}, false, GuardAt::End, how);
    checkFloats({CL_UNORM_INT8, CL_R}, false, GuardAt::Begin, how);
    checkFloats({CL_SNORM_INT16, CL_RGBA}, true, GuardAt::End, how);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ImagesOfShape, LinearAtFloats) {
  for (const uint64_t how : everyMode(kLinear)) {
    checkFloats({CL_FLOAT, CL_RGBA}, false, GuardAt::End, how);
    checkFloats({CL_UNORM_INT8, CL_RGBA}, false, GuardAt::Begin, how);
    checkFloats({CL_HALF_FLOAT, CL_RG}, false, GuardAt::End, how);
    checkFloats({CL_FLOAT, CL_R}, true, GuardAt::End, how);
    if (HasFatalFailure()) return;
  }
}

/// Where edges go on outside, elements that are finite are found in another way.
TEST_P(ImagesOfShape, LinearWithEdges) {
  for (const uint64_t how :
       {kClampToEdge, kClampToEdge | kNormalized, kMirroredRepeat | kNormalized}) {
    checkFloats({CL_SNORM_INT16, CL_RGBA}, false, GuardAt::End, kLinear | how);
    checkFloats({CL_UNORM_INT8, CL_RGBA}, true, GuardAt::End, kLinear | how);
    if (HasFatalFailure()) return;
  }
}

std::vector<Int4> integersFor(const Picture& picture, std::mt19937& random) {
  constexpr int32_t kMost = std::numeric_limits<int32_t>::max();
  const int32_t special[] = {kMost, -kMost - 1, -1, kMost - 1, -kMost, 1 << 30, 1 << 24};
  const auto sizes = sizesOf(picture);
  const uint32_t longest = *std::ranges::max_element(sizes);
  std::vector<Int4> all(301);
  for (Int4& at : all)
    for (unsigned d = 0; d < 4; ++d) {
      const uint32_t size = d < 3 && random() % 2 ? sizes[d] : longest;
      at[d] = static_cast<int32_t>(random() % (size + 4)) - 2;
      if (random() % 8 == 0) at[d] = special[random() % std::size(special)];
      if (random() % 2) at[d] = static_cast<int32_t>(random() % size);
    }
  return all;
}

TEST_P(ImagesOfShape, AtIntegers) {
  const Extent extent = extentFor(GetParam(), false);
  for (const uint64_t how : everyMode(kNearest))
    for (const GuardAt guard : {GuardAt::Begin, GuardAt::End}) {
      SCOPED_TRACE(how);
      Picture picture({CL_UNORM_INT16, CL_RA}, extent, guard);
      picture.fillAny(random_);
      auto at = integersFor(picture, random_);
      std::vector<Float4> out(at.size()), plain(at.size());
      Launch launch(program_, "by_int");
      give(launch.range(at.size()), picture).value(how).buffer(at).buffer(out).buffer(plain);
      launch.formsTakeTurns().inEveryForm([&](const Outcome&) {
        for (size_t i = 0; i < at.size(); ++i) {
          Float4 place{};
          bool isIn = true, isDefined = !(how & kNormalized);
          const auto sizes = sizesOf(picture);
          for (unsigned d = 0; d < traits_.dimensions; ++d) {
            isIn = isIn && at[i][d] >= 0 && at[i][d] < static_cast<int32_t>(sizes[d]);
            place[d] = static_cast<float>(std::clamp(at[i][d], -5, 1000));
          }
          if (traits_.isArray)
            place[traits_.dimensions] =
                static_cast<float>(std::clamp(at[i][traits_.dimensions], -5, 1000));
          if (isDefined && (how & kAddress) < kRepeat) {
            const Pixel wanted = expectedAt(picture, traits_, how, place, isDefined);
            if (isDefined) checkPixel(wanted, out[i], 0, place);
          }
          const Pixel inside = expectedAt(picture, traits_, kNearest, place, isDefined);
          if (isIn) checkPixel(inside, plain[i], 0, place);
          if (HasFatalFailure()) return;
        }
      });
    }
}

TEST_P(ImagesOfShape, Integers) {
  for (const uint64_t how : everyMode(kNearest)) {
    if (!isSpecified(how)) continue;
    for (const PixelFormat format :
         {PixelFormat{CL_SIGNED_INT32, CL_BGRA}, PixelFormat{CL_UNSIGNED_INT16, CL_LUMINANCE},
          PixelFormat{CL_UNSIGNED_INT8, CL_R}}) {
      SCOPED_TRACE(format.name() + " sampler " + std::to_string(how));
      Picture picture(format, extentFor(GetParam(), false));
      picture.fillAny(random_);
      auto at = coordinatesFor(picture, traits_, how, random_);
      std::vector<std::array<uint32_t, 4>> out(at.size());
      std::vector<Int4> other(at.size());
      Launch launch(program_, "integers");
      give(launch.range(at.size()), picture).value(how).buffer(at).buffer(out).buffer(other);
      launch.formsTakeTurns().inEveryForm([&](const Outcome&) {
        for (size_t i = 0; i < at.size(); ++i) {
          bool isDefined = true;
          const Pixel wanted = expectedAt(picture, traits_, how, at[i], isDefined);
          for (unsigned c = 0; c < 4 && isDefined; ++c) {
            const double got = format.kind() == PixelKind::Signed ? static_cast<double>(other[i][c])
                                                                  : static_cast<double>(out[i][c]);
            ASSERT_EQ(got, wanted[c]) << "component " << c << " at " << at[i][0];
          }
        }
      });
    }
  }
}

TEST_P(ImagesOfShape, WritesOutsideAreDropped) {
  const PixelFormat format{CL_UNSIGNED_INT16, CL_RGBA};
  for (const GuardAt guard : {GuardAt::Begin, GuardAt::End}) {
    Picture picture(format, extentFor(GetParam(), false), guard);
    picture.fillAny(random_);
    const std::vector<std::byte> before(picture.data(), picture.data() + picture.size());
    auto at = integersFor(picture, random_);
    // All that write to one element write the same.
    std::vector<std::array<uint32_t, 4>> colors(at.size());
    std::vector<bool> isIn(at.size(), true);
    const auto sizes = sizesOf(picture);
    const auto sizeOf = [&](unsigned d) {
      return d < traits_.dimensions                       ? sizes[d]
             : traits_.isArray && d == traits_.dimensions ? picture.extent().slices
                                                          : 0;
    };
    for (size_t i = 0; i < at.size(); ++i) {
      uint32_t color = 0;
      for (unsigned d = 0; d < 3; ++d) {
        if (sizeOf(d) == 0) continue;
        isIn[i] = isIn[i] && at[i][d] >= 0 && static_cast<uint32_t>(at[i][d]) < sizeOf(d);
        color = color * 16 + static_cast<uint32_t>(at[i][d]);
      }
      colors[i] = {color & 0xffff, color + 1 & 0xffff, 70000, 3};
    }
    Launch launch(program_, "put");
    give(launch.range(at.size()), picture).buffer(at).buffer(colors);
    launch.formsTakeTurns().inEveryForm([&](const Outcome&) {
      std::vector<std::byte> expected = before;
      for (size_t i = 0; i < at.size(); ++i) {
        if (!isIn[i]) continue;
        const auto coordinate = [&](unsigned d) { return static_cast<uint32_t>(at[i][d]); };
        const uint32_t y = traits_.dimensions > 1 ? coordinate(1) : 0;
        const uint32_t z = traits_.dimensions > 2 ? coordinate(2)
                           : traits_.isArray      ? coordinate(traits_.dimensions)
                                                  : 0;
        const std::byte* element = picture.at(coordinate(0), y, z);
        const uint16_t wanted[] = {static_cast<uint16_t>(colors[i][0]),
                                   static_cast<uint16_t>(colors[i][1]), 65535, 3};
        std::memcpy(expected.data() + (element - picture.data()), wanted, sizeof wanted);
      }
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), picture.data()));
    });
  }
}

TEST_P(ImagesOfShape, ReadAndWrittenByOneKernel) {
  Picture picture({CL_UNSIGNED_INT32, CL_RGBA}, extentFor(GetParam(), false));
  picture.fillAny(random_);
  std::vector<std::byte> before(picture.data(), picture.data() + picture.size());
  const Extent extent = picture.extent();
  std::vector<Int4> at;
  for (uint32_t z = 0; z < extent.slices; ++z)
    for (uint32_t y = 0; y < extent.height; ++y)
      for (uint32_t x = 0; x < extent.width; ++x) {
        Int4 place{static_cast<int32_t>(x), static_cast<int32_t>(y), static_cast<int32_t>(z), 0};
        if (GetParam() == Shape::Lines) place[1] = static_cast<int32_t>(z);
        at.push_back(place);
      }
  std::vector<std::array<uint32_t, 4>> out(at.size());
  Launch launch(program_, "change");
  give(launch.range(at.size()), picture).buffer(at).buffer(out);
  launch.inEveryForm([&](const Outcome&) {
    for (size_t i = 0; i < at.size(); ++i) {
      uint32_t old[4], now[4];
      std::memcpy(old, before.data() + 16 * i, 16);
      std::memcpy(now, picture.data() + 16 * i, 16);
      for (unsigned c = 0; c < 4; ++c) {
        ASSERT_EQ(now[c], old[c] + 1);
        ASSERT_EQ(out[i][c], 2 * old[c] + 1);
      }
    }
  });
}

/// The specification's (1 - a) * T0 + a * T1 has a value between numbers whose difference has none.
TEST_P(ImagesOfShape, LinearBetweenLargeNumbers) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kMost = std::numeric_limits<float>::max();
  const float line[] = {kInfinity, kInfinity, 1, -kInfinity, -kInfinity, -kMost, kMost, kMost};
  Picture picture({CL_FLOAT, CL_R}, {8, traits_.dimensions > 1 ? 3u : 1u,
                                     traits_.dimensions > 2 || traits_.isArray ? 3u : 1u});
  for (size_t at = 0; at < picture.size(); at += sizeof line)
    std::memcpy(picture.data() + at, line, sizeof line);
  const float wanted[] = {kInfinity, kInfinity, -kInfinity, -kInfinity, -kInfinity, 0, kMost};
  std::vector<Float4> at, out(std::size(wanted));
  for (size_t i = 0; i < std::size(wanted); ++i) {
    Float4 place{static_cast<float>(i + 1), 1.25f, 1.75f, 0};
    if (traits_.isArray) place[traits_.dimensions] = 1;
    at.push_back(place);
  }
  for (const uint64_t address : {kClampToEdge, uint64_t{0}}) {
    Launch launch(program_, "by_float");
    give(launch.range(at.size()), picture).value(kLinear | address).buffer(at).buffer(out);
    launch.formsTakeTurns().inEveryForm([&](const Outcome&) {
      for (size_t i = 0; i < std::size(wanted); ++i)
        ASSERT_EQ(out[i][0], wanted[i]) << "between elements " << i << " and " << i + 1;
    });
  }
}

/// Beyond an edge both elements are the edge's: nothing takes part that a weight of zero would not
/// take out.
TEST_P(ImagesOfShape, LinearBeyondInfiniteEdges) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float line[] = {kInfinity, 1, 2, -kInfinity};
  Picture picture({CL_FLOAT, CL_R}, {4, traits_.dimensions > 1 ? 3u : 1u,
                                     traits_.dimensions > 2 || traits_.isArray ? 3u : 1u});
  for (size_t at = 0; at < picture.size(); at += sizeof line)
    std::memcpy(picture.data() + at, line, sizeof line);
  std::vector<Float4> at, out(4);
  for (const float x : {-0.75f, 0.25f, 3.75f, 4.25f}) {
    Float4 place{x, 1.25f, 1.75f, 0};
    if (traits_.isArray) place[traits_.dimensions] = 1;
    at.push_back(place);
  }
  Launch launch(program_, "by_float");
  give(launch.range(at.size()), picture).value(kLinear | kClampToEdge).buffer(at).buffer(out);
  launch.formsTakeTurns().inEveryForm([&](const Outcome&) {
    for (size_t i = 0; i < out.size(); ++i)
      ASSERT_EQ(out[i][0], i < 2 ? kInfinity : -kInfinity) << "at " << at[i][0];
  });
}

INSTANTIATE_TEST_SUITE_P(Every, ImagesOfShape, ::testing::ValuesIn(kEveryShape),
                         [](const ::testing::TestParamInfo<Shape>& info) {
                           return std::string(traitsOf(info.param).type);
                         });

}  // namespace
}  // namespace weft::test
