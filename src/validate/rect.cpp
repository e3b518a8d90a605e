// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <optional>

#include "validate/memory.h"
#include "weft/support/checked.h"

namespace weft::validate {
namespace {

/// x + y * rowPitch + z * slicePitch, or nothing when that does not fit.
std::optional<size_t> position(size_t x, size_t y, size_t z, size_t rowPitch, size_t slicePitch) {
  const auto rows = checkedMul(y, rowPitch);
  const auto slices = checkedMul(z, slicePitch);
  if (!rows || !slices) return std::nullopt;
  const auto sum = checkedAdd(*rows, *slices);
  return sum ? checkedAdd(*sum, x) : std::nullopt;
}

/// Whether two runs of `length`, repeated with `period`, can lie side by side: each of them in
/// the gap that the other leaves.
bool sideBySide(size_t first, size_t second, size_t length, size_t period) {
  const size_t low = first < second ? first : second;
  const size_t high = first < second ? second : first;
  const size_t distance = high - low;
  return distance >= length && period - distance >= length;
}

}  // namespace

Result<RectRegion> rectRegion(const size_t* region) noexcept {
  if (region == nullptr || region[0] == 0 || region[1] == 0 || region[2] == 0)
    return clError(CL_INVALID_VALUE);
  return RectRegion{region[0], region[1], region[2]};
}

Result<RectLayout> rectLayout(const size_t* origin, const RectRegion& region, size_t rowPitch,
                              size_t slicePitch) noexcept {
  if (origin == nullptr) return clError(CL_INVALID_VALUE);
  if (rowPitch == 0) rowPitch = region.width;
  if (rowPitch < region.width) return clError(CL_INVALID_VALUE);
  const auto packedSlice = checkedMul(region.height, rowPitch);
  if (!packedSlice) return clError(CL_INVALID_VALUE);
  if (slicePitch == 0) slicePitch = *packedSlice;
  if (slicePitch < *packedSlice || slicePitch % rowPitch != 0) return clError(CL_INVALID_VALUE);

  const auto start = position(origin[0], origin[1], origin[2], rowPitch, slicePitch);
  const auto extent =
      position(region.width, region.height - 1, region.depth - 1, rowPitch, slicePitch);
  const auto end = start && extent ? checkedAdd(*start, *extent) : std::nullopt;
  if (!end) return clError(CL_INVALID_VALUE);
  return RectLayout{*start, rowPitch, slicePitch, *end};
}

Result<RectLayout> rectLayout(const Buffer& buffer, const size_t* origin, const RectRegion& region,
                              size_t rowPitch, size_t slicePitch) noexcept {
  WEFT_TRY(const RectLayout layout, rectLayout(origin, region, rowPitch, slicePitch));
  WEFT_TRY_VOID(require(layout.end <= buffer.size(), CL_INVALID_VALUE));
  return layout;
}

Result<void> rectCopy(const Buffer& source, const RectLayout& from, const Buffer& target,
                      const RectLayout& to, const RectRegion& region) noexcept {
  const bool samePitches = from.rowPitch == to.rowPitch && from.slicePitch == to.slicePitch;
  if (&source == &target && !samePitches) return clError(CL_INVALID_VALUE);
  if (&source.root() != &target.root()) return {};

  const size_t fromStart = source.offset() + from.start;
  const size_t toStart = target.offset() + to.start;
  if (source.offset() + from.end <= toStart || target.offset() + to.end <= fromStart) return {};
  // Their spans cross; with equal pitches the rows or the slices may still pass each other by.
  if (samePitches) {
    const size_t slice = (region.height - 1) * from.rowPitch + region.width;
    if (sideBySide(fromStart % from.rowPitch, toStart % to.rowPitch, region.width, from.rowPitch) ||
        sideBySide(fromStart % from.slicePitch, toStart % to.slicePitch, slice, from.slicePitch))
      return {};
  }
  return clError(CL_MEM_COPY_OVERLAP);
}

}  // namespace weft::validate
