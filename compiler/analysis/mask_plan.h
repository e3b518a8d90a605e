// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>

#include "analysis/lane_uniformity.h"

namespace weft::compiler {

/// Which blocks of a loop over work-items run under a mask of their own once the iterations are
/// lanes, and in which order.
///
/// A block is masked when it is control dependent, directly or through others, on a branch that
/// lanes leave in different directions. Masked blocks are run one after the other, in topological
/// order with loops kept together; where none of their lanes is active they are skipped. All other
/// blocks keep their control flow: all lanes come there together.
///
/// Assumes: reducible control flow, inner loops in simplified form, no switches.
/// Ownership: borrows everything.
class MaskPlan {
 public:
  MaskPlan(const llvm::Loop& loop, const llvm::LoopInfo& loops,
           const llvm::PostDominatorTree& postDominators, const LaneUniformity& uniformity);

  /// False when some block never comes to the end of its iteration.
  bool isSound() const { return isSound_; }
  /// All blocks of the loop, topologically ordered, each loop contiguous.
  llvm::ArrayRef<llvm::BasicBlock*> order() const { return order_; }
  unsigned positionOf(const llvm::BasicBlock& block) const { return positions_.at(&block); }
  bool isMasked(const llvm::BasicBlock& block) const { return masked_.contains(&block); }
  /// Where control goes after a masked block: the next masked block of the same run, or the block
  /// where all of the run's lanes are back together.
  llvm::BasicBlock* next(const llvm::BasicBlock& block) const { return next_.at(&block); }
  /// Where control goes when no lane enters the loop that the masked block `header` heads.
  llvm::BasicBlock* nextAfterLoop(const llvm::BasicBlock& header) const;
  /// The loop whose header `block` is, inside the loop over work-items; null for none.
  const llvm::Loop* innerLoopHeadedBy(const llvm::BasicBlock& block) const;
  /// The block where control goes on after a branch in an unmasked block that not all lanes take
  /// the same way: the first masked block that it decides over.
  llvm::BasicBlock* firstAfter(const llvm::BasicBlock& branch) const { return firsts_.at(&branch); }
  unsigned maskedBlocks() const { return masked_.size(); }

 private:
  void findOrder(const llvm::Loop& loop);
  void appendLoop(const llvm::Loop& loop, llvm::ArrayRef<llvm::BasicBlock*> postOrder,
                  llvm::SmallPtrSetImpl<const llvm::BasicBlock*>& done);
  void findMasked(const llvm::Loop& loop, const LaneUniformity& uniformity);
  void chain();

  const llvm::LoopInfo& loops_;
  const llvm::Loop& loop_;
  const llvm::PostDominatorTree& postDominators_;
  bool isSound_ = true;
  llvm::SmallVector<llvm::BasicBlock*> order_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> positions_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> masked_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> next_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> firsts_;
  /// The masked blocks that one divergent branch decides over.
  llvm::SmallVector<llvm::SmallVector<llvm::BasicBlock*>> influences_;
};

}  // namespace weft::compiler
