// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/eliminate_loop_loads.h"

#include <llvm/Analysis/LoopAccessAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Transforms/Scalar/LoopLoadElimination.h>

#include "finish/complete_checks.h"

namespace weft::compiler {

using namespace llvm;

PreservedAnalyses EliminateLoopLoadsPass::run(Function& function,
                                              FunctionAnalysisManager& analyses) {
  auto& accesses = analyses.getResult<LoopAccessAnalysis>(function);
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !loop->isRotatedForm() || !loop->getExitingBlock()) continue;
    if (!isCheckComplete(accesses.getInfo(*loop).getPSE().getPredicate()))
      return PreservedAnalyses::all();
  }
  return LoopLoadEliminationPass().run(function, analyses);
}

}  // namespace weft::compiler
