// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Instructions.h>

namespace weft::compiler {

/// Whether `instruction` calls the barrier service.
bool isBarrier(const llvm::Instruction& instruction);

/// The barrier that `block` holds, of those the barrier service's calls stand for; null for none.
llvm::CallInst* barrierIn(llvm::BasicBlock& block);

}  // namespace weft::compiler
