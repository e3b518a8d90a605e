// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Has jumps out of the scope of variables, by break, continue, goto or return, go where they lead.
/// Clang has all that leave a scope write down where they go on, meet in a block that ends the
/// variables' lives, and part again there. Values that are of no interest to those who leave a loop
/// would have to meet too, lane by lane: an escape-time fractal in lanes took 1.7 times as long.
///
/// Does:    gives each way into such a block a copy of it that goes on to where that way leads.
/// Assumes: variables are in memory yet, as the front end left them (before sroa). LLVM's jump
///          threading would do it later, but also moves plain loads out of loops that wait for
///          them.
/// Leaves:  the variables that say where to go on, which sroa drops; no unreachable block.
/// Reads:   nothing.
class ThreadCleanupsPass : public llvm::PassInfoMixin<ThreadCleanupsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
