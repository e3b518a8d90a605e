// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Keeps in registers what inner loops add up in memory: `f[i].x += ...` in each iteration, which
/// in lanes would be loads, stores and shuffles of all structures.
///
/// Does:    in loops within loops over work-items, the outer ones first, memory at a place that
///          does not change is read before the loop and written behind it, if every iteration
///          writes to it.
/// Assumes: item-loops has marked the loops; loop-simplify has run.
/// Leaves:  loops that touch memory in other ways than by plain loads and stores, or may meet the
///          place by another pointer; no loop in LCSSA form.
/// Reads:   loop metadata `weft.items`; alias metadata.
class PromoteMemoryPass : public llvm::PassInfoMixin<PromoteMemoryPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
