// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/unroll_pieces.h"

#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "base/tuning.h"
#include "ir/item_loops.h"
#include "ir/loop_size.h"
#include "lanes/counted_loop.h"
#include "lanes/inner_loads.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Whether an access goes through `count` elements in `inner`, and from work-item to work-item by
/// as many.
bool isPiece(const Instruction& access, unsigned count, const Loop& inner, const Loop& items) {
  const Value* pointer = getLoadStorePointerOperand(&access);
  if (!pointer) return false;
  const auto bytes = static_cast<int64_t>(
      access.getDataLayout().getTypeAllocSize(getLoadStoreType(const_cast<Instruction*>(&access))));
  return stepOf(access, inner) == IndexStep::affine(bytes) &&
         stepOf(access, items) == IndexStep::affine(count * bytes);
}

/// How often to copy the body of `inner`; 0 for not at all.
unsigned piecesOf(const Loop& inner, const Loop& items, ScalarEvolution& evolution) {
  const unsigned count = evolution.getSmallConstantTripCount(&inner);
  if (count < 2 || count * instructionsIn(inner) > tuning::kUnrolledPieces) return 0;
  for (const BasicBlock* block : inner.blocks())
    for (const Instruction& instruction : *block)
      if (isPiece(instruction, count, inner, items)) return count;
  return 0;
}

}  // namespace

PreservedAnalyses UnrollPiecesPass::run(Function& function, FunctionAnalysisManager& analyses) {
  const auto& target = analyses.getResult<TargetIRAnalysis>(function);
  LoopAnalyses own(function);
  SmallVector<std::pair<Loop*, unsigned>> pieces;
  for (Loop* inner : own.loops.getLoopsInPreorder()) {
    const Loop* items = ItemLoops::around(*inner);
    if (!items || !inner->isInnermost() || ItemLoops::isItemLoop(*inner) ||
        !inner->isLoopSimplifyForm())
      continue;
    if (const unsigned count = piecesOf(*inner, *items, own.evolution); count != 0)
      pieces.emplace_back(inner, count);
  }
  OptimizationRemarkEmitter remarks(&function);
  bool hasChanged = false;
  for (const auto& [inner, count] : pieces) {
    UnrollLoopOptions options{};
    options.Count = count;
    options.AllowExpensiveTripCount = true;
    hasChanged |= UnrollLoop(inner, options, &own.loops, &own.evolution, &own.dominators,
                             &own.assumptions, &target, &remarks,
                             /*PreserveLCSSA=*/true) != LoopUnrollResult::Unmodified;
  }
  if (!hasChanged) return PreservedAnalyses::all();
  // Elements are seen to lie side by side where what they are counted from is one value.
  analyses.invalidate(function, PreservedAnalyses::none());
  EarlyCSEPass().run(function, analyses);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
