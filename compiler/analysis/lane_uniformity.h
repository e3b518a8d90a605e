// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/GenericCycleInfo.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>

#include <memory>

namespace weft::compiler {

/// Which values are equal for the lanes of a lane group, and which branches they take together,
/// when the turns of one loop over work-items become the lanes.
///
/// The loop's index and the addresses of private variables differ from lane to lane; so do results
/// of atomics and of calls that touch memory. Simple loads from uniform addresses are uniform: the
/// lanes run between two barriers, where another value there would be a data race.
///
/// Ownership: borrows everything; the function must not change while answers are asked for.
class LaneUniformity {
 public:
  using Variables = llvm::SmallPtrSet<const llvm::AllocaInst*, 8>;

  /// `loop` has one latch, whose branch decides on the next turn; `privates` are the variables that
  /// every work-item has one of.
  LaneUniformity(llvm::Function& function, const llvm::DominatorTree& dominators,
                 const llvm::Loop& loop, const llvm::PHINode& index, const Variables& privates);
  ~LaneUniformity();
  LaneUniformity(const LaneUniformity&) = delete;
  LaneUniformity& operator=(const LaneUniformity&) = delete;

  bool isUniform(const llvm::Value& value) const { return info_->isUniform(&value); }
  /// Whether the lanes that end `block` together go on to the same successor.
  bool endsUniformly(const llvm::BasicBlock& block) const {
    return !info_->hasDivergentTerminator(block);
  }

 private:
  llvm::CycleInfo cycles_;
  std::unique_ptr<llvm::TargetTransformInfo> sources_;
  std::unique_ptr<llvm::UniformityInfo> info_;
};

}  // namespace weft::compiler
