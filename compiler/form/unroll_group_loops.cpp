// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/unroll_group_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "base/tuning.h"
#include "ir/barriers.h"
#include "ir/loop_size.h"

namespace weft::compiler {
namespace {

using namespace llvm;

constexpr const char* kUnrollFully = "llvm.loop.unroll.full";

/// Whether a value of the loop grows or shrinks by a factor from iteration to iteration.
bool growsByFactor(const Loop& loop) {
  const BasicBlock* latch = loop.getLoopLatch();
  return latch && any_of(loop.getHeader()->phis(), [&](const PHINode& phi) {
           const auto* step = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
           if (!step || !is_contained(step->operands(), &phi) ||
               !any_of(step->operands(), [](const Value* v) { return isa<ConstantInt>(v); }))
             return false;
           switch (step->getOpcode()) {
             case Instruction::Mul:
             case Instruction::UDiv:
             case Instruction::SDiv:
             case Instruction::Shl:
             case Instruction::LShr:
             case Instruction::AShr:
               return true;
             default:
               return false;
           }
         });
}

unsigned tripsOf(const Loop& loop, ScalarEvolution& evolution) {
  SmallVector<BasicBlock*> exiting;
  loop.getExitingBlocks(exiting);
  return exiting.size() == 1 ? evolution.getSmallConstantTripCount(&loop, exiting.front()) : 0;
}

/// Whether a loop of so many iterations is small enough when it is unrolled; no, for loops around
/// several, or deeper ones, with barriers. A loop inside whose trip count is not known yet, and
/// whose distance grows or shrinks as well, has one iteration in the first of this one, two in the
/// second, and so on: a bitonic sort.
bool isSmallUnrolled(const Loop& loop, unsigned trips, ScalarEvolution& evolution) {
  const auto hasSteps = [](const Loop* inner) { return hasBarriers(*inner); };
  SmallVector<const Loop*, 1> steps;
  copy_if(loop.getSubLoops(), std::back_inserter(steps), hasSteps);
  if (steps.empty()) return trips * instructionsIn(loop) <= tuning::kUnrolledTree;
  const Loop& inner = *steps.front();
  if (steps.size() > 1 || !growsByFactor(inner) || any_of(inner.getSubLoops(), hasSteps))
    return false;
  const uint64_t inStep = instructionsIn(inner);
  const unsigned known = tripsOf(inner, evolution);
  const uint64_t innerTrips =
      known != 0 ? uint64_t{trips} * known : uint64_t{trips} * (trips + 1) / 2;
  return trips * (instructionsIn(loop) - inStep) + innerTrips * inStep <= tuning::kUnrolledNest;
}

bool isWorthIt(const Loop& loop, ScalarEvolution& evolution) {
  if (!hasBarriers(loop) || !growsByFactor(loop)) return false;
  const unsigned trips = tripsOf(loop, evolution);
  return trips != 0 && trips <= tuning::kTreeTrips && isSmallUnrolled(loop, trips, evolution);
}

/// Unrolls those loops of which the trip count is known by now; whether there are any.
bool unroll(Function& function, FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool found = false;
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!isWorthIt(*loop, evolution)) continue;
    addStringMetadataToLoop(loop, kUnrollFully, 1);
    found = true;
  }
  if (!found) return false;
  FunctionPassManager passes;
  passes.addPass(
      createFunctionToLoopPassAdaptor(LoopFullUnrollPass(/*OptLevel=*/2, /*OnlyWhenForced=*/true)));
  // Nothing that merges loads: what they are marked with would be lost.
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstSimplifyPass());
  passes.run(function, analyses);
  return true;
}

}  // namespace

PreservedAnalyses UnrollGroupLoopsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  if (function.isDeclaration() || !unroll(function, analyses)) return PreservedAnalyses::all();
  // Loops inside have trip counts once it is known which iteration of others they are in.
  analyses.invalidate(function, PreservedAnalyses::none());
  if (unroll(function, analyses)) analyses.invalidate(function, PreservedAnalyses::none());
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
