// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/unroll_pieces.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
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

/// Instructions in all iterations of a loop and of those in it; none where one of their trip counts
/// is not known.
std::optional<uint64_t> unrolledSizeOf(const Loop& loop, ScalarEvolution& evolution) {
  const unsigned count = evolution.getSmallConstantTripCount(&loop);
  if (count == 0 || !loop.isLoopSimplifyForm()) return std::nullopt;
  uint64_t size = instructionsIn(loop);
  for (const Loop* inner : loop) {
    const auto unrolled = unrolledSizeOf(*inner, evolution);
    if (!unrolled) return std::nullopt;
    size += *unrolled - instructionsIn(*inner);
  }
  return size * count;
}

/// Whether work-items go through pieces of their own in a loop that may be copied as often.
bool isThroughPieces(const Loop& loop, const Loop& items, ScalarEvolution& evolution) {
  const auto size = unrolledSizeOf(loop, evolution);
  const unsigned count = evolution.getSmallConstantTripCount(&loop);
  if (!size || *size > tuning::kUnrolledPieces || count < 2) return false;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block)
      if (isPiece(instruction, count, loop, items)) return true;
  return false;
}

/// The loops to copy, and how often; those in others come after these.
using Copies = MapVector<Loop*, unsigned>;
Copies loopsThroughPieces(LoopAnalyses& own) {
  Copies found;
  for (Loop* loop : own.loops.getLoopsInPreorder()) {
    const Loop* items = ItemLoops::around(*loop);
    if (!items || ItemLoops::isItemLoop(*loop) || found.contains(loop)) continue;
    if (isThroughPieces(*loop, *items, own.evolution))
      for (Loop* each : loop->getLoopsInPreorder())
        found.insert({each, own.evolution.getSmallConstantTripCount(each)});
  }
  return found;
}

}  // namespace

PreservedAnalyses UnrollPiecesPass::run(Function& function, FunctionAnalysisManager& analyses) {
  const auto& target = analyses.getResult<TargetIRAnalysis>(function);
  LoopAnalyses own(function);
  OptimizationRemarkEmitter remarks(&function);
  bool hasChanged = false;
  const Copies copies = loopsThroughPieces(own);
  for (const auto& [loop, count] : llvm::reverse(copies)) {
    UnrollLoopOptions options{};
    options.Count = count;
    options.AllowExpensiveTripCount = true;
    hasChanged |= UnrollLoop(loop, options, &own.loops, &own.evolution, &own.dominators,
                             &own.assumptions, &target, &remarks,
                             /*PreserveLCSSA=*/true) != LoopUnrollResult::Unmodified;
  }
  if (!hasChanged) return PreservedAnalyses::all();
  // Elements are seen to lie side by side in one block, and where what they are counted from is one
  // value.
  for (BasicBlock& block : make_early_inc_range(function))
    MergeBlockIntoPredecessor(&block, nullptr, &own.loops);
  analyses.invalidate(function, PreservedAnalyses::none());
  EarlyCSEPass().run(function, analyses);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
