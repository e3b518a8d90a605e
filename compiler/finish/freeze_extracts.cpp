// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/freeze_extracts.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler {

using namespace llvm;

PreservedAnalyses FreezeExtractsPass::run(Function& function, FunctionAnalysisManager&) {
  bool hasChanged = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (!isa<ExtractElementInst>(instruction) || instruction.use_empty()) continue;
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
