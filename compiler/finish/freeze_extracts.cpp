// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/freeze_extracts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler {

using namespace llvm;

namespace {

/// The types of constants that instructions of a block have for operands, each block looked at
/// once. What is put together are operands of instructions in one block.
class ConstantTypes {
 public:
  bool areBeside(const ExtractElementInst& extract) {
    return any_of(extract.users(), [&](const User* user) {
      return of(*cast<Instruction>(user)->getParent()).contains(extract.getType());
    });
  }

 private:
  using Types = SmallPtrSet<const Type*, 4>;

  const Types& of(const BasicBlock& block) {
    const auto [place, isNew] = blocks_.try_emplace(&block);
    if (!isNew) return place->second;
    for (const Instruction& instruction : block)
      for (const Use& operand : instruction.operands())
        if (isa<Constant>(operand)) place->second.insert(operand->getType());
    return place->second;
  }

  DenseMap<const BasicBlock*, Types> blocks_;
};

}  // namespace

PreservedAnalyses FreezeExtractsPass::run(Function& function, FunctionAnalysisManager&) {
  ConstantTypes constants;
  bool hasChanged = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    const auto* extract = dyn_cast<ExtractElementInst>(&instruction);
    if (!extract || !constants.areBeside(*extract)) continue;
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
