// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/rect.h"

#include <algorithm>

namespace weft {
namespace {

/// Whether bytes [begin, end) meet a row of the box: the last one that starts before `end`, since
/// those before it end before it.
bool meets(const ByteBox& box, const std::byte* begin, const std::byte* end) noexcept {
  if (end <= box.begin) return false;
  const auto last = static_cast<size_t>(end - box.begin) - 1;
  const size_t z =
      box.region.depth == 1 ? 0 : std::min(last / box.slicePitch, box.region.depth - 1);
  const size_t inSlice = last - z * box.slicePitch;
  const size_t y =
      box.region.height == 1 ? 0 : std::min(inSlice / box.rowPitch, box.region.height - 1);
  const std::byte* const row = box.begin + z * box.slicePitch + y * box.rowPitch;
  return begin < row + box.region.width;
}

}  // namespace

bool shareBytes(const ByteBox& a, const ByteBox& b) noexcept {
  if (a.end() <= b.begin || b.end() <= a.begin) return false;
  if (a.isPacked()) return meets(b, a.begin, a.end());
  if (b.isPacked()) return meets(a, b.begin, b.end());
  const bool fewer = a.region.height * a.region.depth <= b.region.height * b.region.depth;
  const ByteBox& rows = fewer ? a : b;
  const ByteBox& box = fewer ? b : a;
  for (size_t z = 0; z < rows.region.depth; ++z)
    for (size_t y = 0; y < rows.region.height; ++y) {
      const std::byte* const row = rows.begin + z * rows.slicePitch + y * rows.rowPitch;
      if (meets(box, row, row + rows.region.width)) return true;
    }
  return false;
}

}  // namespace weft
