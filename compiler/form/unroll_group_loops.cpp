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

bool isWorthIt(const Loop& loop, ScalarEvolution& evolution) {
  if (!hasBarriers(loop)) return false;
  // Of a loop around another with barriers, as in a bitonic sort, little is known in each
  // iteration, and all of it is compiled as often: six times as long for that kernel.
  if (any_of(loop.getSubLoops(), [](const Loop* inner) { return hasBarriers(*inner); }))
    return false;
  if (!growsByFactor(loop)) return false;
  SmallVector<BasicBlock*> exiting;
  loop.getExitingBlocks(exiting);
  if (exiting.size() != 1) return false;
  const unsigned trips = evolution.getSmallConstantTripCount(&loop, exiting.front());
  return trips != 0 && trips <= tuning::kTreeTrips &&
         trips * instructionsIn(loop) <= tuning::kUnrolledTree;
}

}  // namespace

PreservedAnalyses UnrollGroupLoopsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  if (function.isDeclaration()) return PreservedAnalyses::all();
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool found = false;
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!isWorthIt(*loop, evolution)) continue;
    addStringMetadataToLoop(loop, kUnrollFully, 1);
    found = true;
  }
  if (!found) return PreservedAnalyses::all();
  FunctionPassManager passes;
  passes.addPass(
      createFunctionToLoopPassAdaptor(LoopFullUnrollPass(/*OptLevel=*/2, /*OnlyWhenForced=*/true)));
  // Nothing that merges loads: what they are marked with would be lost.
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstSimplifyPass());
  passes.run(function, analyses);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
