// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/optimise.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAccessAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Transforms/IPO/FunctionAttrs.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/BDCE.h>
#include <llvm/Transforms/Scalar/CorrelatedValuePropagation.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/DivRemPairs.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/InferAlignment.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopIdiomRecognize.h>
#include <llvm/Transforms/Scalar/LoopLoadElimination.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/MemCpyOptimizer.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

#include "passes/complete_checks.h"
#include "passes/drop_local_stores.h"
#include "passes/forward_lanes.h"
#include "passes/keep_order.h"
#include "passes/rare_calls.h"

namespace weft::compiler {
namespace {

using namespace llvm;

constexpr const char* kIsVectorized = "llvm.loop.isvectorized";
constexpr const char* kNoRuntimeUnroll = "llvm.loop.unroll.runtime.disable";

bool isVectorised(const Loop& loop) { return getBooleanLoopAttribute(&loop, kIsVectorized); }

/// Whether `loop` is a part of one that has become parallel.
bool isInVectorised(const Loop* loop) {
  for (; loop; loop = loop->getParentLoop())
    if (isVectorised(*loop)) return true;
  return false;
}

/// Innermost loops that may be made parallel, whose straight code may, and whose turns may be
/// copied.
bool isScalar(const Loop* loop) { return loop->isInnermost() && !isInVectorised(loop); }
bool hasScalars(const Loop* loop) { return loop->isInnermost() && !isVectorised(*loop); }
bool mayUnroll(const Loop* loop) {
  return loop->isInnermost() && !(hasUnrollTransformation(loop) & TM_Disable);
}

/// Runs passes on functions where they may find what they look for: in some loop that is `wanted`,
/// or outside of loops where there are none. Beside vectorised loops there is only their set-up
/// and remainders, on which the search would cost as much as anything here.
class WhereLoopsPass : public PassInfoMixin<WhereLoopsPass> {
 public:
  using Question = bool (*)(const Loop*);
  WhereLoopsPass(Question wanted, FunctionPassManager passes)
      : wanted_(wanted), passes_(std::move(passes)) {}

  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    const auto loops = analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder();
    if (!loops.empty() && none_of(loops, wanted_)) return PreservedAnalyses::all();
    return passes_.run(function, analyses);
  }
  static bool isRequired() { return true; }

 private:
  Question wanted_;
  FunctionPassManager passes_;
};

/// Keeps loops from being unrolled where there is no time to win: the remainder of a vectorised
/// loop over work-items, and loops that take other numbers of turns for each of those around them,
/// whose remainders nobody can predict.
class KeepLoopsPass : public PassInfoMixin<KeepLoopsPass> {
 public:
  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
      if ((isRemainder(*loop) || variesAround(*loop, evolution)) &&
          !getBooleanLoopAttribute(loop, kNoRuntimeUnroll))
        addStringMetadataToLoop(loop, kNoRuntimeUnroll, 1);
    return PreservedAnalyses::all();
  }

 private:
  static bool isRemainder(const Loop& loop) {
    return isVectorised(loop) && loop.isAnnotatedParallel();
  }
  static bool variesAround(const Loop& loop, ScalarEvolution& evolution) {
    if (!loop.isInnermost() || !loop.getParentLoop()) return false;
    const SCEV* turns = evolution.getBackedgeTakenCount(&loop);
    return !isa<SCEVCouldNotCompute>(turns) &&
           !evolution.isLoopInvariant(turns, loop.getParentLoop());
  }
};

/// Runs loop load elimination, unless a check at run time that it would write leaves something out.
/// It knows of loops what is found out here, and goes by that.
class EliminateLoopLoadsPass : public PassInfoMixin<EliminateLoopLoadsPass> {
 public:
  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    auto& accesses = analyses.getResult<LoopAccessAnalysis>(function);
    for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
      if (!loop->isInnermost() || !loop->isRotatedForm() || !loop->getExitingBlock()) continue;
      if (!asksForAll(accesses.getInfo(*loop).getPSE().getPredicate()))
        return PreservedAnalyses::all();
    }
    return LoopLoadEliminationPass().run(function, analyses);
  }
};

/// Runs function passes where there is something to win: not on what is hardly ever called, which
/// the library has brought along optimised.
class OptimiseFunctionsPass : public PassInfoMixin<OptimiseFunctionsPass> {
 public:
  explicit OptimiseFunctionsPass(FunctionPassManager passes) : passes_(std::move(passes)) {}

  PreservedAnalyses run(Module& module, ModuleAnalysisManager& modules) {
    auto& analyses = modules.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    PreservedAnalyses kept = PreservedAnalyses::all();
    for (Function& function : module) {
      if (function.isDeclaration() || isRareFunction(function)) continue;
      PreservedAnalyses left = passes_.run(function, analyses);
      analyses.invalidate(function, left);
      kept.intersect(std::move(left));
    }
    kept.preserve<FunctionAnalysisManagerModuleProxy>();
    return kept;
  }
  static bool isRequired() { return true; }

 private:
  FunctionPassManager passes_;
};

/// Runs passes, and others that clean up after them where they have changed anything.
class AfterChangesPass : public PassInfoMixin<AfterChangesPass> {
 public:
  AfterChangesPass(FunctionPassManager passes, FunctionPassManager cleanUp)
      : passes_(std::move(passes)), cleanUp_(std::move(cleanUp)) {}

  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    PreservedAnalyses kept = passes_.run(function, analyses);
    if (!kept.areAllPreserved()) kept.intersect(cleanUp_.run(function, analyses));
    return kept;
  }
  static bool isRequired() { return true; }

 private:
  FunctionPassManager passes_;
  FunctionPassManager cleanUp_;
};

