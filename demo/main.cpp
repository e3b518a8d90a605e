// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sharpens a photograph-sized picture on the first OpenCL device, checks it against the same
// filter on the host, and writes both pictures.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "picture.h"
#include "sharpen.h"

namespace {

using namespace weft::demo;

/// Largest difference of a colour value, and how many differ at all.
struct Difference {
  int largest = 0;
  size_t count = 0;
};

Difference compare(const Picture& a, const Picture& b) {
  Difference difference;
  for (size_t i = 0; i < a.rgba.size(); ++i) {
    const int delta = std::abs(a.rgba[i] - b.rgba[i]);
    if (delta == 0) continue;
    ++difference.count;
    if (delta > difference.largest) difference.largest = delta;
  }
  return difference;
}

int run(const std::string& folder) {
  constexpr int kWidth = 4032, kHeight = 3024, kRadius = 6;
  constexpr float kAmount = 1.5f;
  const Picture before = landscape(kWidth, kHeight);
  const auto weights = gaussian(kRadius);
  Timing timing;
  const Picture after = sharpenOnDevice(before, weights, kAmount, timing);
  const Picture expected = sharpenOnHost(before, weights, kAmount);
  // Device and host may contract multiply-adds differently: a value on the edge between two
  // integers may round either way, so one step is allowed, and that in few places.
  const Difference difference = compare(after, expected);
  const bool right = difference.largest <= 1 && difference.count < after.rgba.size() / 1000;
  writePng(before, folder + "/before.png");
  writePng(after, folder + "/after.png");

  const double pixels = static_cast<double>(kWidth) * kHeight;
  std::printf("device      %s\n", timing.device.c_str());
  std::printf("picture     %d x %d, unsharp mask of radius %d\n", kWidth, kHeight, kRadius);
  std::printf("build       %.1f ms\n", timing.buildMilliseconds);
  std::printf("kernel      %.1f ms\n", timing.kernelMilliseconds);
  std::printf("throughput  %.0f Mpixel/s\n", pixels / timing.kernelMilliseconds * 1e-3);
  std::printf("result      %s: %zu of %zu values differ from the host's by at most %d\n",
              right ? "right" : "WRONG", difference.count, after.rgba.size(), difference.largest);
  std::printf("pictures    %s/before.png, %s/after.png\n", folder.c_str(), folder.c_str());
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? argv[1] : ".");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
