// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/barrier_regions.h"

namespace weft::compiler {

/// Takes apart the vectors that one region hands to another, so that each element is handed over as
/// a number: in a cell for each work-item it lies beside those of other work-items, where lanes
/// read and write it as it is, and elements that a region does not change are not kept again.
/// Regions that need the whole vector put it together; loops that compute with whole ones have it
/// put together before them and taken apart behind them. Those that are computed in loops of
/// vectors that each work-item of a row reads are handed over whole: lanes have them one behind the
/// other.
///
/// Assumes: regions are those of the function.
/// Leaves:  the control flow as it is. What is known of values is not: the regions are to be found
///          anew if something has changed, which it returns.
bool splitCrossingVectors(llvm::Function& entry, const BarrierRegions& regions);

}  // namespace weft::compiler
