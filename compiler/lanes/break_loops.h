// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Makes straight code of loops that run once, whatever the work-item: `for (y = local id; y < 32;
/// y += local size)` fills a tile of 32 rows with groups of any size, and one of 32 among them.
///
/// Does:    where the sizes of groups are known, and with them the range of ids, breaks loops of a
///          work-item's own whose trip count is 1 for all of them.
/// Assumes: item-loops has marked the loops; loop-simplify has run, loop-rotate has not.
/// Leaves:  such loops in simplified form.
/// Reads:   loop metadata `weft.items`; ranges of numbers from scalar-evolution.
class BreakLoopsPass : public llvm::PassInfoMixin<BreakLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
