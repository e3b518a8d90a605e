// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler {

/// Tells each execution of some calls in a function from every other by a sequence of numbers:
/// those of the loops around the call with their iterations, from the outermost in, and the call's
/// own. Along any path they grow in lexicographic order: blocks are numbered so that each comes
/// after those that lead to it, and the blocks of a loop one after the other.
///
/// Counts the iterations of those loops in phis that it adds. A loop with several entries is none.
class CallInstances {
 public:
  CallInstances(llvm::Function& function, llvm::ArrayRef<llvm::CallInst*> calls);

  /// The numbers, as i32.
  llvm::ArrayRef<llvm::Value*> of(const llvm::CallInst& call) const {
    return instances_.find(&call)->second;
  }
  unsigned mostWords() const { return mostWords_; }

 private:
  llvm::PHINode* counterOf(const llvm::Loop& loop);

  llvm::DenseMap<const llvm::CallInst*, llvm::SmallVector<llvm::Value*, 4>> instances_;
  llvm::DenseMap<const llvm::Loop*, llvm::PHINode*> counters_;
  unsigned mostWords_ = 1;
};

}  // namespace weft::compiler
