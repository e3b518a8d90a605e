// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Settles how often products that may be fused with sums are rounded. LLVM fuses them for hosts
/// that can, but rounds twice what it computes itself, where factors are constants: then a loop
/// that is unrolled, or a work-item's id that is known, would change the result.
///
/// Does:    `llvm.fmuladd` of floats and doubles becomes `llvm.fma` where the host has it, but for
///          sums that may be taken in any order.
/// Assumes: nothing.
/// Leaves:  those of halves, which no host fuses.
/// Reads:   nothing.
class FuseProductsPass : public llvm::PassInfoMixin<FuseProductsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace weft::compiler
