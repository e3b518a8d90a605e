// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Splits loops that carry more vectors from iteration to iteration than there are registers, as
/// those over the program's own wide vectors do: what does not depend on each other takes turns.
///
/// Does:    makes several loops, one behind the other, of one whose recurrences fall into parts,
///          each of which has enough of them to fill the time that each waits for itself.
/// Assumes: nothing.
/// Leaves:  the same values. Loops of several blocks, that access memory, or whose ends depend on
///          vectors stay as they are.
/// Reads:   target-info.
class SplitRecurrencesPass : public llvm::PassInfoMixin<SplitRecurrencesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
