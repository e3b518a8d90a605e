// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Inlines the tiny wrappers of the builtins library, and all of it that reaches a barrier.
///
/// Does:    inlines `weft-library` functions of few instructions, and those that reach a
///          barrier so that each use of a work-group function in the source gets barriers of its
///          own; drops unused internal functions.
/// Assumes: no recursion (check-calls); the library is marked (front end).
/// Leaves:  every call of the barrier in a function of the user's; image functions out of line.
/// Reads:   `weft-library`.
class InlineLibraryPass : public llvm::PassInfoMixin<InlineLibraryPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
