// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Unrolls loops with barriers in which a distance or a number of work-items is halved or doubled
/// from turn to turn, as reductions, scans and transforms do: in every turn it is then known
/// which work-items take part and who reads whose results, and lanes need no masks for it.
///
/// Assumes: fix-local-size and isolate-barriers have run.
/// Leaves:  loops of unknown, long or large turns as they are.
/// Reads:   nothing.
class UnrollGroupLoopsPass : public llvm::PassInfoMixin<UnrollGroupLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
