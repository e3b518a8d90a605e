// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/inline_library.h"

#include "base/tuning.h"
#include "ir/call_graph.h"
#include "ir/names.h"
#include "prepare/inline_util.h"

namespace weft::compiler {
llvm::PreservedAnalyses InlineLibraryPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  CallGraph graph(module);
  auto withBarrier = graph.reaching([](const llvm::Function& function) {
    return names::isBarrierOfLibrary(function) || names::isSubGroupOperation(function);
  });
  for (llvm::Function* caller : graph.bottomUp()) {
    for (llvm::CallBase* call : callsOfDefinitions(*caller)) {
      const llvm::Function& callee = *call->getCalledFunction();
      if (!names::isLibrary(callee) || callee.hasFnAttribute(names::kEstimateAttribute) ||
          names::isImageFunction(callee))
        continue;
      if (withBarrier.contains(&callee) || instructionCount(callee) <= tuning::kTinyLibraryFunction)
        inlineCall(*call);
    }
  }
  eraseUnusedFunctions(module);
  return llvm::PreservedAnalyses::none();
}

}  // namespace weft::compiler
