// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Splits inner loops that neighbours leave one soon after the other, such as `for (j = id + 1; j <
/// n; ++j)` and `for (j = 0; j < id; ++j)`: nobody has a mask while all of them go on.
///
/// Does:    puts before such a loop a copy that ends where the work-item does, of those that could
///          ever be in one lane group with it, that has the fewest iterations.
/// Assumes: item-loops has marked the loops; loop-simplify has run, loop-rotate has not.
/// Leaves:  loops in simplified form. The end of the copy is told from the index of the loop over
///          work-items by isSharedByLanes(), and so is the same for all lanes.
/// Reads:   loop metadata `weft.items`.
class SplitInnerLoopsPass : public llvm::PassInfoMixin<SplitInnerLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
