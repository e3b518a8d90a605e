// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/relax_fences.h"

#include <llvm/IR/InstIterator.h>

#include "ir/synchronisation.h"

namespace weft::compiler {

using namespace llvm;

PreservedAnalyses RelaxFencesPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : instructions(function)) {
    if (!instruction.hasMetadata(LLVMContext::MD_mmra)) continue;
    if (auto* fence = dyn_cast<FenceInst>(&instruction); fence && ordersLocalMemoryAlone(*fence))
      fence->setSyncScopeID(SyncScope::SingleThread);
    instruction.setMetadata(LLVMContext::MD_mmra, nullptr);
    changed = true;
  }
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
