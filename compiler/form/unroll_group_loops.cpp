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

#include <optional>

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

/// Instructions of a loop of so many iterations when it is unrolled; nothing for loops around
/// several, or deeper ones, with barriers. A loop inside whose distance grows or shrinks as well
/// has one iteration in the first of this one, two in the second, and so on: a bitonic sort.
std::optional<uint64_t> unrolledSize(const Loop& loop, unsigned trips) {
  SmallVector<const Loop*, 1> steps;
  for (const Loop* inner : loop.getSubLoops())
    if (hasBarriers(*inner)) steps.push_back(inner);
  if (steps.empty()) return trips * instructionsIn(loop);
  if (steps.size() > 1 || !growsByFactor(*steps.front()) ||
      any_of(steps.front()->getSubLoops(), [](const Loop* inner) { return hasBarriers(*inner); }))
    return std::nullopt;
  const uint64_t inStep = instructionsIn(*steps.front());
  return trips * (instructionsIn(loop) - inStep) + uint64_t{trips} * (trips + 1) / 2 * inStep;
}

bool isWorthIt(const Loop& loop, ScalarEvolution& evolution) {
  if (!hasBarriers(loop) || !growsByFactor(loop)) return false;
  SmallVector<BasicBlock*> exiting;
  loop.getExitingBlocks(exiting);
  if (exiting.size() != 1) return false;
  const unsigned trips = evolution.getSmallConstantTripCount(&loop, exiting.front());
  if (trips == 0 || trips > tuning::kTreeTrips) return false;
  const auto size = unrolledSize(loop, trips);
  return size && *size <= (loop.isInnermost() ? tuning::kUnrolledTree : tuning::kUnrolledNest);
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
