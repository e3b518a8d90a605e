// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

class Explanation;

/// Asks once for a group what its work-items ask each for itself: whether ids, and sums of ids and
/// numbers whose range is known, are within limits that are the same for all, as in
/// `if (x < width && y < height)` and in the clamped ids that tiles with borders are read by.
///
/// Does:    makes two versions of a function that runs a group: one for groups all of whose
///          work-items are within all limits, where comparisons are constants and clamped sums the
///          sums themselves, and one for others, which stays as it was.
/// Assumes: item-loops has marked the loops; loop-simplify has run; turns of work-items are loops
///          around those over work-items already.
/// Leaves:  loops in simplified form.
/// Reads:   loop metadata `weft.items`; ranges of numbers from scalar-evolution.
class VersionGroupsPass : public llvm::PassInfoMixin<VersionGroupsPass> {
 public:
  /// `explanation`: where it says what is asked; null for nowhere.
  explicit VersionGroupsPass(Explanation* explanation = nullptr) : explanation_(explanation) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

 private:
  Explanation* explanation_;
};

}  // namespace weft::compiler
