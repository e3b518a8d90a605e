// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Runs several lane groups of a row at once where lanes wait for their own results: a chain of
/// operations in a loop needs more vectors than the lanes of one group are, to fill the time.
///
/// Does:    asks before loops over lane groups that vectorize-items has marked for that whether the
///          loop inside runs, unrolls them and joins the copies of the loop inside.
/// Assumes: optimised code, in which such loops test at their end.
/// Leaves:  loops as they are in which anything touches memory that iterations share, or whose
///          loop inside runs a number of times that differs from group to group; a loop for what
///          is left of a row.
/// Reads:   assumptions, dominator-tree, loops, scalar-evolution, target-info.
class JamGroupsPass : public llvm::PassInfoMixin<JamGroupsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
