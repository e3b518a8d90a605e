// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// LLVM's loop load elimination, unless a run-time check that it would write is incomplete
/// (complete-checks has the reason).
///
/// Does:    runs it on functions in all of whose innermost loops isCheckComplete holds.
/// Assumes: nothing of its own; the pass knows of loops what is found out here, and goes by that.
/// Leaves:  the same values.
/// Reads:   loop access analysis.
class EliminateLoopLoadsPass : public llvm::PassInfoMixin<EliminateLoopLoadsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
