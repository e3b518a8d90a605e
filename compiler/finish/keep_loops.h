// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Keeps loops from being unrolled where that does not pay: the remainder of a vectorised loop over
/// work-items, and loops whose trip count varies with the loop around them, so that branches to
/// their remainders are mispredicted.
///
/// Does:    forbids unrolling by a trip count that is known at run time only, in loop metadata.
///          Gives remainders that were offered to the vectoriser in vain its mark back.
/// Assumes: runs after the loop vectoriser, which marks what it has made.
/// Leaves:  all but loop metadata as it is.
/// Reads:   loop metadata, also of parallel accesses.
class KeepLoopsPass : public llvm::PassInfoMixin<KeepLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
