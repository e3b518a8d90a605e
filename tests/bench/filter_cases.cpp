// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filters of pictures through images and samplers, and the same on buffers.
#include <cmath>

#include "compute.h"

namespace weft::bench {
namespace {

enum class Filter { Blur, Convolve, Resize, Rotate, Resample };
enum class Memory { Images, Buffers };

constexpr const char* kNames[] = {"blur", "convolve", "resize", "rotate_picture", "resample"};

/// Four bytes, four floats, one float.
struct Bytes {
  using Channel = cl_uchar;
  static constexpr size_t kChannels = 4;
  static constexpr cl_image_format kFormat{CL_RGBA, CL_UNORM_INT8};
  static constexpr const char* kOption = "-DBYTES";
  static constexpr double kMost = 255, kTolerance = 1.01;
};
struct Floats {
  using Channel = cl_float;
  static constexpr size_t kChannels = 4;
  static constexpr cl_image_format kFormat{CL_RGBA, CL_FLOAT};
  static constexpr const char* kOption = "-DFLOATS";
  static constexpr double kMost = 1, kTolerance = 2e-3;
};
struct Single {
  using Channel = cl_float;
  static constexpr size_t kChannels = 1;
  static constexpr cl_image_format kFormat{CL_R, CL_FLOAT};
  static constexpr const char* kOption = "-DSINGLE";
  static constexpr double kMost = 1, kTolerance = 2e-3;
};

/// A picture or volume in plain C++.
template <class P>
struct Picture {
  Sizes size;
  std::vector<typename P::Channel> channels;

