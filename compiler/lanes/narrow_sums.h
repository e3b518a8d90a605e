// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Computes sums and products in the type that they are cut to, as C does not: of
/// `i += get_global_size(0)` with an int `i`, which it computes in 64 bits, nothing tells any more
/// that the numbers of neighbours stay neighbours, and they take twice the registers.
///
/// Does:    trunc(sext(x) + y) becomes x + trunc(y), where nobody else wants the sum.
/// Assumes: nothing.
/// Leaves:  the same values; blocks and loops as they are.
/// Reads:   nothing.
class NarrowSumsPass : public llvm::PassInfoMixin<NarrowSumsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
