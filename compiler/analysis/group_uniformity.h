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
/// What follows from the bits that are known of a value is uniform too, whatever it is computed
/// from: local ids have a range where the group's size is known, and a tile's place compared with a
/// multiple of its size does not depend on the place within it.
///
/// Assumes: lower-work-item and lower-sync have run.
/// Ownership: borrows the function and its dominator tree, which must not change while answers
/// are asked for.
class GroupUniformity : public WholeUniformity {
 public:
  /// What is taken for granted of the work-items of a group.
  enum class Ids : uint8_t {
    Differ,
    DifferInRow,   ///< groups are single rows, so that only ids in dimension 0 differ
    OnlyGlobally,  ///< local ids are the same: at best, knowing the group's size would tell so much
  };

  GroupUniformity(llvm::Function& function, const llvm::DominatorTree& dominators, Ids ids);
};

}  // namespace weft::compiler
