// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler {

/// The block at whose end, or in which, an instruction needs the value of `use`: for a phi the one
/// that the value comes from.
inline llvm::BasicBlock& placeOf(const llvm::Use& use) {
  auto* user = llvm::cast<llvm::Instruction>(use.getUser());
  auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
  return phi ? *phi->getIncomingBlock(use) : *user->getParent();
}

/// Whether anything but the code of `block` itself asks for a value: what follows the block, its
/// branch, or the next iteration of a loop.
inline bool isUsedBehind(const llvm::Value& value, const llvm::BasicBlock& block) {
  return llvm::any_of(value.users(), [&](const llvm::User* user) {
    const auto* instruction = llvm::cast<llvm::Instruction>(user);
    return instruction->getParent() != &block || llvm::isa<llvm::PHINode>(instruction) ||
           instruction->isTerminator();
  });
}

}  // namespace weft::compiler
