// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Takes what work-items step by out of the pointers and indices that each of them moves along in
/// a loop with barriers, as tiled products of matrices have them. Such a value would be kept for
/// each work-item from barrier to barrier, and what is loaded from a cell tells nobody that
/// neighbours point to neighbouring places.
///
/// Does:    a phi of such a loop that begins differently for the work-items and grows by the same
///          for all of them becomes its start plus how far all have come: the start is known from
///          the ids, and the distance is one number of the group.
/// Assumes: lower-work-item, lower-sync and isolate-barriers have run.
/// Leaves:  phis whose step is not known before the loop, or differs.
/// Reads:   nothing.
class SplitInductionsPass : public llvm::PassInfoMixin<SplitInductionsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
