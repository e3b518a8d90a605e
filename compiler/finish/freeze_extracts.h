// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Keeps elements of vectors from LLVM's straight-line vectoriser. Where it puts a vector together
/// of elements of others, of constants and of values that occur several times, LLVM 19 loses the
/// constants: it blends them into a vector of another length than the one that it goes on with.
///
/// Does:    freezes what extractelement gives to a block with constants of the same type; that pass
///          does not look through it.
/// Assumes: runs right before slp-vectorizer.
/// Leaves:  the same values.
/// Reads:   nothing.
class FreezeExtractsPass : public llvm::PassInfoMixin<FreezeExtractsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
