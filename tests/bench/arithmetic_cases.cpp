// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>

#include "compute.h"
#include "native/native.h"
#include "references.h"

// Kernels that compute much with little memory.
namespace weft::bench {
namespace {

double nbody(const std::string& platform) {
  constexpr size_t kCount = 4096;
  constexpr float kSoftening = 0.01f;
  const auto bodies = randoms<float>(kCount * 4, -1, 1);
  std::vector<float> accelerations(kCount * 4);
  const double seconds = platform == kNative
                             ? nativeSeconds(kCount, native::kBodies,
                                             [&](size_t begin, size_t end) {
                                               native::nbody(bodies.data(), accelerations.data(),
                                                             kCount, kSoftening, begin, end);
                                             })
                             : ComputeKernel(platform, "arithmetic.cl", "nbody")
                                   .in(bodies)
                                   .out(accelerations)
                                   .value(static_cast<cl_int>(kCount))
                                   .value(kSoftening)
                                   .seconds({{kCount}, {64}});
  const auto reference = [&](size_t i) {
    if (i % 4 == 3) return 0.0;
    double sum = 0;
    for (size_t j = 0; j < kCount; ++j) {
      std::array<double, 3> d{};
      double square = kSoftening;
      for (size_t axis = 0; axis < 3; ++axis) {
        d[axis] = double(bodies[j * 4 + axis]) - double(bodies[i / 4 * 4 + axis]);
        square += d[axis] * d[axis];
      }
      sum += double(bodies[j * 4 + 3]) * d[i % 4] / (square * std::sqrt(square));
    }
    return sum;
  };
  expect(accelerations, reference, 1e-3, 41);
  return 20e-9 * double(kCount * kCount) / seconds;  // by custom, 20 for an interaction
}

double mandelbrot(const std::string& platform) {
  constexpr size_t kSize = 1024;
  constexpr cl_uint kLimit = 256;
  std::vector<cl_uint> iterations(kSize * kSize);
  const double seconds =
      platform == kNative
          ? nativeSeconds(kSize, 1,
                          [&](size_t begin, size_t end) {
                            native::mandelbrot(iterations.data(), kSize, kLimit, begin, end);
                          })
          : ComputeKernel(platform, "arithmetic.cl", "mandelbrot")
                .out(iterations)
                .value(static_cast<cl_int>(kSize))
                .value(kLimit)
                .seconds({{kSize, kSize}, {16, 16}});
  const auto reference = [&](size_t i) {
    const float cx = -2.0f + 3.0f * static_cast<float>(i % kSize) / kSize;
    const float cy = -1.5f + 3.0f * static_cast<float>(i / kSize) / kSize;
    float x = 0, y = 0;
    cl_uint n = 0;
    for (; n < kLimit && x * x + y * y <= 4.0f; ++n) {
      const float t = x * x - y * y + cx;
      y = 2.0f * x * y + cy;
      x = t;
    }
    return n;
  };
  // Points next to the set escape earlier or later with each rounding.
  expect(iterations, reference, 0, 61, 0.02);
  double total = 0;
  for (const cl_uint n : iterations) total += n;
  return total * 1e-9 / seconds;
}

double blackScholes(const std::string& platform) {
  constexpr size_t kCount = size_t{1} << 21;
  constexpr float kRate = 0.02f, kVolatility = 0.3f;
  const auto price = randoms<float>(kCount, 5, 30, 1), strike = randoms<float>(kCount, 5, 30, 2),
             years = randoms<float>(kCount, 0.25, 10, 3);
  std::vector<float> call(kCount), put(kCount);
  const double seconds =
      platform == kNative
          ? nativeSeconds(kCount, 64,
                          [&](size_t begin, size_t end) {
                            native::blackScholes(price.data(), strike.data(), years.data(),
                                                 call.data(), put.data(), kRate, kVolatility, begin,
                                                 end);
                          })
          : ComputeKernel(platform, "arithmetic.cl", "blackscholes")
                .in(price)
                .in(strike)
                .in(years)
                .out(call)
                .out(put)
                .value(kRate)
                .value(kVolatility)
                .seconds({{kCount}, {64}});
  const auto option = [&](size_t i) {
    return Option{price[i], strike[i], years[i], kRate, kVolatility};
  };
  expect(call, [&](size_t i) { return option(i).call(); }, 1e-4, 17);
  expect(put, [&](size_t i) { return option(i).put(); }, 1e-4, 17);
  return double(kCount) * 1e-9 / seconds;
}

double monteCarlo(const std::string& platform) {
  constexpr size_t kCount = size_t{1} << 16;
  constexpr cl_int kSamples = 256;
  std::vector<cl_uint> hits(kCount);
  const double seconds = ComputeKernel(platform, "arithmetic.cl", "montecarlo")
                             .out(hits)
                             .value(kSamples)
                             .seconds({{kCount}, {64}});
  const auto reference = [&](size_t i) {
    cl_uint state = static_cast<cl_uint>(i) * 2654435761u + 1u, inside = 0;
    for (cl_int n = 0; n < kSamples; ++n) {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      const double x = (state & 0xffff) * 0x1p-16, y = (state >> 16) * 0x1p-16;
      inside += x * x + y * y < 1.0;
    }
    return inside;
  };
  expect(hits, reference, 0, 3, 0.01);
  double total = 0;
  for (const cl_uint hit : hits) total += hit;
  const double samples = double(kCount) * kSamples;
  if (std::abs(4 * total / samples - 3.14159265) > 2e-3)
    throw std::runtime_error("pi = " + std::to_string(4 * total / samples));
  return samples * 1e-9 / seconds;
}

constexpr Case kCases[] = {
    {"nbody", "GFLOP/s", true, nbody, "compute", true},
    {"mandelbrot", "Giterations/s", true, mandelbrot, "compute", true},
    {"black-scholes", "Goptions/s", true, blackScholes, "compute", true},
    {"monte-carlo pi", "Gsamples/s", true, monteCarlo, "compute"},
};

}  // namespace

std::span<const Case> arithmeticCases() { return kCases; }

}  // namespace weft::bench
