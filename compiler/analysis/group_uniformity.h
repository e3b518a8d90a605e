// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>

#include <memory>

namespace weft::compiler {

/// Which values and branches of a lowered kernel body are equal for all work-items of a
/// work-group, whenever they are at the same place.
///
/// Varying to begin with: the ids of the work-item, what atomics and calls return, and what is
/// loaded from private memory or by volatile and atomic loads. Kernel arguments, group ids, sizes
/// and loads from uniform addresses of global, constant and local memory are uniform: a
/// program in which another work-item could change what is loaded there between two barriers
/// has a data race. The rest follows by LLVM's analysis, divergent control flow included.
///
/// Assumes: lower-work-item and lower-sync have run.
/// Ownership: borrows the function and its dominator tree, which must not change while answers
/// are asked for.
class GroupUniformity {
 public:
  GroupUniformity(llvm::Function& function, const llvm::DominatorTree& dominators);
  ~GroupUniformity();
  GroupUniformity(const GroupUniformity&) = delete;
  GroupUniformity& operator=(const GroupUniformity&) = delete;

  /// Where it is computed.
  bool isUniform(const llvm::Value& value) const { return info_->isUniform(&value); }
  /// Where it is used: a value computed in a loop that work-items leave at different times is
  /// varying outside, even if it is uniform inside.
  bool isUniform(const llvm::Use& use) const { return !info_->isDivergentUse(use); }
  /// Whether all work-items that end `block` together go on to the same successor.
  bool endsUniformly(const llvm::BasicBlock& block) const {
    return !info_->hasDivergentTerminator(block);
  }
  const llvm::CycleInfo& cycles() const { return cycles_; }

 private:
  llvm::CycleInfo cycles_;
  std::unique_ptr<llvm::TargetTransformInfo> sources_;
  std::unique_ptr<llvm::UniformityInfo> info_;
};

}  // namespace weft::compiler
