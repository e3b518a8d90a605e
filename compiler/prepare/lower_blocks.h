// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Numbers the kernels that Clang makes of blocks.
///
/// Does:    replaces the address of such a kernel, by which the library's functions are told which
///          block is meant, by its number, and those of blocks' functions in literals by null: they
///          are called directly. Says that nobody writes to a kernel's literal.
/// Assumes: kernels are marked (retarget); they alone take generic pointers.
/// Leaves:  the attribute `weft-block` on those kernels; no address of theirs in use.
/// Reads:   names of functions: `_block_invoke` stands in those of blocks.
class LowerBlocksPass : public llvm::PassInfoMixin<LowerBlocksPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
