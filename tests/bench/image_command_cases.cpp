// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstring>
#include <vector>

#include "cases.h"
#include "session.h"
#include "timing.h"

// Commands on images from the host: large ones beside memcpy and memset on one thread, small ones
// for what a call costs.
namespace weft::bench {
namespace {

constexpr size_t kWide = 4096;
constexpr size_t kNarrow = 16;
constexpr size_t kPixel = 4;
constexpr size_t kOrigin[3] = {};

cl_mem makeImage(const Session& session, size_t edge) {
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  cl_image_desc descriptor{};
  descriptor.image_type = CL_MEM_OBJECT_IMAGE2D;
  descriptor.image_width = edge;
  descriptor.image_height = edge;
  cl_int code = 0;
  cl_mem image = clCreateImage(session.context, 0, &format, &descriptor, nullptr, &code);
  check(code, "clCreateImage");
  return image;
}

/// What a square image takes.
struct Square {
  Square(const std::string& platform, size_t edge)
      : session(platform),
        region{edge, edge, 1},
        image(makeImage(session, edge)),
        other(makeImage(session, edge)),
        host(edge * edge * kPixel, 1) {}
  ~Square() {
    clReleaseMemObject(image);
    clReleaseMemObject(other);
  }
  Square(const Square&) = delete;
  Square& operator=(const Square&) = delete;

  void read() {
    check(clEnqueueReadImage(session.queue, image, CL_TRUE, kOrigin, region, 0, 0, host.data(), 0,
                             nullptr, nullptr),
          "clEnqueueReadImage");
  }
  void write() {
    check(clEnqueueWriteImage(session.queue, image, CL_TRUE, kOrigin, region, 0, 0, host.data(), 0,
                              nullptr, nullptr),
          "clEnqueueWriteImage");
  }
  void copy() {
    check(clEnqueueCopyImage(session.queue, image, other, kOrigin, kOrigin, region, 0, nullptr,
                             nullptr),
          "clEnqueueCopyImage");
    check(clFinish(session.queue), "clFinish");
  }
  void fill() {
    constexpr float kColour[4] = {1, 0.5f, 0.25f, 0};
    check(clEnqueueFillImage(session.queue, image, kColour, kOrigin, region, 0, nullptr, nullptr),
          "clEnqueueFillImage");
    check(clFinish(session.queue), "clFinish");
  }
  void map() {
    size_t row = 0;
    cl_int code = 0;
    void* const pointer =
        clEnqueueMapImage(session.queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, kOrigin,
                          region, &row, nullptr, 0, nullptr, nullptr, &code);
    check(code, "clEnqueueMapImage");
    check(clEnqueueUnmapMemObject(session.queue, image, pointer, 0, nullptr, nullptr),
          "clEnqueueUnmapMemObject");
    check(clFinish(session.queue), "clFinish");
  }

  Session session;
  size_t region[3];
  cl_mem image;
  cl_mem other;
  std::vector<char> host;
};

/// GB/s of a command on a large image, or of what C++ does to as many bytes.
double bandwidth(const std::string& platform, void (Square::*command)(), bool copies) {
  constexpr size_t kBytes = kWide * kWide * kPixel;
  const auto rate = [](auto&& once) {
    medianSeconds(3, once);
    return static_cast<double>(kBytes) / medianSeconds(15, once) * 1e-9;
  };
  if (platform == kNative) {
    std::vector<char> from(kBytes, 1), to(kBytes, 2);
    return rate([&, value = 0]() mutable {
      if (copies)
        std::memcpy(to.data(), from.data(), kBytes);
      else
        std::memset(to.data(), ++value, kBytes);
      from[0] = to[kBytes / 2];
    });
  }
  Square square(platform, kWide);
  return rate([&] { (square.*command)(); });
}
double largeRead(const std::string& platform) { return bandwidth(platform, &Square::read, true); }
double largeWrite(const std::string& platform) { return bandwidth(platform, &Square::write, true); }
double largeCopy(const std::string& platform) { return bandwidth(platform, &Square::copy, true); }
double largeFill(const std::string& platform) { return bandwidth(platform, &Square::fill, false); }

double microseconds(const std::string& platform, size_t edge, void (Square::*command)()) {
  Square square(platform, edge);
  const auto once = [&] { (square.*command)(); };
  medianSeconds(500, once);
  return medianSeconds(5001, once) * 1e6;
}
double smallRead(const std::string& platform) {
  return microseconds(platform, kNarrow, &Square::read);
}
double smallFill(const std::string& platform) {
  return microseconds(platform, kNarrow, &Square::fill);
}
double map(const std::string& platform) { return microseconds(platform, kWide, &Square::map); }

double create(const std::string& platform) {
  const Session session(platform);
  const auto once = [&] { clReleaseMemObject(makeImage(session, kNarrow)); };
  medianSeconds(500, once);
  return medianSeconds(5001, once) * 1e6;
}

constexpr Case kCases[] = {
    {"image, 64 MiB: read", "GB/s", true, largeRead, "", true},
    {"image, 64 MiB: write", "GB/s", true, largeWrite, "", true},
    {"image, 64 MiB: copy", "GB/s", true, largeCopy, "", true},
    {"image, 64 MiB: fill", "GB/s", true, largeFill, "", true},
    {"image, 64 MiB: map and unmap", "us", false, map},
    {"image, 1 KiB: blocking read", "us", false, smallRead},
    {"image, 1 KiB: fill and finish", "us", false, smallFill},
    {"image, 1 KiB: create and release", "us", false, create},
};

}  // namespace

std::span<const Case> imageCommandCases() { return kCases; }

}  // namespace weft::bench
