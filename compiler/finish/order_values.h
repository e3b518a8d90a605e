// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Orders the instructions of blocks that need more registers at a time than there are: tiles of
/// products, which read all of their rows and columns before they multiply any. Code generation
/// keeps to the order that it is given where too much is in registers already, and spills.
///
/// Does:    computes a value where its first user needs it, and first the users of what then is no
///          longer needed, where this spills less by estimateSpills; loads what is used of vectors
///          that are larger than a register part by part.
/// Assumes: nothing.
/// Leaves:  the order of all that writes memory or has effects, and of loads beside that.
/// Reads:   target-info.
class OrderValuesPass : public llvm::PassInfoMixin<OrderValuesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
