// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/divide_item_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

#include "base/tuning.h"
#include "ir/item_loop.h"
#include "ir/item_loops.h"
#include "ir/loop_size.h"
#include "ir/names.h"
#include "lanes/copy_loops.h"
#include "lanes/id_limits.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Iterations of a loop that becomes one of its own, and what they answer to the question, if all
/// answer alike.
struct Part {
  uint64_t begin, end;
  std::optional<bool> answer;
};

struct Division {
  ICmpInst* test;
  SmallVector<Part, 3> parts;  ///< none of them empty
};

/// The parts of a loop of `count` iterations before, round and behind the threshold.
SmallVector<Part, 3> partsAround(const IdThreshold& threshold, uint64_t count, uint64_t lanes) {
  SmallVector<Part, 3> parts;
  if (threshold.index <= 0 || static_cast<uint64_t>(threshold.index) >= count) return parts;
  const auto border = static_cast<uint64_t>(threshold.index);
  const uint64_t before = alignDown(border, lanes),
                 behind = std::min(alignTo(border, lanes), count);
  const auto add = [&](uint64_t begin, uint64_t end, std::optional<bool> answer) {
    if (begin < end) parts.push_back({begin, end, answer});
  };
  add(0, before, threshold.isTrueBelow);
  add(before, behind, std::nullopt);
  add(behind, count, !threshold.isTrueBelow);
  return parts;
}

/// The first question on the way down from `condition` that divides the loop.
std::optional<Division> divisionBy(Value& condition, const ItemLoop& items, uint64_t count,
                                   uint64_t lanes) {
  for (const bool isTrue : {true, false})
    if (const auto parts = partsOf(condition, isTrue)) {
      auto found = divisionBy(*parts->first, items, count, lanes);
      return found ? found : divisionBy(*parts->second, items, count, lanes);
    }
  auto* test = dyn_cast<ICmpInst>(&condition);
  const auto threshold = test ? IdThreshold::of(*test, items) : std::nullopt;
  if (!threshold) return std::nullopt;
  Division division{test, partsAround(*threshold, count, lanes)};
  if (division.parts.size() < 2) return std::nullopt;
  return division;
}

std::optional<Division> findDivision(const ItemLoop& items, uint64_t lanes) {
  const auto* count = dyn_cast<ConstantInt>(items.count);
  if (!count) return std::nullopt;
  for (BasicBlock* block : items.loop->blocks()) {
    auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional() || block == items.loop->getLoopLatch()) continue;
    auto found = divisionBy(*branch->getCondition(), items, count->getZExtValue(), lanes);
    if (found) return found;
  }
  return std::nullopt;
}

/// Has a loop run the iterations of `part`, and nobody ask what all answer alike.
void limitTo(const Part& part, PHINode& index, BasicBlock& latch, ICmpInst& test,
             ArrayRef<BasicBlock*> blocks, Value* count) {
  Type* type = index.getType();
  cast<ICmpInst>(cast<BranchInst>(latch.getTerminator())->getCondition())
      ->replaceUsesOfWith(count, ConstantInt::get(type, part.end - part.begin));
  if (part.begin != 0) {
    const SmallVector<Use*> uses = usesOfIndex(index, latch);
    Instruction* all =
        BinaryOperator::CreateNUWAdd(&index, ConstantInt::get(type, part.begin), "index.all",
                                     index.getParent()->getFirstInsertionPt());
    for (Use* use : uses) use->set(all);
  }
  if (!part.answer) return;
  test.replaceAllUsesWith(ConstantInt::getBool(test.getContext(), *part.answer));
  RecursivelyDeleteTriviallyDeadInstructions(&test);
  for (BasicBlock* block : blocks) ConstantFoldTerminator(block);
}

void divide(const ItemLoop& items, const Division& division) {
  Loop& loop = *items.loop;
  BasicBlock* before = loop.getLoopPreheader();
  BasicBlock* after = loop.getUniqueExitBlock();
  BasicBlock* latch = loop.getLoopLatch();
  BasicBlock* next = after;
  for (const Part& part : reverse(ArrayRef(division.parts).drop_front())) {
    BasicBlock* start =
        BasicBlock::Create(before->getContext(), "items.part", before->getParent(), next);
    ValueToValueMapTy map;
    map[before] = start;
    map[after] = next;
    copyLoop(loop, ".part", *next, map);
    BranchInst::Create(cast<BasicBlock>(map[loop.getHeader()]), start);
    SmallVector<BasicBlock*> blocks;
    for (BasicBlock* block : loop.blocks()) blocks.push_back(cast<BasicBlock>(map[block]));
    limitTo(part, *cast<PHINode>(map[items.index]), *cast<BasicBlock>(map[latch]),
            *cast<ICmpInst>(map[division.test]), blocks, items.count);
    next = start;
  }
  latch->getTerminator()->replaceSuccessorWith(after, next);
  limitTo(division.parts.front(), *items.index, *latch, *division.test,
          SmallVector<BasicBlock*>(loop.blocks()), items.count);
}

/// Divides one of the loops; whether there was one.
bool divideOne(Function& function, const TargetTransformInfo& target) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    const auto items = ItemLoops::isItemLoop(*loop) ? ItemLoop::recognise(*loop) : std::nullopt;
    if (!items || !loop->getUniqueExitBlock()->phis().empty() ||
        instructionsIn(*loop) > tuning::kVersionedItem)
      continue;
    const auto division = findDivision(*items, static_cast<uint64_t>(lanesExpected(*loop, target)));
    if (!division || !hoistWhatOthersUse(*loop)) continue;
    divide(*items, *division);
    return true;
  }
  return false;
}

}  // namespace

PreservedAnalyses DivideItemLoopsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  // Sub-groups begin at multiples of their size, whatever that is.
  if (function.hasFnAttribute(names::kSubGroupLanesAttribute)) return PreservedAnalyses::all();
  const TargetTransformInfo& target = analyses.getResult<TargetIRAnalysis>(function);
  unsigned divisions = 0;
  while (divisions < tuning::kMostDivisions && divideOne(function, target)) ++divisions;
  if (divisions == 0) return PreservedAnalyses::all();
  removeUnreachableBlocks(function);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
