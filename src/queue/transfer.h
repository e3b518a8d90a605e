// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <variant>

#include "memory/rect.h"
#include "platform/limits.h"

namespace weft {

/// Bytes from one place to another. Overlapping ranges, which only host pointers into a buffer can
/// make, are copied right as long as the copy is not split.
struct LinearCopy {
  const std::byte* source;
  std::byte* target;
  size_t size;
};

/// A box of bytes; the pointers include the start of each layout.
struct RectCopy {
  const std::byte* source;
  std::byte* target;
  RectRegion region;
  size_t sourceRowPitch;
  size_t sourceSlicePitch;
  size_t targetRowPitch;
  size_t targetSlicePitch;
};

/// The box `region` between two layouts, each within its own bytes.
inline RectCopy rectCopyOf(const std::byte* source, const RectLayout& from, std::byte* target,
                           const RectLayout& to, const RectRegion& region) noexcept {
  return {source + from.start, target + to.start, region,       from.rowPitch,
          from.slicePitch,     to.rowPitch,       to.slicePitch};
}

/// All of one box to another. Pre: both are of one region.
inline RectCopy rectCopyOf(const ByteBox& source, const ByteBox& target) noexcept {
  return {source.begin,      target.begin,    source.region,    source.rowPitch,
          source.slicePitch, target.rowPitch, target.slicePitch};
}

/// A pattern, over and over. `size` is a multiple of patternSize, a power of two.
struct Fill {
  std::byte* target;
  size_t size;
  std::array<std::byte, limits::kMaxPatternSize> pattern;
  size_t patternSize;
};

/// The rows of a box of bytes, each of which starts with the pattern: of any size, which divides
/// the rows.
struct RectFill {
  std::byte* target;
  RectRegion region;
  size_t rowPitch;
  size_t slicePitch;
  std::array<std::byte, limits::kMaxImageElementSize> pattern;
  size_t patternSize;
};

/// The work of a command on buffers or images, which can be split in parts that touch different
/// bytes.
///
/// Ownership: borrows all memory. Threads: run() on any number of threads, each with a part of
/// its own.
class Transfer {
 public:
  Transfer(const LinearCopy& copy) noexcept : work_(copy) {}
  Transfer(const Fill& fill) noexcept;
  /// Rows and slices between which there are no gaps are joined: a box without gaps becomes a
  /// linear copy or fill.
  Transfer(const RectCopy& copy) noexcept;
  Transfer(const RectFill& fill) noexcept;

  /// Bytes that are written.
  size_t size() const noexcept;
  /// Into how many parts the work is best split for `threads` threads; 0 when there is none.
  size_t parts(unsigned threads) const noexcept;
  /// Does part `part` of `parts`. Pre: part < parts.
  void run(size_t part, size_t parts) const noexcept;

 private:
  std::variant<LinearCopy, RectCopy, Fill, RectFill> work_;
};

}  // namespace weft
