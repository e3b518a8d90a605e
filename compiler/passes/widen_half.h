// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Computes minima and maxima of halves in float, where they are instructions; code generation
/// would call the C library for each.
///
/// Assumes: the optimiser has run, which makes such operations of those on converted halves.
/// Leaves:  no llvm.minnum and llvm.maxnum of half, and no choice between two halves by a
/// comparison
///          of theirs as halves, which may be one.
class WidenHalfPass : public llvm::PassInfoMixin<WidenHalfPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
