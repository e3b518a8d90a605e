// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Takes `convergent`, which Clang puts on everything in OpenCL, from all that cannot reach a
/// barrier; it keeps LLVM from unrolling, hoisting and vectorising.
///
/// Does:    drops the attribute from functions and calls.
/// Assumes: barriers are numbered (number-barriers), other convergent functions lowered or none.
/// Leaves:  `convergent` on barriers and on the functions that may reach one.
/// Reads:   direct calls.
class RelaxConvergencePass : public llvm::PassInfoMixin<RelaxConvergencePass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

}  // namespace weft::compiler
