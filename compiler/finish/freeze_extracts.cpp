// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/freeze_extracts.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler {

using namespace llvm;

/// Whether some instruction of `block` has a constant of this type for an operand. What is put
/// together are operands of instructions in one block.
static bool hasConstant(const BasicBlock& block, const Type* type) {
  return any_of(block, [&](const Instruction& instruction) {
    return any_of(instruction.operands(), [&](const Use& operand) {
      return operand->getType() == type && isa<Constant>(operand);
    });
  });
}

static bool meetsConstants(const ExtractElementInst& extract) {
  return any_of(extract.users(), [&](const User* user) {
    return hasConstant(*cast<Instruction>(user)->getParent(), extract.getType());
  });
}

PreservedAnalyses FreezeExtractsPass::run(Function& function, FunctionAnalysisManager&) {
  bool hasChanged = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    const auto* extract = dyn_cast<ExtractElementInst>(&instruction);
    if (!extract || !meetsConstants(*extract)) continue;
    auto* frozen = new FreezeInst(&instruction, "", std::next(instruction.getIterator()));
    instruction.replaceUsesWithIf(frozen, [&](Use& use) { return use.getUser() != frozen; });
    hasChanged = true;
  }
  if (!hasChanged) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace weft::compiler
