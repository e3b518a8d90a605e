// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Computes the upper halves of 64-bit products of lanes, mul_hi's, from products of 32 bits, which
/// hosts have for vectors. LLVM takes a vector of 128-bit integers apart, element by element.
///
/// Does:    trunc(mul(ext(x), ext(y)) >> 64 or more) of vectors becomes operations on 64 bits.
/// Assumes: nothing.
/// Leaves:  the same values; blocks and loops as they are.
/// Reads:   nothing.
class SplitProductsPass : public llvm::PassInfoMixin<SplitProductsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
