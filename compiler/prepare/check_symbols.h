// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include "ir/error_log.h"
#include "weft/abi/services.h"

namespace weft::compiler {

/// Refuses programs that use what nothing defines.
///
/// Does:    reports functions and variables that are declared, used, and neither intrinsics nor
///          in the service table; reports program-scope variables in the global address space.
/// Assumes: all lowering passes have run.
/// Leaves:  the module unchanged but for unused declarations, which are dropped.
/// Reads:   the service table; when empty, only mangled names count as missing.
class CheckSymbolsPass : public llvm::PassInfoMixin<CheckSymbolsPass> {
 public:
  CheckSymbolsPass(abi::ServiceTable services, ErrorLog& errors)
      : services_(services), errors_(&errors) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

 private:
  bool isService(llvm::StringRef name) const;

  abi::ServiceTable services_;
  ErrorLog* errors_;
};

}  // namespace weft::compiler
