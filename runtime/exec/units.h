// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From parts of a job to the units of a box, and to boxes of work-items: what each part asks.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "weft/runtime/launch.h"
#include "weft/support/checked.h"

namespace weft::runtime {

/// Units of a run of parts: [first, last).
struct UnitRange {
  uint64_t first = 0;
  uint64_t last = 0;
};

/// Of a box, whose own parts these are.
inline UnitRange unitsOfParts(const BoxSlices& slices, size_t first, size_t last) noexcept {
  assert(first < last && last <= slices.parts);
  return {first * slices.unitsPerPart,
          last == slices.parts ? slices.units : last * slices.unitsPerPart};
}

/// Position of a unit in a grid of `size` units, dimension 0 fastest.
inline std::array<uint64_t, 3> unitPosition(uint64_t unit,
                                            const std::array<uint64_t, 3>& size) noexcept {
  const uint64_t row = unit / size[0];
  return {unit % size[0], row % size[1], row / size[1]};
}

/// A flat box's work-items along a row, and along the dimensions that are no row's.
inline std::array<uint64_t, 3> sizeAlongRows(const CodeBox& box) noexcept {
  const auto order = abi::dimensionsFrom(box.slicing.rowDimension);
  std::array<uint64_t, 3> size;
  for (size_t i = 0; i < 3; ++i) size[i] = box.end[order[i]] - box.begin[order[i]];
  return size;
}

/// A box of global ids, offsets not included: [begin, end).
struct ItemBox {
  std::array<uint64_t, 3> begin{};
  std::array<uint64_t, 3> end{};
};

/// Takes the largest box off the front of a run of a flat box's units. Pre: units left.
/// A run needs three boxes at most for each dimension it wraps around.
inline ItemBox takeBox(const CodeBox& box, const BoxSlices& slices, UnitRange& units) noexcept {
  assert(units.first < units.last);
  if (units.last - units.first == slices.units) {
    units.first = units.last;
    return {box.begin, box.end};
  }
  const auto size = sizeAlongRows(box);
  const uint64_t segments = divideUp(size[0], slices.rowItems);
  const uint64_t left = units.last - units.first;
  const auto [x, y, z] = unitPosition(units.first, {segments, size[1], size[2]});
  std::array<uint64_t, 3> begin{x * slices.rowItems, y, z}, end{size[0], y + 1, z + 1};
  if (x != 0 || left < segments) {  // within one row
    const uint64_t taken = std::min(left, segments - x);
    if (x + taken != segments) end[0] = (x + taken) * slices.rowItems;
    units.first += taken;
  } else if (y != 0 || left / segments < size[1]) {  // whole rows within one plane
    const uint64_t taken = std::min(left / segments, size[1] - y);
    end[1] = y + taken;
    units.first += taken * segments;
  } else {  // whole planes
    const uint64_t taken = left / segments / size[1];
    end[1] = size[1];
    end[2] = z + taken;
    units.first += taken * segments * size[1];
  }
  const auto order = abi::dimensionsFrom(box.slicing.rowDimension);
  ItemBox taken;
  for (size_t i = 0; i < 3; ++i) {
    const size_t d = order[i];
    taken.begin[d] = box.begin[d] + begin[i];
    taken.end[d] = box.begin[d] + end[i];
  }
  return taken;
}

}  // namespace weft::runtime
