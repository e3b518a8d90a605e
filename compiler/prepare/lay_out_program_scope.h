// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include "ir/error_log.h"

namespace weft::compiler {

/// Gives each variable that lives as long as the program its offset in the program's block.
///
/// These are the variables in the global address space, whatever uses them: their values outlast
/// a kernel and all kernels share them. A constant whose address such a variable holds is moved
/// there too, so that it has one address, and so is a constant that holds such an address.
///
/// Does:    writes `weft.program_offset` to each variable; reports those over the limit.
/// Assumes: one module holds the whole program.
/// Leaves:  variables that are zero at the end of the block.
/// Reads:   initialisers.
class LayOutProgramScopePass : public llvm::PassInfoMixin<LayOutProgramScopePass> {
 public:
  LayOutProgramScopePass(uint64_t maxBytes, ErrorLog& errors)
      : maxBytes_(maxBytes), errors_(&errors) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

 private:
  uint64_t maxBytes_;  ///< of one variable; 0: no limit
  ErrorLog* errors_;
};

}  // namespace weft::compiler
