// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Instructions.h>

namespace weft::compiler {

/// Whether `instruction` calls the barrier service.
bool isBarrier(const llvm::Instruction& instruction);

/// The call of the barrier service that `block` holds; null for none.
llvm::CallInst* barrierIn(llvm::BasicBlock& block);

}  // namespace weft::compiler
