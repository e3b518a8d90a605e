// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Computes of the program's vectors only the components that someone uses: of a pixel with one
/// channel, say, that channel. Lanes hold all components of a value otherwise, and are fewer.
///
/// Does:    replaces operations on vectors of which half the components, or fewer, are used by the
///          same on shorter vectors, or on scalars for one.
/// Assumes: nothing.
/// Leaves:  the same values; blocks and loops as they are.
/// Reads:   nothing.
class DropComponentsPass : public llvm::PassInfoMixin<DropComponentsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
