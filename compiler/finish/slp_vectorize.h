// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// LLVM's straight-line vectoriser, kept from forgetting that what it makes reads local objects.
/// LLVM 19's asks once whether the address of an object escapes and keeps the answer, but then
/// puts addresses into vectors for gathers itself: alias analysis takes such a gather to read
/// nothing of an object that does not escape, and the next tree of the same function is scheduled
/// around it without regard to the stores to that object.
///
/// Does:    runs that pass while the address of every variable and of every parameter that is
///          noalias or byval, which functions out of line have for structures, escapes.
/// Assumes: accesses in different address spaces are known not to overlap without escape analysis,
///          so that this hides nothing.
/// Leaves:  no more than LLVM's pass does.
/// Reads:   nothing.
class SlpVectorizePass : public llvm::PassInfoMixin<SlpVectorizePass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
