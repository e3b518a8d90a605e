// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Makes variables as large as the widest access that may go to them. Lanes are written for loops
/// that run for too few work-items to ever be entered, and programs have branches that are never
/// taken: accesses there may be wider than the whole variable. LLVM takes these not to touch it at
/// all, which is right of what never runs; but MemoryDependenceAnalysis of LLVM 19 answers for the
/// widest access by a pointer whenever it is asked about a narrower one by the same pointer, so
/// that GVN gives loads what was there before the last store, or nothing.
///
/// Does:    replaces the types of variables by arrays of them; copies what byval parameters point
///          to, which callers have made as large as it is, to variables.
/// Assumes: runs right before gvn, the only pass that asks that analysis.
/// Leaves:  what the program does; variables that no wider access may go to.
/// Reads:   nothing.
class PadVariablesPass : public llvm::PassInfoMixin<PadVariablesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
