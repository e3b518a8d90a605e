// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/inline_util.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace weft::compiler {

llvm::SmallVector<llvm::CallBase*> callsOfDefinitions(llvm::Function& caller) {
  llvm::SmallVector<llvm::CallBase*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(caller)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration())
      calls.push_back(call);
  }
  return calls;
}

bool inlineCall(llvm::CallBase& call) {
  llvm::InlineFunctionInfo info;
  return llvm::InlineFunction(call, info, /*MergeAttributes=*/true).isSuccess();
}

void copyTarget(const llvm::Function& like, llvm::Function& made) {
  for (const llvm::StringRef kind : {"target-cpu", "target-features", "denormal-fp-math"})
    if (like.hasFnAttribute(kind)) made.addFnAttr(like.getFnAttribute(kind));
}

void eraseUnusedFunctions(llvm::Module& module) {
  // A function that becomes unused by erasing another is met again in the next round.
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function& function : llvm::make_early_inc_range(module)) {
      if (!function.use_empty()) continue;
      if (!function.isDeclaration() && !function.hasLocalLinkage()) continue;
      function.eraseFromParent();
      changed = true;
    }
  }
}

uint64_t instructionCount(const llvm::Function& function) {
  uint64_t count = 0;
  for (const llvm::BasicBlock& block : function) count += block.sizeWithoutDebug();
  return count;
}

}  // namespace weft::compiler
