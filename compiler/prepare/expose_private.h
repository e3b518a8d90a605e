// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Turns private arrays into values where that is possible, and makes the rest of them easy to lay
/// out.
///
/// Does:    makes copies and fills of whole arrays accesses to their elements, and copies of
///          structures those to integers, and unrolls short loops that count through an array.
/// Assumes: sroa has run, so that what is left is indexed by variables.
/// Leaves:  fewer variables. Loops with barriers as they are.
/// Reads:   nothing.
class ExposePrivatePass : public llvm::PassInfoMixin<ExposePrivatePass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
