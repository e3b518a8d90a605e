// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "turn.h"

#include <cmath>
#include <numbers>

namespace weft::demo {
namespace {

Memory makeImage(const Device& device, cl_mem_flags flags, const Picture& picture,
                 const uint8_t* pixels) {
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = static_cast<size_t>(picture.width);
  description.image_height = static_cast<size_t>(picture.height);
  cl_int code = 0;
  Memory image(clCreateImage(device.context(), flags | (pixels ? CL_MEM_COPY_HOST_PTR : 0), &format,
                             &description, const_cast<uint8_t*>(pixels), &code));
  check(code, "clCreateImage");
  return image;
}

float radians(float degrees) { return degrees * std::numbers::pi_v<float> / 180; }

/// A pixel, or zeros beyond the picture.
const uint8_t* pixelAt(const Picture& picture, int x, int y) {
  static constexpr uint8_t kBorder[4] = {};
  if (x < 0 || x >= picture.width || y < 0 || y >= picture.height) return kBorder;
  return &picture.rgba[4 * (static_cast<size_t>(y) * picture.width + x)];
}

}  // namespace

Picture turnOnDevice(const Device& device, const Picture& source, float degrees, Timing& timing) {
  const Kernel kernel = device.build(WEFT_DEMO_KERNELS "/turn.cl", "", "turn", timing);
  const Memory input = makeImage(device, CL_MEM_READ_ONLY, source, source.rgba.data());
  const Memory output = makeImage(device, CL_MEM_WRITE_ONLY, source, nullptr);
  setArgument(kernel, 0, input.get());
  setArgument(kernel, 1, output.get());
  setArgument(kernel, 2, std::cos(radians(degrees)));
  setArgument(kernel, 3, std::sin(radians(degrees)));
  const std::array<size_t, 3> region{static_cast<size_t>(source.width),
                                     static_cast<size_t>(source.height), 1};
  device.launch(kernel.get(), {region[0], region[1]}, nullptr, timing);

  Picture result{source.width, source.height, std::vector<uint8_t>(source.rgba.size())};
  const std::array<size_t, 3> origin{};
  check(clEnqueueReadImage(device.queue(), output.get(), CL_TRUE, origin.data(), region.data(), 0,
                           0, result.rgba.data(), 0, nullptr, nullptr),
        "clEnqueueReadImage");
  return result;
}

Picture turnOnHost(const Picture& source, float degrees) {
  const float cosine = std::cos(radians(degrees)), sine = std::sin(radians(degrees));
  const float centreX = 0.5f * static_cast<float>(source.width);
  const float centreY = 0.5f * static_cast<float>(source.height);
  Picture result{source.width, source.height, std::vector<uint8_t>(source.rgba.size())};
  for (int y = 0; y < source.height; ++y)
    for (int x = 0; x < source.width; ++x) {
      const float fromX = static_cast<float>(x) + 0.5f - centreX;
      const float fromY = static_cast<float>(y) + 0.5f - centreY;
      const float atX = cosine * fromX + sine * fromY + centreX - 0.5f;
      const float atY = cosine * fromY - sine * fromX + centreY - 0.5f;
      const float left = std::floor(atX), top = std::floor(atY);
      const int column = static_cast<int>(left), row = static_cast<int>(top);
      const uint8_t* taps[4] = {pixelAt(source, column, row), pixelAt(source, column + 1, row),
                                pixelAt(source, column, row + 1),
                                pixelAt(source, column + 1, row + 1)};
      uint8_t* pixel = &result.rgba[4 * (static_cast<size_t>(y) * source.width + x)];
      for (int c = 0; c < 4; ++c) {
        const auto tap = [&](int k) { return static_cast<float>(taps[k][c]); };
        const float above = std::lerp(tap(0), tap(1), atX - left);
        const float below = std::lerp(tap(2), tap(3), atX - left);
        pixel[c] = static_cast<uint8_t>(std::nearbyint(std::lerp(above, below, atY - top)));
      }
    }
  return result;
}

}  // namespace weft::demo
