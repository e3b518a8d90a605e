// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Runs the work-items within the borders of a row apart from those at its ends: stencils ask of
/// each neighbour whether it is within the limits, as in `x + 2 < width ? in[x + 2] : 0`, and all
/// but a few work-items get the same answers.
///
/// Does:    where branches in a loop over work-items depend on comparisons of ids, and of sums of
///          ids and numbers whose range is known, with limits that are the same for all, or these
///          are clamped to such limits, makes a second version of the loop without that, for the
///          ids between the limits, a multiple of the lanes to expect, in rows that are mostly
///          such. The first version runs those before and behind.
/// Assumes: item-loops has marked the loops; loop-simplify has run; ids are below 2^31 - 64.
/// Leaves:  both versions in one loop, which are to be simplified again.
/// Reads:   loop metadata `weft.items`; ranges of numbers from scalar-evolution.
class SplitItemLoopsPass : public llvm::PassInfoMixin<SplitItemLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
