// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/jam_groups.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "finish/loop_jam.h"
#include "ir/loop_marks.h"

namespace weft::compiler {

using namespace llvm;

static unsigned groupsAtOnce(const Loop& loop) {
  return getOptionalIntLoopAttribute(&loop, kGroupsAtOnce).value_or(1);
}

static bool isCandidate(const Loop& loop) {
  return groupsAtOnce(loop) > 1 && loop.getSubLoops().size() == 1 &&
         loop.getSubLoops().front()->isInnermost() && LoopJam::isIndependent(loop);
}

static SmallVector<Loop*> candidatesIn(const LoopInfo& loops) {
  SmallVector<Loop*> candidates;
  copy_if(loops.getLoopsInPreorder(), std::back_inserter(candidates),
          [](const Loop* loop) { return isCandidate(*loop); });
  return candidates;
}

PreservedAnalyses JamGroupsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  if (candidatesIn(analyses.getResult<LoopAnalysis>(function)).empty())
    return PreservedAnalyses::all();
  askBefore(function, analyses,
            [](const Loop& loop, const LoopStandardAnalysisResults&) { return isCandidate(loop); });
  const SmallVector<Loop*> candidates = candidatesIn(analyses.getResult<LoopAnalysis>(function));
  LoopJam jam(function, analyses);
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop* loop : candidates) {
    const unsigned count = evolution.getSmallConstantTripCount(loop);
    const unsigned atOnce = groupsAtOnce(*loop);
    if (count == 0 || count >= atOnce) jam.run(*loop, atOnce, count % atOnce == 0 ? count : 0);
  }
  analyses.invalidate(function, PreservedAnalyses::none());
  EarlyCSEPass().run(function, analyses);  // what the groups share is one from here on
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
