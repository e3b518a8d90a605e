// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Makes the steps of trees constant, as reductions, scans and transforms have them: it is then
/// known which work-items take part and who reads whose results, and lanes need no masks for it.
///
/// Does:    unrolls loops with barriers in which a distance or a number of work-items is halved or
///          doubled in each iteration, and such loops inside them.
/// Assumes: fix-local-size and isolate-barriers have run.
/// Leaves:  loops of unknown or high trip counts, or large bodies, as they are.
/// Reads:   nothing.
class UnrollGroupLoopsPass : public llvm::PassInfoMixin<UnrollGroupLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