SimplifyCFGOptions lateControlFlow() {
  return SimplifyCFGOptions()
      .forwardSwitchCondToPhi(true)
      .convertSwitchRangeToICmp(true)
      .convertSwitchToLookupTable(true)
      .needCanonicalLoops(false)
      .hoistCommonInsts(true)
      .sinkCommonInsts(true);
}

LICMPass hoist(bool speculate) { return LICMPass(LICMOptions(100, 250, speculate)); }

void addLoops(FunctionPassManager& passes, LoopPassManager loops, bool memorySsa) {
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops), memorySsa));
}

/// Values and branches, before any loop is looked at.
void addScalar(FunctionPassManager& passes) {
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(InstCombinePass());
  // Equal values must be one before their ranges are written to their uses: loop counters that are
  // read in two ways are not widened.
  passes.addPass(EarlyCSEPass());
  passes.addPass(JumpThreadingPass());
  passes.addPass(CorrelatedValuePropagationPass());
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true)));
  passes.addPass(ReassociatePass());
}

/// Brings loops into the shape that the vectoriser knows, and unrolls small ones.
void addLoopShape(FunctionPassManager& passes) {
  LoopPassManager shape;
  shape.addPass(hoist(/*speculate=*/false));
  shape.addPass(LoopRotatePass());
  shape.addPass(hoist(/*speculate=*/true));
  shape.addPass(SimpleLoopUnswitchPass());
  addLoops(passes, std::move(shape), /*memorySsa=*/true);
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true)));

  LoopPassManager unroll;
  // Short loops over lanes, before their stores become a copy of memory that nobody sees through.
  unroll.addPass(LoopFullUnrollPass(/*OptLevel=*/2, /*OnlyWhenForced=*/true));
  unroll.addPass(LoopIdiomRecognizePass());
  unroll.addPass(IndVarSimplifyPass());
  unroll.addPass(LoopDeletionPass());
  unroll.addPass(LoopFullUnrollPass());
  addLoops(passes, std::move(unroll), /*memorySsa=*/false);
}

/// Redundancies, most of which unrolling has brought to light.
void addRedundancies(FunctionPassManager& passes) {
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(GVNPass());
  passes.addPass(BDCEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(CorrelatedValuePropagationPass());
  passes.addPass(ADCEPass());
  passes.addPass(ForwardLanesPass());
  passes.addPass(DropLocalStoresPass());
  passes.addPass(MemCpyOptPass());
  passes.addPass(DSEPass());
  LoopPassManager loops;
  loops.addPass(hoist(/*speculate=*/true));
  addLoops(passes, std::move(loops), /*memorySsa=*/true);
  passes.addPass(SimplifyCFGPass(
      SimplifyCFGOptions().convertSwitchRangeToICmp(true).hoistCommonInsts(true).sinkCommonInsts(
          true)));
}

/// LLVM's vectorisers, for what has not been written for lanes yet.
FunctionPassManager vectorisers() {
  FunctionPassManager passes;
  LoopPassManager rotate;
  rotate.addPass(LoopRotatePass());
  rotate.addPass(LoopDeletionPass());
  addLoops(passes, std::move(rotate), /*memorySsa=*/false);
  passes.addPass(KeepOrderPass());
  passes.addPass(CompleteChecksPass());
  passes.addPass(LoopVectorizePass());
  passes.addPass(KeepLoopsPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(EliminateLoopLoadsPass());
  passes.addPass(DropZerosPass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass(lateControlFlow()));
  FunctionPassManager straight;
  straight.addPass(SLPVectorizerPass());
  straight.addPass(VectorCombinePass());
  passes.addPass(WhereLoopsPass(hasScalars, std::move(straight)));
  return passes;
}

void addVectorisers(FunctionPassManager& passes) {
  FunctionPassManager changes;
  changes.addPass(WhereLoopsPass(isScalar, vectorisers()));
  FunctionPassManager unroll;
  unroll.addPass(LoopUnrollPass(LoopUnrollOptions(/*OptLevel=*/2)));
  unroll.addPass(SROAPass(SROAOptions::PreserveCFG));
  changes.addPass(WhereLoopsPass(mayUnroll, std::move(unroll)));

  FunctionPassManager cleanUp;
  cleanUp.addPass(InferAlignmentPass());
  cleanUp.addPass(InstCombinePass());
  LoopPassManager loops;
  loops.addPass(hoist(/*speculate=*/true));
  addLoops(cleanUp, std::move(loops), /*memorySsa=*/true);
  passes.addPass(AfterChangesPass(std::move(changes), std::move(cleanUp)));
  passes.addPass(DivRemPairsPass());
  passes.addPass(SimplifyCFGPass(
      SimplifyCFGOptions().convertSwitchRangeToICmp(true).speculateUnpredictables(true)));
}

}  // namespace

ModulePassManager optimisePipeline() {
  ModulePassManager passes;
  // What is out of line is called: whether it touches memory decides what moves around the call.
  passes.addPass(createModuleToPostOrderCGSCCPassAdaptor(PostOrderFunctionAttrsPass()));
  FunctionPassManager function;
  addScalar(function);
  addLoopShape(function);
  addRedundancies(function);
  addVectorisers(function);
  passes.addPass(OptimiseFunctionsPass(std::move(function)));
  passes.addPass(GlobalDCEPass());
  return passes;
}

ModulePassManager quickPipeline() {
  FunctionPassManager function;
  function.addPass(SROAPass(SROAOptions::ModifyCFG));
  function.addPass(EarlyCSEPass());
  function.addPass(SimplifyCFGPass());
  ModulePassManager passes;
  passes.addPass(OptimiseFunctionsPass(std::move(function)));
  return passes;
}

}  // namespace weft::compiler
