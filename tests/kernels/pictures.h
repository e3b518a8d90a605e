// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <array>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "guarded.h"
#include "harness.h"

/// Images for tests of kernels, and what the specification says their pixels are. Written from the
/// specification alone: nothing here is of the library but the layout of abi::Image.
namespace weft::test {

enum class PixelKind { Float, Signed, Unsigned };

struct PixelFormat {
  cl_uint type, order;

  std::string name() const;
  PixelKind kind() const;
  bool isPacked() const;
  bool isSrgb() const;
  uint32_t channelBytes() const;  ///< of a packed element
  uint32_t elementBytes() const;
  /// The components in the order in which they are stored, as letters; D is depth.
  std::string stored() const;

  friend bool operator==(const PixelFormat&, const PixelFormat&) = default;
};

/// All that images may have.
std::vector<PixelFormat> allFormats();

/// A third of them, which is told, and each day the next; all of them where WEFT_TEST_DAY, which
/// may say another day, is `all`.
std::vector<PixelFormat> formatsOfTheDay();

using Pixel = std::array<double, 4>;

/// What an element is read as. Integers are exact.
Pixel decode(const PixelFormat& format, const std::byte* element);
/// What is read outside of an image with CLK_ADDRESS_CLAMP.
Pixel borderOf(const PixelFormat& format);
/// Whether `element` is what writing of `color` makes, or as good.
::testing::AssertionResult isEncoded(const PixelFormat& format, const Pixel& color,
                                     const std::byte* element);

struct Extent {
  uint32_t width = 1, height = 1, slices = 1;
};

enum class GuardAt { Begin, End };

/// An image of one or more levels, next to a page that nobody may touch.
class Picture {
 public:
  /// Layers do not get fewer from level to level.
  Picture(PixelFormat format, Extent extent, GuardAt guard = GuardAt::End, uint32_t padding = 0,
          uint32_t levels = 1, bool isArray = false);

  const PixelFormat& format() const { return format_; }
  const abi::Image& header() const { return header_; }
  Extent extent(uint32_t level = 0) const;
  std::byte* data() { return memory_->data(); }
  size_t size() const { return memory_->size(); }
  std::byte* at(uint32_t x, uint32_t y, uint32_t z, uint32_t level = 0);
  Pixel pixel(uint32_t x, uint32_t y, uint32_t z, uint32_t level = 0) {
    return decode(format_, at(x, y, z, level));
  }

  /// Any bytes.
  void fillAny(std::mt19937& random);
  /// Floats between -1 and 1 in formats of such.
  void fillTame(std::mt19937& random);

 private:
  PixelFormat format_;
  abi::Image header_{};
  std::unique_ptr<Guarded> memory_;
};

/// Gives a launch an image.
inline Launch& give(Launch& launch, Picture& picture) {
  return launch.image(picture.header(), picture.data(), picture.size());
}

}  // namespace weft::test
