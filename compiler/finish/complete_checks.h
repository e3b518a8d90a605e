// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class SCEVPredicate;
}

namespace weft::compiler {

/// Whether the run-time check that LLVM writes for `predicate` is complete. That of LLVM 19 is not
/// for an unsigned number that starts at 0 and grows by more than one: it leaves out that the step
/// times the trip count may not fit (LLVM issue 156849).
bool isCheckComplete(const llvm::SCEVPredicate& predicate);

/// Sees to it that LLVM's loop vectoriser checks at run time all that its code needs. Of an index
/// such as `(j * 3) & 63` it wants to know that it does not wrap; see isCheckComplete.
///
/// Does:    adds a zero that LLVM does not see through to such a number, so that it starts at a
///          value that is not known and the check is complete; numbers that do wrap in every run of
///          the loop it hides instead, so that they are no recurrences and need no check. Takes the
///          promise not to wrap from extended differences that not every iteration needs: they
///          are not checked where it stands, and those of masked iterations do wrap.
/// Assumes: loop-simplify has run; runs right before the loop vectoriser, and drop-zeros and
///          instcombine after that; loop load elimination only where isCheckComplete holds of all
///          that it would check.
/// Leaves:  the same values; blocks and loops as they are; where nothing else helps, a loop that is
///          not to be vectorised.
/// Reads:   nothing.
class CompleteChecksPass : public llvm::PassInfoMixin<CompleteChecksPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Does:    has the zeros of complete-checks be zeros.
/// Assumes: nothing.
/// Leaves:  no call of functions `weft.zero.*`.
/// Reads:   nothing.
class DropZerosPass : public llvm::PassInfoMixin<DropZerosPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
