// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Rerolls loops that add up several elements of the same rows in each iteration, as
/// `for (j = 0; j < n; j += 4) s += a[j] * b[j] + ... + a[j + 3] * b[j + 3];`. The vectoriser would
/// take these elements apart by shuffles, and leave more of them to the remainder.
///
/// Does:    makes loops of one block that only load and add up loops over single elements, where
///          the terms of each sum are the same function of loads that follow each other.
/// Assumes: rotated loops in simplify form; runs before the loop vectoriser.
/// Leaves:  the same sums, floating-point ones in another order where they may be reordered.
/// Reads:   nothing.
class RerollSumsPass : public llvm::PassInfoMixin<RerollSumsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
