// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include "ir/error_log.h"

namespace weft::compiler {

/// Gives every function that needs work-item state the hidden first parameter `WorkItem*`.
///
/// Does:    rewrites the functions that use a work-item function, a barrier, printf or a
///          `__local` variable, or call one that does, and passes the parameter on at calls.
/// Assumes: no recursion (check-calls); barriers numbered (number-barriers).
/// Leaves:  `weft-work-item` on the rewritten functions; uses of state for the lowering passes.
/// Reads:   direct calls, uses of addrspace(3) globals.
class AddWorkItemParameterPass : public llvm::PassInfoMixin<AddWorkItemParameterPass> {
 public:
  explicit AddWorkItemParameterPass(ErrorLog& errors) : errors_(&errors) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

 private:
  ErrorLog* errors_;
};

}  // namespace weft::compiler
