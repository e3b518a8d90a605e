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

}  // namespace weft
