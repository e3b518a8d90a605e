// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Instructions.h>

namespace weft::compiler {

/// The block at whose end, or in which, an instruction needs the value of `use`: for a phi the one
/// that the value comes from.
inline llvm::BasicBlock& placeOf(const llvm::Use& use) {
  auto* user = llvm::cast<llvm::Instruction>(use.getUser());
  auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
  return phi ? *phi->getIncomingBlock(use) : *user->getParent();
}

}  // namespace weft::compiler
