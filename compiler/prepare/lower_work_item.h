// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Lowers the work-item functions to loads from the hidden parameter.
///
/// Does:    replaces each call, for constant and computed dimension arguments; a dimension out of
///          range gives the value of the specification (OpenCL C 6.15.1): 1 for sizes and counts,
///          0 for ids and offsets.
/// Assumes: callers have the hidden parameter (add-work-item-parameter).
/// Leaves:  no declaration of a work-item function.
/// Reads:   function names.
class LowerWorkItemPass : public llvm::PassInfoMixin<LowerWorkItemPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
