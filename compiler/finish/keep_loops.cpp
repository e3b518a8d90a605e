// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/keep_loops.h"

#include <llvm/Analysis/ScalarEvolution.h>

#include "finish/offer_remainders.h"
#include "ir/loop_marks.h"

namespace weft::compiler {
namespace {

using namespace llvm;

constexpr const char* kNoRuntimeUnroll = "llvm.loop.unroll.runtime.disable";

bool isRemainder(const Loop& loop) { return isVectorized(loop) && loop.isAnnotatedParallel(); }

/// Whether the vectoriser was offered `loop` again and has left it as it was.
bool wasOfferedInVain(const Loop& loop) {
  return getBooleanLoopAttribute(&loop, kOfferedRemainder) && !isVectorized(loop);
}

bool variesAround(const Loop& loop, ScalarEvolution& evolution) {
  if (!loop.isInnermost() || !loop.getParentLoop()) return false;
  const SCEV* trips = evolution.getBackedgeTakenCount(&loop);
  return !isa<SCEVCouldNotCompute>(trips) &&
         !evolution.isLoopInvariant(trips, loop.getParentLoop());
}

}  // namespace

PreservedAnalyses KeepLoopsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    if (wasOfferedInVain(*loop)) addStringMetadataToLoop(loop, kVectorizedLoop, 1);
    if ((isRemainder(*loop) || variesAround(*loop, evolution)) &&
        !getBooleanLoopAttribute(loop, kNoRuntimeUnroll))
      addStringMetadataToLoop(loop, kNoRuntimeUnroll, 1);
  }
  return PreservedAnalyses::all();
}

}  // namespace weft::compiler
