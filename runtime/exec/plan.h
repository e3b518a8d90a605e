// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>

#include "weft/runtime/launch.h"

namespace weft::runtime {

/// Slices a launch for `slots` slots: fills its slicing fields and its ABI block.
///
/// A unit is a work-group in linear order, or for the flat form a row of work-items along
/// dimension 0, cut where there are fewer rows than parts. A part is a run of units. There are
/// several parts for each slot, so that uneven work balances, yet not so many that taking a
/// part costs more than running it.
void planLaunch(KernelLaunch& launch, unsigned slots) noexcept;

/// Units of a run of parts: [first, last).
struct UnitRange {
  uint64_t first = 0;
  uint64_t last = 0;
};
UnitRange unitsOfParts(const KernelLaunch& launch, size_t first, size_t last) noexcept;
inline UnitRange unitsOfPart(const KernelLaunch& launch, size_t part) noexcept {
  return unitsOfParts(launch, part, part + 1);
}

/// Position of a unit in a grid of `size` units, dimension 0 fastest.
std::array<uint64_t, 3> unitPosition(uint64_t unit, const uint64_t (&size)[3]) noexcept;

/// A box of global ids, offsets not included: [begin, end).
struct ItemBox {
  std::array<uint64_t, 3> begin{};
  std::array<uint64_t, 3> end{};
};

/// Takes the largest box off the front of a run of a flat launch's units. Pre: units left.
/// A run needs three boxes at most for each dimension it wraps around.
ItemBox takeBox(const KernelLaunch& launch, UnitRange& units) noexcept;

}  // namespace weft::runtime
