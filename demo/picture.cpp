// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "picture.h"

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace weft::demo {
namespace {

/// A value in [0, 1) that depends on the lattice point alone.
float lattice(int x, int y) {
  uint32_t h = static_cast<uint32_t>(x) * 0x9e3779b1u ^ static_cast<uint32_t>(y) * 0x85ebca77u;
  h = (h ^ (h >> 15)) * 0x2c1b3c6du;
  h = (h ^ (h >> 12)) * 0x297a2d39u;
  return static_cast<float>((h ^ (h >> 15)) >> 8) * 0x1p-24f;
}

float smoothNoise(float x, float y) {
  const float fx = std::floor(x), fy = std::floor(y);
  const int ix = static_cast<int>(fx), iy = static_cast<int>(fy);
  const auto fade = [](float t) { return t * t * (3 - 2 * t); };
  const float u = fade(x - fx), v = fade(y - fy);
  const float top = std::lerp(lattice(ix, iy), lattice(ix + 1, iy), u);
  const float bottom = std::lerp(lattice(ix, iy + 1), lattice(ix + 1, iy + 1), u);
  return std::lerp(top, bottom, v);
}

/// Sum of octaves of noise, in [0, 1).
float fractal(float x, float y, int octaves) {
  float sum = 0, amplitude = 0.5f;
  for (int i = 0; i < octaves; ++i, x *= 2, y *= 2, amplitude *= 0.5f)
    sum += amplitude * smoothNoise(x, y);
  return sum;
}

using Colour = std::array<float, 3>;

Colour mix(const Colour& a, const Colour& b, float t) {
  return {std::lerp(a[0], b[0], t), std::lerp(a[1], b[1], t), std::lerp(a[2], b[2], t)};
}

Colour skyAt(float x, float y) {
  const Colour sky = mix({0.25f, 0.45f, 0.75f}, {0.95f, 0.8f, 0.65f}, y);
  const float cloud = std::clamp(fractal(x * 3, y * 9, 5) * 2 - 0.9f, 0.0f, 1.0f);
  return mix(sky, {1.0f, 0.97f, 0.93f}, cloud * 0.8f);
}

}  // namespace

Picture landscape(int width, int height) {
  constexpr int kRidges = 5;
  Picture picture{width, height, std::vector<uint8_t>(size_t{4} * width * height)};
  for (int column = 0; column < width; ++column) {
    const float x = static_cast<float>(column) / static_cast<float>(height);
    std::array<float, kRidges> ridge{};
    for (int i = 0; i < kRidges; ++i)
      ridge[i] =
          0.35f + 0.11f * static_cast<float>(i) -
          0.3f * (fractal(x * (1.5f + static_cast<float>(i)) + 17.0f * i, 3.0f * i, 7) - 0.5f);
    for (int row = 0; row < height; ++row) {
      const float y = static_cast<float>(row) / static_cast<float>(height);
      Colour colour = skyAt(x, y);
      for (int i = 0; i < kRidges; ++i) {
        if (y < ridge[i]) continue;
        const float near = static_cast<float>(i) / (kRidges - 1);
        const float rock = fractal(x * 40, y * 40 + 100.0f * i, 4);
        const Colour ground = mix({0.55f, 0.6f, 0.7f}, {0.12f, 0.22f, 0.08f}, near);
        colour = mix(ground, {0.4f, 0.33f, 0.25f}, rock * (0.3f + 0.5f * near));
      }
      uint8_t* pixel = &picture.rgba[4 * (static_cast<size_t>(row) * width + column)];
      for (int c = 0; c < 3; ++c)
        pixel[c] = static_cast<uint8_t>(std::clamp(colour[c] * 255.0f, 0.0f, 255.0f));
      pixel[3] = 255;
    }
  }
  return picture;
}

void writePng(const Picture& picture, const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGBA;
  image.flags = PNG_IMAGE_FLAG_FAST;
  if (png_image_write_to_file(&image, path.c_str(), 0, picture.rgba.data(), 0, nullptr) == 0)
    throw std::runtime_error(path + ": " + image.message);
}

}  // namespace weft::demo
