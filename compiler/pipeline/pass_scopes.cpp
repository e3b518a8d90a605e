// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/pass_scopes.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "ir/loop_marks.h"
#include "ir/names.h"
#include "lanes/rare_calls.h"

namespace weft::compiler {

using namespace llvm;

/// Whether `loop` is a part of one that has become parallel.
static bool isInVectorised(const Loop* loop) {
  for (; loop; loop = loop->getParentLoop())
    if (isVectorized(*loop)) return true;
  return false;
}

bool isScalarLoop(const Loop* loop) { return loop->isInnermost() && !isInVectorised(loop); }
bool hasScalars(const Loop* loop) { return loop->isInnermost() && !isVectorized(*loop); }
bool mayUnroll(const Loop* loop) {
  return loop->isInnermost() && !(hasUnrollTransformation(loop) & TM_Disable);
}

PreservedAnalyses WhereLoopsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  const auto loops = analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder();
  if (!loops.empty() && none_of(loops, wanted_)) return PreservedAnalyses::all();
  return passes_.run(function, analyses);
}

PreservedAnalyses UnlessRarePass::run(Module& module, ModuleAnalysisManager& modules) {
  auto& analyses = modules.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  PreservedAnalyses kept = PreservedAnalyses::all();
  for (Function& function : module) {
    if (function.isDeclaration() || hasLaneForms(function) || names::isImageFunction(function))
      continue;
    PreservedAnalyses left = passes_.run(function, analyses);
    analyses.invalidate(function, left);
    kept.intersect(std::move(left));
  }
  kept.preserve<FunctionAnalysisManagerModuleProxy>();
  return kept;
}

PreservedAnalyses AfterChangesPass::run(Function& function, FunctionAnalysisManager& analyses) {
  PreservedAnalyses kept = passes_.run(function, analyses);
  if (!kept.areAllPreserved()) kept.intersect(cleanUp_.run(function, analyses));
  return kept;
}

}  // namespace weft::compiler
