// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/whole_uniformity.h"

namespace weft::compiler {

/// Which values and branches of a lowered kernel body are equal for all work-items of a
/// work-group, whenever they are at the same place.
///
/// Varying to begin with: the ids of the work-item, what atomics and calls return, and what is
/// loaded from private memory or by volatile and atomic loads. Kernel arguments, group ids, sizes
/// and loads from uniform addresses of global, constant and local memory are uniform: a
/// program in which another work-item could change what is loaded there between two barriers
/// has a data race. The rest follows, divergent control flow included.
///
/// Assumes: lower-work-item and lower-sync have run.
/// Ownership: borrows the function and its dominator tree, which must not change while answers
/// are asked for.
class GroupUniformity : public WholeUniformity {
 public:
  /// `isRow`: groups are single rows, so that only ids in dimension 0 differ.
  GroupUniformity(llvm::Function& function, const llvm::DominatorTree& dominators, bool isRow);
};

}  // namespace weft::compiler
