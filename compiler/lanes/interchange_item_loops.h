// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Interchanges loops over work-items with loops in which these take turns: `for (i = lid; i < n;
/// i += size)` fills local memory, and walks through what is larger than a range. What one
/// work-item does is n / size iterations or one more, but what all of them do in their first
/// iterations, in their second ones and so on are runs of neighbours, and only the last run is
/// shorter. So no work-item has a mask.
///
/// Does:    where a loop over work-items holds nothing else that anyone notices, puts the inner
///          loop around it, and gives the loop over work-items the trip count that the limit
///          leaves it. The same for loops around such an inner loop that are alike for all
///          work-items of a row.
/// Assumes: item-loops has marked the loops; loop-simplify has run, loop-rotate has not; ids are
///          below 2^31 - 64.
/// Leaves:  such loops in simplified form, the work-items in order of their ids. Loops that might
///          wrap or wait for each other stay as they are.
/// Reads:   loop metadata `weft.items`.
class InterchangeItemLoopsPass : public llvm::PassInfoMixin<InterchangeItemLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
