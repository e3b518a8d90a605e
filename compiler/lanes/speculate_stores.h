// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Has work-items store what is there where they would store nothing, as in the exchanges of a
/// sorting network, `if (a > b) { c[i] = b; c[j] = a; }`: lanes then have no masks and no branch.
///
/// Does:    makes stores to local memory in a branch that does nothing else unconditional, of the
///          new value or of what the work-item has read there before the branch, if no other
///          work-item has these places: nobody could tell.
/// Assumes: item-loops has marked the loops; the work-items of a group run on one thread.
/// Leaves:  no branch round them.
/// Reads:   loop metadata `weft.items`.
class SpeculateStoresPass : public llvm::PassInfoMixin<SpeculateStoresPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
