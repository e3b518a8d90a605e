// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/break_loops.h"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "ir/item_loops.h"
#include "lanes/counted_loop.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Whether the loop goes through its body once: it is left at its head, the second time.
bool runsOnce(Loop& loop, ScalarEvolution& evolution) {
  if (!CountedLoop::recognise(loop)) return false;
  const SCEV* repeats = evolution.getExitCount(&loop, loop.getHeader());
  return !isa<SCEVCouldNotCompute>(repeats) && evolution.getUnsignedRangeMax(repeats).isOne() &&
         evolution.getUnsignedRangeMin(repeats).isOne();
}

/// Leads from the latch to a copy of the head, and from there out of the loop.
void breakLoop(Loop& loop) {
  BasicBlock* head = loop.getHeader();
  BasicBlock* before = loop.getLoopPreheader();
  BasicBlock* latch = loop.getLoopLatch();
  BasicBlock* exit = loop.getUniqueExitBlock();
  auto* branch = cast<BranchInst>(head->getTerminator());
  BasicBlock* body = branch->getSuccessor(loop.contains(branch->getSuccessor(0)) ? 0 : 1);
  BasicBlock* second =
      BasicBlock::Create(head->getContext(), head->getName() + ".last", head->getParent(), exit);
  ValueToValueMapTy last;  // values of the head as the loop is left
  for (PHINode& phi : head->phis()) last[&phi] = phi.getIncomingValueForBlock(latch);
  for (Instruction& instruction : *head) {
    if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
    Instruction* copy = instruction.clone();
    copy->insertInto(second, second->end());
    copy->dropDbgRecords();
    RemapInstruction(copy, last, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
    last[&instruction] = copy;
  }
  BranchInst::Create(exit, second);
  // One value's last one may be another value of the first and only iteration.
  SmallVector<std::pair<Use*, Value*>> outside;
  for (Instruction& instruction : *head)
    for (Use& use : instruction.uses()) {
      const auto* user = cast<Instruction>(use.getUser());
      if (!loop.contains(user) && user->getParent() != second)
        outside.emplace_back(&use, last[&instruction]);
    }
  for (const auto& [use, value] : outside) use->set(value);
  exit->replacePhiUsesWith(head, second);
  latch->getTerminator()->replaceSuccessorWith(head, second);
  for (PHINode& phi : make_early_inc_range(head->phis())) {
    phi.replaceAllUsesWith(phi.getIncomingValueForBlock(before));
    phi.eraseFromParent();
  }
  BranchInst::Create(body, branch->getIterator());
  branch->eraseFromParent();
}

bool isOwnLoop(const Loop* loop) {
  return !ItemLoops::isItemLoop(*loop) && ItemLoops::around(*loop);
}

/// A loop of a work-item's own to break, the innermost first; null for none.
Loop* findLoop(LoopAnalyses& analyses) {
  for (Loop* loop : reverse(analyses.loops.getLoopsInPreorder()))
    if (isOwnLoop(loop) && runsOnce(*loop, analyses.evolution)) return loop;
  return nullptr;
}

}  // namespace

PreservedAnalyses BreakLoopsPass::run(Function& function, FunctionAnalysisManager& given) {
  if (none_of(given.getResult<LoopAnalysis>(function).getLoopsInPreorder(), isOwnLoop))
    return PreservedAnalyses::all();
  bool hasChanged = false;
  for (;;) {
    LoopAnalyses analyses(function);
    Loop* loop = findLoop(analyses);
    if (!loop) break;
    breakLoop(*loop);
    hasChanged = true;
  }
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
