// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/check_calls.h"

#include <llvm/IR/InstIterator.h>

#include "ir/call_graph.h"
#include "ir/names.h"

namespace weft::compiler {

llvm::PreservedAnalyses CheckCallsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  CallGraph graph(module);
  if (!graph.cycle().empty()) {
    std::string chain;
    for (const llvm::Function* function : graph.cycle())
      chain += names::displayName(*function) + " -> ";
    chain += names::displayName(*graph.cycle().front());
    errors_->add("recursion is not allowed: " + chain);
  }
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call || call->getCalledFunction()) continue;
      errors_->add("function '" + names::displayName(function) + "' " +
                   (call->isInlineAsm() ? "contains inline assembly"
                                        : "calls through a pointer or with a wrong prototype"));
    }
  }
  if (!module.getModuleInlineAsm().empty()) errors_->add("the program contains assembly");
  return llvm::PreservedAnalyses::all();
}

}  // namespace weft::compiler
