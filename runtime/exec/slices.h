// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>

#include "weft/runtime/launch.h"

namespace weft::runtime {

/// Slices the boxes of a shape for `slots` slots, and fills its ABI block.
///
/// There are several parts for each slot, so that uneven work balances, yet not so many that taking
/// a part costs more than running it.
void sliceLaunch(LaunchShape& shape, unsigned slots) noexcept;

/// Units of a run of parts: [first, last).
struct UnitRange {
  uint64_t first = 0;
  uint64_t last = 0;
};
/// Of a box, whose own parts these are.
UnitRange unitsOfParts(const BoxSlices& slices, size_t first, size_t last) noexcept;

/// Position of a unit in a grid of `size` units, dimension 0 fastest.
std::array<uint64_t, 3> unitPosition(uint64_t unit, const std::array<uint64_t, 3>& size) noexcept;

/// A box of global ids, offsets not included: [begin, end).
struct ItemBox {
  std::array<uint64_t, 3> begin{};
  std::array<uint64_t, 3> end{};
};

/// Takes the largest box off the front of a run of a flat box's units. Pre: units left.
/// A run needs three boxes at most for each dimension it wraps around.
ItemBox takeBox(const CodeBox& box, const BoxSlices& slices, UnitRange& units) noexcept;

}  // namespace weft::runtime
