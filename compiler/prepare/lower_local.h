// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Turns `__local` variables into places in the group's local memory.
///
/// Does:    replaces each use by Group::localMemory plus the variable's offset, rounded up
///          for a variable with a wider alignment than that memory has; accesses to different
///          variables do not alias.
/// Assumes: offsets are assigned (lay-out-local); every user has the hidden parameter, and no
///          constant expression uses a variable (add-work-item-parameter).
/// Leaves:  no global variable in the local address space.
/// Reads:   `weft.local_offset`.
class LowerLocalPass : public llvm::PassInfoMixin<LowerLocalPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
