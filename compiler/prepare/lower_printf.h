// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Lowers printf to the printf service.
///
/// Does:    packs the arguments of each call as abi::PrintfArgument headers and elements into
///          a buffer of the frame and calls weft_printf(item, format, buffer, bytes). An argument
///          is a string only if its conversion is or may be %s and it points to the constant
///          address space; any other pointer is an address, which %s refuses.
/// Assumes: callers have the hidden parameter (add-work-item-parameter).
/// Leaves:  no declaration of printf.
/// Reads:   the format, when it is a constant.
class LowerPrintfPass : public llvm::PassInfoMixin<LowerPrintfPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
