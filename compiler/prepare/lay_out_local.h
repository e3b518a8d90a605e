// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include "ir/error_log.h"

namespace weft::compiler {

/// Gives each `__local` variable its offset in the local memory of a work-group.
///
/// One offset holds for a variable wherever it is used, so functions shared by kernels
/// need no adjustment; variables that no kernel has in common may share bytes.
///
/// Does:    writes `weft.local_offset` to each variable and `weft.static_local_bytes` to each
///          kernel; erases variables that nothing uses; reports kernels over the limit. A
///          variable with a wider alignment than the memory has gets room to be moved up.
/// Assumes: no recursion (check-calls).
/// Leaves:  uses of the variables as they are, for lower-local.
/// Reads:   `weft-kernel`.
class LayOutLocalPass : public llvm::PassInfoMixin<LayOutLocalPass> {
 public:
  LayOutLocalPass(uint64_t maxBytes, ErrorLog& errors) : maxBytes_(maxBytes), errors_(&errors) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

 private:
  uint64_t maxBytes_;  ///< 0: no limit
  ErrorLog* errors_;
};

}  // namespace weft::compiler
