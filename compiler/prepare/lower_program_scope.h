// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Turns variables at program scope into places in the program's block.
///
/// Does:    replaces each use by Launch::programScope plus the variable's offset.
/// Assumes: offsets are assigned (lay-out-program-scope) and initialisers read
///          (describeProgramScope); every user has the hidden parameter, and no constant
///          expression uses a variable (add-work-item-parameter).
/// Leaves:  no global variable with an offset.
/// Reads:   `weft.program_offset`.
class LowerProgramScopePass : public llvm::PassInfoMixin<LowerProgramScopePass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