  double at(long x, long y, long z, size_t channel) const {
    const auto place = [](long i, size_t n) {
      return static_cast<size_t>(std::clamp<long>(i, 0, static_cast<long>(n) - 1));
    };
    return channels[((place(z, size[2]) * size[1] + place(y, size[1])) * size[0] +
                     place(x, size[0])) *
                        P::kChannels +
                    channel];
  }
  double between(double x, double y, double z, size_t channel) const {
    double sum = 0;
    const std::array<double, 3> first{std::floor(x - 0.5), std::floor(y - 0.5),
                                      std::floor(z - 0.5)};
    for (int corner = 0; corner < 8; ++corner) {
      const long i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
      const auto weight = [](double at, double left, long side) {
        const double part = at - 0.5 - left;
        return side != 0 ? part : 1 - part;
      };
      sum += weight(x, first[0], i) * weight(y, first[1], j) * weight(z, first[2], k) *
             at(static_cast<long>(first[0]) + i, static_cast<long>(first[1]) + j,
                static_cast<long>(first[2]) + k, channel);
    }
    return sum;
  }
};

std::vector<float> weightsOf(Filter filter, const Sizes& in, const Sizes& out) {
  const auto ratio = [&](size_t d) {
    return static_cast<float>(static_cast<double>(in[d]) / static_cast<double>(out[d]));
  };
  std::vector<float> weights;
  switch (filter) {
    case Filter::Blur:
      for (int i = -4; i <= 4; ++i) weights.push_back(std::exp(-0.125f * float(i * i)) * 0.2f);
      break;
    case Filter::Convolve:
      weights = randoms<float>(25, 0, 0.07);
      break;
    case Filter::Resize:
    case Filter::Resample:
      weights = {ratio(0), ratio(1), ratio(2)};
      break;
    case Filter::Rotate:
      weights = {std::cos(0.5235988f), std::sin(0.5235988f)};
      break;
  }
  return weights;
}

template <class P>
double reference(Filter filter, const Picture<P>& in, const Sizes& out,
                 const std::vector<float>& weights, size_t element) {
  const size_t channel = element % P::kChannels, pixel = element / P::kChannels;
  const auto x = static_cast<long>(pixel % out[0]), y = static_cast<long>(pixel / out[0] % out[1]),
             z = static_cast<long>(pixel / out[0] / out[1]);
  const double dx = double(x) + 0.5, dy = double(y) + 0.5, dz = double(z) + 0.5;
  double sum = 0;
  switch (filter) {
    case Filter::Blur:
      for (long i = -4; i <= 4; ++i)
        sum += double(weights[static_cast<size_t>(i + 4)]) * in.at(x + i, y, 0, channel);
      break;
    case Filter::Convolve:
      for (long i = 0; i < 25; ++i)
        sum += double(weights[static_cast<size_t>(i)]) *
               in.at(x + i % 5 - 2, y + i / 5 - 2, 0, channel);
      break;
    case Filter::Resize:
      sum = in.between(dx * double(weights[0]), dy * double(weights[1]), 0.5, channel);
      break;
    case Filter::Resample:
      sum = in.between(dx * double(weights[0]), dy * double(weights[1]), dz * double(weights[2]),
                       channel);
      break;
    case Filter::Rotate: {
      const double c = double(weights[0]), s = double(weights[1]);
      const double mx = 0.5 * double(in.size[0]), my = 0.5 * double(in.size[1]);
      sum = in.between(mx + c * (dx - mx) - s * (dy - my), my + s * (dx - mx) + c * (dy - my), 0.5,
                       channel);
      break;
    }
  }
  return std::min(sum, P::kMost == 255 ? P::kMost : sum);
}

template <class P>
double run(const std::string& platform, Filter filter, Memory memory) {
  const bool isVolume = filter == Filter::Resample;
  const bool isSmaller = filter == Filter::Resize || isVolume;
  const Sizes inSize = isVolume ? Sizes{128, 128, 128} : Sizes{1500, 1500, 1};
  const Sizes outSize = !isSmaller ? inSize
                        : isVolume ? Sizes{160, 160, 160}
                                   : Sizes{2048, 2048, 1};
  const auto count = [](const Sizes& size) { return size[0] * size[1] * size[2]; };
  const Picture<P> in{inSize, randoms<typename P::Channel>(count(inSize) * P::kChannels, 0,
                                                           P::kMost + (P::kMost == 255 ? 1 : 0))};
  std::vector<typename P::Channel> out(count(outSize) * P::kChannels);
  const std::vector<float> weights = weightsOf(filter, inSize, outSize);
  std::string options = P::kOption;
  if (memory == Memory::Images) options += " -DIMAGES";
  ComputeKernel kernel(platform, "filters.cl", kNames[static_cast<size_t>(filter)], options);
  if (memory == Memory::Images)
    kernel.imageIn(P::kFormat, inSize, in.channels.data())
        .imageOut(P::kFormat, outSize, out.data());
  else
    kernel.in(in.channels).out(out);
  kernel.in(weights);
  for (size_t d = 0; d < (isVolume ? 3 : 2); ++d) kernel.value(static_cast<cl_int>(inSize[d]));
  Shape shape{outSize, {}};
  if (!isVolume) shape.global[2] = 0;
  const double seconds = kernel.seconds(shape);
  // Coordinates are floats: where they are large, the weights of a linear filter have fewer bits.
  expect(
      out, [&](size_t i) { return reference<P>(filter, in, outSize, weights, i); }, P::kTolerance,
      101, 0.001);
  return 1e-9 * static_cast<double>(count(outSize)) / seconds;
}

template <class P, Filter filter, Memory memory>
double measure(const std::string& platform) {
  return run<P>(platform, filter, memory);
}

#define WEFT_FILTER(name, filter, P, pixels)                                                       \
  {name " " pixels ", images",                                                                     \
   "Gpixel/s",                                                                                     \
   true,                                                                                           \
   measure<P, Filter::filter, Memory::Images>,                                                     \
   "compute filters",                                                                              \
   false,                                                                                          \
   name " " pixels ", buffers"},                                                                   \
      {name " " pixels ", buffers", "Gpixel/s", true, measure<P, Filter::filter, Memory::Buffers>, \
       "compute filters"}
#define WEFT_FILTERS(name, filter)                                                            \
  WEFT_FILTER(name, filter, Bytes, "4 bytes"), WEFT_FILTER(name, filter, Floats, "4 floats"), \
      WEFT_FILTER(name, filter, Single, "1 float")

constexpr Case kCases[] = {
    WEFT_FILTERS("gaussian", Blur),       WEFT_FILTERS("filter 5x5", Convolve),
    WEFT_FILTERS("resize", Resize),       WEFT_FILTERS("rotation", Rotate),
    WEFT_FILTERS("resampling", Resample),
};

}  // namespace

std::span<const Case> filterCases() { return kCases; }

}  // namespace weft::bench
