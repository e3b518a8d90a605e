// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/assume_exact.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Steps that are known not to be negative: said for vectorize-items.
void cutSteps(PHINode& phi) {
  for (Value* incoming : phi.incoming_values()) {
    auto* sum = dyn_cast<BinaryOperator>(incoming);
    if (!sum || sum->getOpcode() != Instruction::Add || !is_contained(sum->operands(), &phi))
      continue;
    Use& distance = sum->getOperandUse(sum->getOperand(0) == &phi ? 1 : 0);
    if (isa<Constant>(distance.get())) continue;
    IRBuilder<> builder(sum);
    const unsigned bits = phi.getType()->getIntegerBitWidth();
    distance.set(builder.CreateAnd(distance.get(), builder.getInt(APInt::getSignedMaxValue(bits))));
  }
}

void assumeExact(Instruction& instruction) {
  if (auto* phi = dyn_cast<PHINode>(&instruction)) return cutSteps(*phi);
  if (isa<OverflowingBinaryOperator, TruncInst>(instruction))
    return instruction.setHasNoSignedWrap();
  auto* extension = dyn_cast<ZExtInst>(&instruction);
  if (!extension) return;
  IRBuilder<> builder(extension);
  Value* same = builder.CreateSExt(extension->getOperand(0), extension->getType());
  same->takeName(extension);
  extension->replaceAllUsesWith(same);
  extension->eraseFromParent();
}

}  // namespace

PreservedAnalyses AssumeExactPass::run(Module& module, ModuleAnalysisManager&) {
  bool hasChanged = false;
  for (Function& function : module)
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      const bool isKnown = holds_ && function.getName() == kernel_;
      if (!isKnown && instruction.hasMetadata(names::kHasRoom)) {
        hasChanged = true;
        instruction.setMetadata(names::kHasRoom, nullptr);
      }
      if (!instruction.hasMetadata(names::kExact)) continue;
      hasChanged = true;
      instruction.setMetadata(names::kExact, nullptr);
      if (isKnown) assumeExact(instruction);
    }
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
