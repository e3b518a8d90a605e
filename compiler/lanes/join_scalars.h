// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>

#include "analysis/lane_shapes.h"
#include "analysis/strided_groups.h"

namespace weft::compiler {

/// Makes vectors of numbers that lie side by side in memory, and are computed in the same way up to
/// where they are stored side by side: four sums of a work-item that are neighbours in a matrix, or
/// the fields of a structure. As vectors of the program they can stay as they are in memory
/// (analysis/joined_vectors.h), where numbers of all lanes are shuffled for each access.
///
/// Looks at a loop over work-items before it is written for lanes, and goes from groups of stores
/// that are whole structures up to their loads. Nothing is changed unless fewer numbers have to be
/// shuffled then. Returns whether something was: what is known of the loop no longer holds.
bool joinScalars(const llvm::Loop& loop, const LaneShapes& shapes, const StridedGroups& groups);

}  // namespace weft::compiler
