// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Finds work for lanes where groups have one work-item: kernels for processors, and tasks. Their
/// time goes into loops of the work-item's own, whose iterations are mostly independent, but for
/// sums that the language wants in order.
///
/// Does:    in loops over one work-item, distributes inner loops over up to three: numbers that
///          follow each other by themselves go into arrays first; what iterations compute on their
///          own becomes a loop that is marked as one over work-items; and what takes its results
///          up in order comes last. Long loops do so for a number of iterations at a time. The
///          loop over the one work-item is gone then.
/// Assumes: item-loops has marked the loops; loops are rotated, in simplified and closed form.
/// Leaves:  loops in simplified form. Those whose iterations may meet in memory, or that LLVM's
///          vectoriser can have, as they are. Arrays with a cell for each iteration.
/// Reads:   loop metadata `weft.items`, alias-analysis.
class DistributeLoopsPass : public llvm::PassInfoMixin<DistributeLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
