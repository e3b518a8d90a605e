// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>

#include "analysis/barrier_regions.h"

namespace weft::compiler {

/// How a value gets from the region that computes it to others.
enum class Carry : uint8_t {
  Scalar,     ///< equal for the group: one cell
  Recompute,  ///< cheap: computed again where it is needed
  PerItem,    ///< one cell for each work-item
};

/// What a kernel in barrier loops keeps for each work-item from one region to the next.
///
/// Ownership: borrows regions and function, which must not change while it is used.
class BarrierContext {
 public:
  /// `item`, which may be null, is the variable that holds the work-item itself.
  BarrierContext(const BarrierRegions& regions, llvm::Function& function,
                 const llvm::AllocaInst* item);

  /// Phis at the heads of regions: what they choose between is computed in other regions.
  llvm::ArrayRef<llvm::PHINode*> headPhis() const { return headPhis_; }
  /// Values other than those, used outside their region.
  llvm::ArrayRef<llvm::Instruction*> crossing() const { return crossing_.getArrayRef(); }
  /// Private variables that every work-item needs one of beyond one run of a region.
  llvm::ArrayRef<llvm::AllocaInst*> variables() const { return variables_; }

  /// Of an instruction of some region; as decided at first, whatever has changed since.
  Carry carry(const llvm::Instruction& value) const { return carries_.at(&value); }

  /// Estimated size of all cells of one work-item.
  uint64_t bytesPerItem() const { return bytes_; }

 private:
  Carry decide(const llvm::Instruction& value) const;
  /// The region that `use` needs the value in.
  unsigned regionOfUse(const llvm::Use& use) const;
  bool isScalar(const llvm::Instruction& value) const;
  /// Instructions to compute `value` again; above the limit when it cannot be.
  unsigned costOf(const llvm::Instruction& value) const;
  unsigned costOfOperand(const llvm::Use& operand) const;
  bool isInDivergentLoop(const llvm::BasicBlock& block) const;
  void addVariable(llvm::AllocaInst& variable);
  bool staysInOneRun(llvm::AllocaInst& variable) const;

  const BarrierRegions& regions_;
  llvm::SmallVector<llvm::PHINode*> headPhis_;
  llvm::SetVector<llvm::Instruction*> crossing_;
  llvm::SmallVector<llvm::AllocaInst*> variables_;
  llvm::DenseMap<const llvm::Instruction*, Carry> carries_;
  mutable llvm::DenseMap<const llvm::Instruction*, unsigned> costs_;
  uint64_t bytes_ = 0;
};

}  // namespace weft::compiler
