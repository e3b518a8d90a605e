// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/loop_jam.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/DependenceAnalysis.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include <utility>

#include "ir/item_loops.h"
#include "ir/loop_marks.h"

namespace weft::compiler {

using namespace llvm;

namespace {

using Wanted = std::function<bool(const Loop&, const LoopStandardAnalysisResults&)>;

/// Whether something that is the same in all iterations decides which way they take.
bool isGuarded(const Loop& loop) {
  return any_of(loop.blocks(), [&](const BasicBlock* block) {
    const auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    return branch && branch->isConditional() && !loop.getSubLoops().front()->contains(block) &&
           loop.isLoopInvariant(branch->getCondition());
  });
}

/// Does:    has LLVM unswitch loops that are wanted, where such a condition guards the loop inside.
/// Assumes: loops are in simplified form, as LLVM's loop pass managers make them.
/// Leaves:  such a loop twice.
/// Reads:   what is known of loops, for who wants them.
class UnswitchGuards : public PassInfoMixin<UnswitchGuards> {
 public:
  explicit UnswitchGuards(Wanted wanted) : wanted_(std::move(wanted)) {}

  PreservedAnalyses run(Loop& loop, LoopAnalysisManager& analyses,
                        LoopStandardAnalysisResults& results, LPMUpdater& updater) {
    if (!wanted_(loop, results) || !isGuarded(loop)) return PreservedAnalyses::all();
    return SimpleLoopUnswitchPass(/*NonTrivial=*/true).run(loop, analyses, results, updater);
  }

 private:
  Wanted wanted_;
};

}  // namespace

void askBefore(Function& function, FunctionAnalysisManager& analyses, Wanted wanted) {
  FunctionPassManager passes;
  passes.addPass(createFunctionToLoopPassAdaptor(UnswitchGuards(std::move(wanted)),
                                                 /*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  analyses.invalidate(function, passes.run(function, analyses));
}

LoopJam::LoopJam(Function& function, FunctionAnalysisManager& analyses)
    : function_(function),
      analyses_(analyses),
      aliases_(analyses.getResult<TargetLibraryAnalysis>(function)) {
  aliases_.addAAResult(accesses_);
}

bool LoopJam::isNote(const Instruction& instruction) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call && (isa<AssumeInst, NoAliasScopeDeclInst>(call) ||
                  call->getIntrinsicID() == Intrinsic::prefetch);
}

bool LoopJam::isIndependent(const Loop& loop) {
  return all_of(loop.blocks(), [&](const BasicBlock* block) {
    return all_of(*block, [&](const Instruction& instruction) {
      if (isNote(instruction)) return true;
      if (!instruction.mayReadOrWriteMemory()) return !instruction.mayHaveSideEffects();
      return instruction.hasMetadata(LLVMContext::MD_invariant_load) ||
             ItemLoops::isIndependent(instruction);
    });
  });
}

/// What is left counts through numbers of iterations, of which no more can be run at once.
static void markDone(Loop& loop) {
  Instruction& branch = *loop.getLoopLatch()->getTerminator();
  nameLoop(branch, {loopFact(branch.getContext(), "llvm.loop.unroll.disable")});
}

void LoopJam::run(Loop& loop, unsigned atOnce, unsigned count) {
  auto& loops = analyses_.getResult<LoopAnalysis>(function_);
  auto& dominators = analyses_.getResult<DominatorTreeAnalysis>(function_);
  auto& evolution = analyses_.getResult<ScalarEvolutionAnalysis>(function_);
  auto& assumptions = analyses_.getResult<AssumptionAnalysis>(function_);
  auto& target = analyses_.getResult<TargetIRAnalysis>(function_);
  Loop& inner = *loop.getSubLoops().front();
  for (BasicBlock* block : loop.blocks())
    for (Instruction& instruction : make_early_inc_range(*block))
      if (isNote(instruction)) instruction.eraseFromParent();
  simplifyLoop(&loop, &dominators, &loops, &evolution, &assumptions, nullptr,
               /*PreserveLCSSA=*/false);
  formLCSSARecursively(loop, dominators, &loops, &evolution);
  DependenceInfo dependences(&function_, &aliases_, &evolution, &loops);
  if (!isSafeToUnrollAndJam(&loop, evolution, dominators, dependences, loops)) return;
  OptimizationRemarkEmitter remarks(&function_);
  Loop* rest = nullptr;
  const LoopUnrollResult result =
      UnrollAndJamLoop(&loop, atOnce, count, std::max(count, 1U), /*UnrollRemainder=*/false, &loops,
                       &evolution, &dominators, &assumptions, &target, &remarks, &rest);
  if (result == LoopUnrollResult::Unmodified) return;
  if (result == LoopUnrollResult::PartiallyUnrolled) markDone(loop);
  if (rest) markDone(*rest);
  joinCounters(inner);
}

/// Each iteration has brought its own.
void LoopJam::joinCounters(Loop& inner) {
  auto& evolution = analyses_.getResult<ScalarEvolutionAnalysis>(function_);
  SCEVExpander expander(evolution, function_.getParent()->getDataLayout(), "jam");
  SmallVector<WeakTrackingVH, 8> dead;
  expander.replaceCongruentIVs(&inner, &analyses_.getResult<DominatorTreeAnalysis>(function_), dead,
                               &analyses_.getResult<TargetIRAnalysis>(function_));
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

}  // namespace weft::compiler
