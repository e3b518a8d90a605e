// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Asks once for a group what its work-items ask each for itself: whether their ids are within the
/// limits that ranges are rounded up from, as in `if (x < width && y < height)`.
///
/// Does:    where loops over the rows of a group, of a known size, have inner loops and conditions
///          that are limits on ids, makes two versions of them: one for groups all of whose
///          work-items pass, without the conditions, and one for others.
/// Assumes: item-loops has marked the loops; loop-simplify has run; ids are below 2^31 - 64.
/// Leaves:  loops in simplified form; those of the second version are no loops over rows any more
///          for who runs several of these at once.
/// Reads:   loop metadata `weft.items` and `weft.rows`.
class VersionItemLoopsPass : public llvm::PassInfoMixin<VersionItemLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
