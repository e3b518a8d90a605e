// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

class Explanation;

/// What a vectoriser may do.
struct VectorizeOptions {
  unsigned width = 0;      ///< work-items in the lanes of an iteration; 0: as suits kernel and host
  unsigned rowItems = 0;   ///< of a work-group that fibers run; 0: any number
  bool wholeRows = false;  ///< such rows are multiples of abi::kRowMultiple
};

/// Turns the loops over work-items into loops over groups of them, whatever control flow is inside.
///
/// Does:    replaces each such loop by one over full lane groups and a masked iteration for what is
///          left; says in `explanation`, which may be null, what it did, or why a loop stays. A
///          loop over the work-items of a fiber becomes one iteration, of one work-item where it
///          has to, with the number of lanes in the attribute `weft-lanes`.
/// Assumes: item-loops has marked the loops; lower-switch, loop-simplify and lcssa have run; ids
///          are so far below 2^31 that a local id can be added to one, or the lanes of an
///          iteration.
/// Leaves:  loops that cannot be turned as they are; those that lanes would make slower for LLVM's
///          vectoriser to leave alone, too.
/// Reads:   loop metadata `weft.items`, `weft.cells` of variables with a cell for each work-item.
class VectorizeItemsPass : public llvm::PassInfoMixin<VectorizeItemsPass> {
 public:
  explicit VectorizeItemsPass(VectorizeOptions options = {}, Explanation* explanation = nullptr)
      : options_(options), explanation_(explanation) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

 private:
  VectorizeOptions options_;
  Explanation* explanation_;
};

}  // namespace weft::compiler
