// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Computes powers with small exponents by products: programs write `pow(x, 2)` for a square.
///
/// Does:    calls of pow and pown of the library, relaxed or not, of scalars and vectors, whose
///          exponent is one known number from -1 to 4, become the quotient or the product.
/// Assumes: the library is linked and not inlined.
/// Leaves:  values that are correctly rounded up to the square, and off by 1.5 ULP at most for the
///          third and fourth power; what pow() says of zeros, infinities and NaNs holds.
/// Reads:   `weft-library`.
class SimplifyPowersPass : public llvm::PassInfoMixin<SimplifyPowersPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace weft::compiler
