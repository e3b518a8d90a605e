// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/isolate_barriers.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "ir/barriers.h"
#include "ir/sub_groups.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Gives `barrier` and the fences around it a block; what follows gets one too.
void isolate(Instruction& barrier) {
  Instruction* first = &barrier;
  if (Instruction* before = first->getPrevNode(); before && isa<FenceInst>(before)) first = before;
  Instruction* after = barrier.getNextNode();
  if (isa<FenceInst>(after)) after = after->getNextNode();
  SplitBlock(first->getParent(), first)->setName("barrier");
  SplitBlock(after->getParent(), after)->setName("after.barrier");
}

}  // namespace

bool isolateBarriers(Function& function) {
  SmallVector<Instruction*> barriers;
  for (BasicBlock& block : function)
    for (Instruction& instruction : block)
      if (isBarrier(instruction)) barriers.push_back(&instruction);
  if (barriers.empty()) return false;
  for (Instruction* barrier : barriers) isolate(*barrier);

  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Loop* loop : loops)
    simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, /*PreserveLCSSA=*/false);
  SplitAllCriticalEdges(function, CriticalEdgeSplittingOptions(&dominators, &loops));
  for (BasicBlock& block : function)
    if (block.getSinglePredecessor()) FoldSingleEntryPHINodes(&block);
  return true;
}

/// Gives loops around operations of sub-groups the shape that they have in lanes: their iterations
/// decide on who takes part.
bool simplifyLoopsOfSubGroups(Function& function) {
  const bool meets = any_of(instructions(function), [](const Instruction& instruction) {
    return subGroupOperation(instruction).has_value();
  });
  if (!meets) return false;
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Loop* loop : loops)
    simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, /*PreserveLCSSA=*/false);
  return true;
}

PreservedAnalyses IsolateBarriersPass::run(Function& function, FunctionAnalysisManager&) {
  return isolateBarriers(function) || simplifyLoopsOfSubGroups(function) ? PreservedAnalyses::none()
                                                                         : PreservedAnalyses::all();
}

}  // namespace weft::compiler
