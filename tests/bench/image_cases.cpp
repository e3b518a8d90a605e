// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compute.h"
#include "native/native.h"
#include "references.h"

namespace weft::bench {
namespace {

double convolve(const std::string& platform) {
  constexpr size_t kSize = 2048, kSide = native::kSide, kPadded = kSize + kSide - 1;
  const auto in = randoms<float>(kPadded * kPadded, 0, 1);
  const auto weights = randoms<float>(kSide * kSide, -1, 1, 2);
  std::vector<float> out(kSize * kSize);
  const double seconds = platform == kNative
                             ? nativeSeconds(kSize, 1,
                                             [&](size_t begin, size_t end) {
                                               native::convolve(in.data(), weights.data(),
                                                                out.data(), kSize, begin, end);
                                             })
                             : ComputeKernel(platform, "image.cl", "convolve")
                                   .in(in)
                                   .in(weights)
                                   .out(out)
                                   .value(static_cast<cl_int>(kSize))
                                   .seconds({{kSize, kSize}, {16, 16}});
  const auto reference = [&](size_t i) {
    double sum = 0;
    for (size_t y = 0; y < kSide; ++y)
      for (size_t x = 0; x < kSide; ++x)
        sum +=
            double(weights[y * kSide + x]) * double(in[(i / kSize + y) * kPadded + i % kSize + x]);
    return sum;
  };
  expect(out, reference, 1e-4, 7);
  return 2e-9 * kSide * kSide * kSize * kSize / seconds;
}

double sobel(const std::string& platform) {
  constexpr size_t kSize = 4096;
  const auto in = randoms<cl_uchar>(kSize * kSize, 0, 256);
  std::vector<cl_uchar> out(kSize * kSize);
  const double seconds =
      platform == kNative
          ? nativeSeconds(kSize, 1,
                          [&](size_t begin, size_t end) {
                            native::sobel(in.data(), out.data(), kSize, kSize, begin, end);
                          })
          : ComputeKernel(platform, "image.cl", "sobel")
                .in(in)
                .out(out)
                .value(static_cast<cl_int>(kSize))
                .value(static_cast<cl_int>(kSize))
                .seconds({{kSize, kSize}, {16, 16}});
  expect(out, [&](size_t i) { return sobelAt(in, kSize, kSize, i); });
  return 1e-9 * kSize * kSize / seconds;
}

constexpr Case kCases[] = {
    {"convolution 5x5", "GFLOP/s", true, convolve, "compute", true},
    {"sobel bytes", "Gpixel/s", true, sobel, "compute", true},
};

}  // namespace

std::span<const Case> imageCases() { return kCases; }

}  // namespace weft::bench
