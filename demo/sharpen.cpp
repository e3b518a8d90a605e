// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sharpen.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace weft::demo {
namespace {

constexpr size_t kTile = 16;

Memory makeBuffer(const Device& device, cl_mem_flags flags, size_t bytes, const void* data) {
  cl_int code = 0;
  Memory buffer(clCreateBuffer(device.context(), flags | (data ? CL_MEM_COPY_HOST_PTR : 0), bytes,
                               const_cast<void*>(data), &code));
  check(code, "clCreateBuffer");
  return buffer;
}

}  // namespace

std::vector<float> gaussian(int radius) {
  std::vector<float> weights;
  float total = 0;
  for (int i = -radius; i <= radius; ++i) {
    const float t = static_cast<float>(i) / (0.5f * static_cast<float>(radius));
    weights.push_back(std::exp(-0.5f * t * t));
    total += weights.back();
  }
  for (float& weight : weights) weight /= total;
  return weights;
}

Picture sharpenOnDevice(const Device& device, const Picture& source,
                        const std::vector<float>& weights, float amount, Timing& timing) {
  const std::string options =
      "-DTILE=" + std::to_string(kTile) + " -DRADIUS=" + std::to_string(weights.size() / 2);
  const Kernel kernel = device.build(WEFT_DEMO_KERNELS "/sharpen.cl", options, "sharpen", timing);
  const size_t bytes = source.rgba.size();
  const Memory input = makeBuffer(device, CL_MEM_READ_ONLY, bytes, source.rgba.data());
  const Memory output = makeBuffer(device, CL_MEM_WRITE_ONLY, bytes, nullptr);
  const Memory taps =
      makeBuffer(device, CL_MEM_READ_ONLY, weights.size() * sizeof(float), weights.data());
  setArgument(kernel, 0, input.get());
  setArgument(kernel, 1, output.get());
  setArgument(kernel, 2, taps.get());
  setArgument(kernel, 3, source.width);
  setArgument(kernel, 4, source.height);
  setArgument(kernel, 5, amount);

  const auto roundUp = [](int n) { return (static_cast<size_t>(n) + kTile - 1) / kTile * kTile; };
  const std::array<size_t, 2> local{kTile, kTile};
  device.launch(kernel.get(), {roundUp(source.width), roundUp(source.height)}, local.data(),
                timing);

  Picture result{source.width, source.height, std::vector<uint8_t>(bytes)};
  check(clEnqueueReadBuffer(device.queue(), output.get(), CL_TRUE, 0, bytes, result.rgba.data(), 0,
                            nullptr, nullptr),
        "clEnqueueReadBuffer");
  return result;
}

Picture sharpenOnHost(const Picture& source, const std::vector<float>& weights, float amount) {
  const int width = source.width, height = source.height;
  const int radius = static_cast<int>(weights.size() / 2);
  std::vector<float> rows(source.rgba.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 4; ++c) {
        float sum = 0;
        for (int k = -radius; k <= radius; ++k) {
          const int column = std::clamp(x + k, 0, width - 1);
          sum +=
              weights[k + radius] * source.rgba[4 * (static_cast<size_t>(y) * width + column) + c];
        }
        rows[4 * (static_cast<size_t>(y) * width + x) + c] = sum;
      }
  Picture result{width, height, std::vector<uint8_t>(source.rgba.size())};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 4; ++c) {
        float blurred = 0;
        for (int k = -radius; k <= radius; ++k) {
          const int row = std::clamp(y + k, 0, height - 1);
          blurred += weights[k + radius] * rows[4 * (static_cast<size_t>(row) * width + x) + c];
        }
        const size_t i = 4 * (static_cast<size_t>(y) * width + x) + c;
        const auto original = static_cast<float>(source.rgba[i]);
        const float value = std::nearbyint(original + amount * (original - blurred));
        result.rgba[i] = static_cast<uint8_t>(std::clamp(value, 0.0f, 255.0f));
      }
  return result;
}

}  // namespace weft::demo
