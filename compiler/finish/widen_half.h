// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Computes minima and maxima of halves in float, where they are instructions; code generation
/// would call the C library for each. Compares halves by size in float: LLVM 19 swaps the operands
/// of masked comparisons of halves (VCMPPH) without swapping the predicate, where one is folded
/// from memory.
///
/// Does:    extends the operands and truncates the results.
/// Assumes: the optimiser has run, which makes such operations of those on converted halves.
/// Leaves:  no llvm.minnum and llvm.maxnum of half, and no comparison of halves that is another
///          with its operands swapped.
/// Reads:   nothing.
class WidenHalfPass : public llvm::PassInfoMixin<WidenHalfPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
