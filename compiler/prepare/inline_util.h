// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

namespace weft::compiler {

/// Calls of definitions in `caller`, in order.
llvm::SmallVector<llvm::CallBase*> callsOfDefinitions(llvm::Function& caller);

/// Inlines one call; false when LLVM refuses.
bool inlineCall(llvm::CallBase& call);

/// Has `made` be for the same host, and treat denormals in the same way, as `like`.
void copyTarget(const llvm::Function& like, llvm::Function& made);

/// Erases internal functions that nothing uses any more.
void eraseUnusedFunctions(llvm::Module& module);

/// Instructions of a function, debug intrinsics apart.
uint64_t instructionCount(const llvm::Function& function);

}  // namespace weft::compiler
