// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Copies small vectors as what they are in memory, a number: a `uchar4` is 32 bits to lanes that
/// transpose, gather or scatter it, where its elements would be four bytes of four registers.
///
/// Does:    loads vectors of 16, 32 or 64 bits that are only stored elsewhere as integers, and
///          stores these.
/// Assumes: nothing.
/// Leaves:  vectors that anything else is done with, those of three elements, volatile and atomic
///          accesses, private memory, where other passes look for vectors, and what is loaded from
///          where the function stores vectors: one that lacks an element would be no number.
/// Reads:   nothing.
class CopiesAsNumbersPass : public llvm::PassInfoMixin<CopiesAsNumbersPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace weft::compiler
