// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Makes integer division total: x / 0 and INT_MIN / -1 have an unspecified value in OpenCL C
/// but must not trap.
///
/// Does:    replaces a divisor that would trap by 1, for scalars and each vector element.
/// Assumes: runs before any pass that uses LLVM's rule that such divisions are undefined.
/// Leaves:  divisions whose operands cannot trap; those by good constants are untouched.
/// Reads:   nothing.
class TotalDivisionPass : public llvm::PassInfoMixin<TotalDivisionPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
