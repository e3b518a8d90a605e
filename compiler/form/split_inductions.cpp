// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/split_inductions.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "analysis/group_uniformity.h"
#include "ir/barriers.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// A phi of a loop that starts at one value and grows by a step that is the group's.
struct Induction {
  PHINode* phi;
  const Loop* loop;
  const SCEVAddRecExpr* recurrence;
};

bool isUniform(const SCEV& expression, const GroupUniformity& uniformity) {
  return !SCEVExprContains(&expression, [&](const SCEV* part) {
    const auto* unknown = dyn_cast<SCEVUnknown>(part);
    return unknown && !uniformity.isUniform(*unknown->getValue());
  });
}

/// The inductions of `loop` that work-items have one of each, but step together.
void collect(const Loop& loop, ScalarEvolution& evolution, const GroupUniformity& uniformity,
             SmallVectorImpl<Induction>& inductions) {
  const BasicBlock* before = loop.getLoopPreheader();
  if (!before || !loop.getLoopLatch()) return;
  for (PHINode& phi : loop.getHeader()->phis()) {
    if (!evolution.isSCEVable(phi.getType()) || uniformity.isUniform(phi)) continue;
    const auto* recurrence = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
    if (!recurrence || recurrence->getLoop() != &loop || !recurrence->isAffine()) continue;
    const SCEV* step = recurrence->getStepRecurrence(evolution);
    if (isUniform(*step, uniformity)) inductions.push_back({&phi, &loop, recurrence});
  }
}

/// Whether start and distance can be added without wrapping, where the induction does not wrap:
/// neither is less than nothing.
bool addsExactly(const Induction& induction, ScalarEvolution& evolution) {
  return induction.recurrence->hasNoSignedWrap() &&
         evolution.isKnownNonNegative(induction.recurrence->getStart()) &&
         evolution.isKnownNonNegative(induction.recurrence->getStepRecurrence(evolution));
}

void split(const Induction& induction, ScalarEvolution& evolution, SCEVExpander& expander) {
  PHINode& phi = *induction.phi;
  BasicBlock* header = induction.loop->getHeader();
  BasicBlock* before = induction.loop->getLoopPreheader();
  BasicBlock* latch = induction.loop->getLoopLatch();
  const SCEV* step = induction.recurrence->getStepRecurrence(evolution);
  const bool isExact = addsExactly(induction, evolution);
  Value* increment = expander.expandCodeFor(step, step->getType(), before->getTerminator());
  IRBuilder<> builder(header, header->begin());
  PHINode* distance = builder.CreatePHI(increment->getType(), 2, phi.getName() + ".distance");
  builder.SetInsertPoint(latch->getTerminator());
  Value* next = builder.CreateAdd(distance, increment, "", isExact, isExact);
  distance->addIncoming(ConstantInt::get(increment->getType(), 0), before);
  distance->addIncoming(next, latch);
  builder.SetInsertPoint(header, header->getFirstInsertionPt());
  Value* start = phi.getIncomingValueForBlock(before);
  Value* sum = phi.getType()->isPointerTy()
                   ? builder.CreatePtrAdd(start, distance, phi.getName())
                   : builder.CreateAdd(start, distance, phi.getName(), isExact, isExact);
  auto* stepped = dyn_cast<Instruction>(phi.getIncomingValueForBlock(latch));
  evolution.forgetValue(&phi);
  phi.replaceAllUsesWith(sum);
  phi.eraseFromParent();
  if (stepped) RecursivelyDeleteTriviallyDeadInstructions(stepped);
}

}  // namespace

PreservedAnalyses SplitInductionsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  if (function.isDeclaration()) return PreservedAnalyses::all();
  SmallVector<const Loop*> loops;
  for (const Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (hasBarriers(*loop)) loops.push_back(loop);
  if (loops.empty()) return PreservedAnalyses::all();
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  SmallVector<Induction> inductions;
  {
    const auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    const GroupUniformity uniformity(function, dominators, GroupUniformity::Ids::Differ);
    for (const Loop* loop : loops) collect(*loop, evolution, uniformity, inductions);
  }
  if (inductions.empty()) return PreservedAnalyses::all();
  SCEVExpander expander(evolution, function.getParent()->getDataLayout(), "step");
  bool isChanged = false;
  for (const Induction& induction : inductions) {
    const SCEV* step = induction.recurrence->getStepRecurrence(evolution);
    const Instruction* place = induction.loop->getLoopPreheader()->getTerminator();
    if (!expander.isSafeToExpandAt(step, place)) continue;
    split(induction, evolution, expander);
    isChanged = true;
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
