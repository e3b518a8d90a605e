// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include "ir/error_log.h"

namespace weft::compiler {

/// Refuses call graphs that no later pass can handle.
///
/// Does:    reports recursion (forbidden by OpenCL C 6.11), calls through pointers and inline
///          assembly, which could name registers and symbols behind our back.
/// Assumes: nothing.
/// Leaves:  the module unchanged; when it reports nothing, the call graph is acyclic.
/// Reads:   direct calls.
class CheckCallsPass : public llvm::PassInfoMixin<CheckCallsPass> {
 public:
  explicit CheckCallsPass(ErrorLog& errors) : errors_(&errors) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

 private:
  ErrorLog* errors_;
};

}  // namespace weft::compiler
