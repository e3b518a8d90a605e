// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <vector>

#include "analysis/resume_points.h"
#include "ir/item_loops.h"

namespace weft::compiler {

/// Code for the work-items of a group that do not agree on the way to a barrier: a copy of the
/// kernel in which each goes from barrier to barrier by itself, one after the other, as it would in
/// a fiber of its own. What it needs of values beyond a barrier is kept in cells.
///
/// Rounds end when all have ended or met a barrier. A work-item that has ended counts as arrived;
/// where the others are at different barriers, the group is given up (weft_group_divergence).
///
/// Assumes: no work-group collectives and no operations of sub-groups.
/// Ownership: borrows everything but the code that it adds before the last block of the function,
/// to which it goes on in the end.
class DivergentItems {
 public:
  /// Copies what the regions and the barriers between them are now. `items` is how many work-items
  /// there are at most.
  DivergentItems(llvm::Function& entry, const ItemLoops& loops, uint64_t items,
                 const BarrierRegions& regions);

  /// Of the work-items in a round.
  const ItemLoops::Nest& nest() const { return nest_; }
  /// Whether `block` is part of the copy.
  bool holds(const llvm::BasicBlock& block) const { return copied_.contains(&block); }

  /// Stands for the resume point between two blocks, as they were before.
  llvm::ConstantInt* pointOf(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;
  /// Stands for the beginning of the kernel.
  llvm::ConstantInt* beginning() const { return number(points_.size()); }
  /// What work-items need that go on from the end of `from`, on any way.
  llvm::SmallVector<llvm::Instruction*> needsFrom(const llvm::BasicBlock& from) const;
  /// Has the work-item at `linear` go on at `point` in the next round.
  void resumeAt(llvm::IRBuilder<>& builder, llvm::Value* linear, llvm::Value* point);
  /// Tells the work-item at `linear` what `original` is for it.
  void keep(llvm::IRBuilder<>& builder, llvm::Value* linear, llvm::Instruction& original,
            llvm::Value* value);

  /// Begins the first round; every work-item has its point then.
  llvm::BasicBlock& start() { return *nest_.before; }

 private:
  struct Cell {
    llvm::AllocaInst* variable;
    llvm::Type* type;  ///< in memory
  };

  llvm::ConstantInt* number(size_t point) const;
  llvm::AllocaInst* makeVariable(llvm::Type* type, const llvm::Twine& name);
  void copyBlocks(const BarrierRegions& regions);
  void openRounds(const ItemLoops& loops);
  llvm::BasicBlock* resumeBlock(const ResumePoint& point);
  void endAtBarrier(const ResumePoint& point);
  void redirectEnds();
  void keepValues();
  void demote(llvm::Instruction& value, const Cell& cell);
  llvm::Value* addressIn(const Cell& cell, llvm::IRBuilder<>& builder, llvm::Value* linear) const;
  void endRounds(llvm::BasicBlock& after);

  llvm::Function& entry_;
  llvm::BasicBlock* const exit_;
  const uint64_t items_;
  std::vector<ResumePoint> points_;
  llvm::ValueToValueMapTy copies_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 32> copied_;
  ItemLoops::Nest nest_{};
  llvm::SwitchInst* dispatch_ = nullptr;
  llvm::AllocaInst* resume_ = nullptr;  ///< where each work-item goes on; 0 when it has ended
  llvm::AllocaInst* met_ = nullptr;     ///< the barrier that the first one of a round waits at
  llvm::AllocaInst* other_ = nullptr;   ///< another one that somebody waits at
  llvm::DenseMap<const llvm::Instruction*, Cell> cells_;  ///< by the original
};

}  // namespace weft::compiler
