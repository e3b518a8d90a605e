// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include "analysis/whole_uniformity.h"

namespace weft::compiler {

/// Which values are equal for the lanes of a lane group, and which branches they take together,
/// when the iterations of one loop over work-items become the lanes.
///
/// The loop's index and the addresses of private variables differ from lane to lane; so do results
/// of atomics and of calls that touch memory. Simple loads from uniform addresses are uniform: the
/// lanes run between two barriers, where another value there would be a data race.
///
/// Ownership: borrows everything; the function must not change while answers are asked for.
class LaneUniformity : public WholeUniformity {
 public:
  using Variables = llvm::SmallPtrSet<const llvm::AllocaInst*, 8>;

  /// `loop` has one latch, whose branch decides on the next iteration; `privates` are the variables
  /// that every work-item has one of.
  LaneUniformity(llvm::Function& function, const llvm::DominatorTree& dominators,
                 const llvm::Loop& loop, const llvm::PHINode& index, const Variables& privates);
};

/// Whether `value` is the index of a loop over work-items without, or with all of, the bits in
/// which lanes differ: every lane group begins at a multiple of its lanes, of which there are at
/// most abi::kRowMultiple.
bool isSharedByLanes(const llvm::Value& value, const llvm::PHINode& index);

}  // namespace weft::compiler
