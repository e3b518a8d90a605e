// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace weft {

/// Extent of a rect command: bytes, rows and slices, none of them zero.
struct RectRegion {
  size_t width;
  size_t height;
  size_t depth;
};

/// Where a rect lies in its memory. Everything up to `end` fits a size_t.
struct RectLayout {
  size_t start;       ///< of the first byte
  size_t rowPitch;    ///< bytes from row to row; at least the width
  size_t slicePitch;  ///< bytes from slice to slice; at least the rows of one
  size_t end;         ///< one past the last byte
};

/// Whether a box has no gaps.
constexpr bool isPacked(const RectRegion& region, size_t rowPitch, size_t slicePitch) noexcept {
  return (region.height == 1 || rowPitch == region.width) &&
         (region.depth == 1 || slicePitch == region.width * region.height);
}

/// A box of bytes in memory. Rows and slices follow each other in it: a row pitch is at least the
/// width, a slice pitch at least what the rows of a slice take.
struct ByteBox {
  std::byte* begin;
  RectRegion region;
  size_t rowPitch;
  size_t slicePitch;

  /// One past the last byte.
  const std::byte* end() const noexcept {
    return begin + (region.depth - 1) * slicePitch + (region.height - 1) * rowPitch + region.width;
  }
  bool isPacked() const noexcept { return weft::isPacked(region, rowPitch, slicePitch); }
};

/// Whether two boxes have bytes in common. Takes time in proportion to the rows of one of them.
bool shareBytes(const ByteBox& a, const ByteBox& b) noexcept;

}  // namespace weft
