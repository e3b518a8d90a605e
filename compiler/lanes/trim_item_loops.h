// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Has loops over work-items visit those that have something to do: nobody is asked, and nobody
/// goes idle.
///
/// Does:    makes a condition on the id around all of a loop's body, such as `if (lid < s)`,
///          `if (gid >= n) return` or the first part of `if (x >= w || y >= h) return`, a bound of
///          the loop's trip count, and one such as `if (lid % 4 == 0)` its step.
/// Assumes: item-loops has marked the loops; loop-simplify has run; ids are below 2^31 - 64. Not
///          that the latch only counts: simplify-cfg may have merged into it what follows the
///          condition.
/// Leaves:  such loops in simplified form, skipped when no work-item is left.
/// Reads:   loop metadata `weft.items`; `weft-sub-group-lanes`, with which work-items keep their
///          distances.
class TrimItemLoopsPass : public llvm::PassInfoMixin<TrimItemLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
