// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Finds the number that a program has taken apart and puts together again: kernels over a range of
/// one dimension compute a row and a column of an index, `y = i / w; x = i % w`, and go to
/// `a[y * w + x]`, or to a neighbour of it, which are side by side like the indices.
///
/// Does:    in sums, (i / w + c) * w + i % w becomes i + c * w, also where the parts are extended;
///          w may be anything.
/// Assumes: total-division has run. The same values are the same instruction.
/// Leaves:  the same values, but where w is zero, of which the language says nothing, and blocks.
///          Quotients and remainders that nobody wants any more stay for others to remove.
/// Reads:   nothing.
class RecoverDividendsPass : public llvm::PassInfoMixin<RecoverDividendsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
