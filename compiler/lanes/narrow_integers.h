// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Computes in 16 bits what C computes in 32 though 16 are enough: sums of bytes and shorts, whose
/// ranges follow from the types they come from. Twice as many lanes fit into a register then.
///
/// Does:    replaces groups of connected operations, where that costs fewer extensions than it has
///          operations.
/// Assumes: nothing.
/// Leaves:  the same values; blocks and loops as they are.
/// Reads:   nothing.
class NarrowIntegersPass : public llvm::PassInfoMixin<NarrowIntegersPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
