// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sharpens a photograph-sized picture on the first OpenCL device, in buffers, and turns it, through
// images and a sampler; checks both against the same filters on the host, and writes the pictures.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "picture.h"
#include "sharpen.h"
#include "turn.h"

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

/// Whether a picture from the device is that of the host; says so.
bool report(const char* filter, const Timing& timing, const Picture& found,
            const Picture& expected) {
  // Device and host may contract multiply-adds differently: a value on the edge between two
  // integers may round either way, so one step is allowed, and that in few places.
  const Difference difference = compare(found, expected);
  const bool right = difference.largest <= 1 && difference.count < found.rgba.size() / 1000;
  const double pixels = static_cast<double>(found.width) * found.height;
  std::printf("%s\n", filter);
  std::printf("  build       %.1f ms\n", timing.buildMilliseconds);
  std::printf("  kernel      %.1f ms\n", timing.kernelMilliseconds);
  std::printf("  throughput  %.0f Mpixel/s\n", pixels / timing.kernelMilliseconds * 1e-3);
  std::printf("  result      %s: %zu of %zu values differ from the host's by at most %d\n",
              right ? "right" : "WRONG", difference.count, found.rgba.size(), difference.largest);
  return right;
}

int run(const std::string& folder) {
  constexpr int kWidth = 4032, kHeight = 3024, kRadius = 6;
  constexpr float kAmount = 1.5f, kDegrees = 30;
  const Device device;
  const Picture before = landscape(kWidth, kHeight);
  std::printf("device        %s\n", device.name().c_str());
  std::printf("picture       %d x %d\n", kWidth, kHeight);

  const auto weights = gaussian(kRadius);
  Timing timing;
  const Picture sharp = sharpenOnDevice(device, before, weights, kAmount, timing);
  bool right =
      report("unsharp mask of radius 6", timing, sharp, sharpenOnHost(before, weights, kAmount));
  const Picture turned = turnOnDevice(device, before, kDegrees, timing);
  right &=
      report("turned by 30 degrees, through images", timing, turned, turnOnHost(before, kDegrees));

  writePng(before, folder + "/before.png");
  writePng(sharp, folder + "/after.png");
  writePng(turned, folder + "/turned.png");
  std::printf("pictures      before.png, after.png, turned.png in %s\n", folder.c_str());
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
