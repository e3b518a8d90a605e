// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/relax_convergence.h"

#include <llvm/IR/InstIterator.h>

#include "ir/call_graph.h"
#include "ir/names.h"

namespace weft::compiler {

llvm::PreservedAnalyses RelaxConvergencePass::run(llvm::Module& module,
                                                  llvm::ModuleAnalysisManager&) {
  auto isMeeting = [](const llvm::Function& function) {
    return names::isNumberedBarrier(function) || names::isSubGroupOperation(function);
  };
  auto convergent = CallGraph(module).reaching(isMeeting);
  auto keeps = [&](const llvm::Function& function) {
    return isMeeting(function) || convergent.contains(&function);
  };
  for (llvm::Function& function : module) {
    if (function.isIntrinsic()) continue;
    if (!keeps(function)) function.setNotConvergent();
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const llvm::Function* callee = call->getCalledFunction(); callee && !keeps(*callee))
          call->setNotConvergent();
  }
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
