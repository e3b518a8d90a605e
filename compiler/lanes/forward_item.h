// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Has calls of functions that take the work-item cost nothing around them.
///
/// Does:    in loops over work-items, replaces what is read of the work-item by what the
///          iteration has written to it, and moves the writing to right before the calls that take
///          it.
/// Assumes: form-kernel has marked the variable that holds the work-item; nobody but the loops
///          writes to it.
/// Leaves:  in such loops no access to the work-item but by those calls, and by the stores of ids
///          before them; loops that do not suit as they are.
/// Reads:   metadata `weft.work_item` of the variable, loop metadata `weft.items`.
class ForwardItemPass : public llvm::PassInfoMixin<ForwardItemPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
