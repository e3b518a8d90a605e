// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Gives every barrier a block of its own, with its fences, that has one way in and one way out.
///
/// Does:    splits blocks around barriers; loops get a preheader and one latch; critical edges are
///          split; phis with one incoming value go. Of functions with operations of sub-groups
///          and no barrier, loops alone.
/// Assumes: lower-sync has run.
/// Leaves:  a function in which a block with a barrier holds nothing but fences beside it, is not
///          the entry, and goes on to a block that is reached from nowhere else.
/// Reads:   nothing.
class IsolateBarriersPass : public llvm::PassInfoMixin<IsolateBarriersPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

/// What the pass does; false when there is nothing to do.
bool isolateBarriers(llvm::Function& function);

}  // namespace weft::compiler
