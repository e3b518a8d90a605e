// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/row_steps.h"

#include <llvm/ADT/Sequence.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "analysis/index_steps.h"
#include "base/tuning.h"
#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Where work-items leave what others see: the address of a store, or of an atomic operation.
const Value* writtenPlace(const Instruction& instruction) {
  if (const auto* store = dyn_cast<StoreInst>(&instruction)) return store->getPointerOperand();
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getPointerOperand();
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  return nullptr;
}

bool isShared(const Value* pointer) {
  return pointer && pointer->getType()->getPointerAddressSpace() != names::kPrivate;
}

/// What the accesses of a kernel cost in lanes along each dimension.
class RowCosts {
 public:
  explicit RowCosts(Function& function)
      : function_(function), dominators_(function), loops_(dominators_) {
    for (unsigned d = 0; d < 3; ++d)
      steps_.push_back(GuessedSteps::alongDimension(d, GuessedSteps::Trust::MostSteps));
  }

  /// The cheapest dimension, if it is much cheaper than the first.
  unsigned bestDimension() {
    const std::array<uint64_t, 3> costs = total();
    unsigned best = 0;
    for (unsigned d = 1; d < 3; ++d)
      if (isUsed(d) && costs[d] < costs[best]) best = d;
    return costs[best] * tuning::kGainOfOtherRows <= costs[0] ? best : 0;
  }

  GuessedSteps& stepsAlong(unsigned dimension) { return steps_[dimension]; }

  /// Whether a loop reads what all work-items of a column read.
  bool sharesColumns(unsigned along) {
    return any_of(loops_, [&](const Loop* loop) { return sharesColumns(*loop, along); });
  }

  /// Whether one does that has no loops in it and writes nothing, but sums.
  bool sharesRows(unsigned along) {
    return any_of(loops_.getLoopsInPreorder(), [&](const Loop* loop) {
      return loop->isInnermost() && sharesColumns(*loop, along) && !writes(*loop);
    });
  }

  bool hasLoops() const { return !loops_.empty(); }

 private:
  bool sharesColumns(const Loop& loop, unsigned along) {
    for (const BasicBlock* block : loop.blocks())
      for (const Instruction& instruction : *block) {
        const auto* load = dyn_cast<LoadInst>(&instruction);
        if (!load || !isShared(load->getPointerOperand())) continue;
        const Value& pointer = *load->getPointerOperand();
        const auto isSame = [&](unsigned d) { return steps_[d].of(pointer).isUniform(); };
        if (!isSame(along) && all_of(seq(3u), [&](unsigned d) { return d == along || isSame(d); }))
          return true;
      }
    return false;
  }

  /// Sums in memory do not count: promote-memory takes them out of the loop.
  static bool writes(const Loop& loop) {
    return any_of(loop.blocks(), [&](const BasicBlock* block) {
      return any_of(*block, [&](const Instruction& instruction) {
        const Value* place = writtenPlace(instruction);
        return isShared(place) && !(isa<StoreInst>(instruction) && isInvariant(*place, loop));
      });
    });
  }

  /// Whether a place is computed of what does not change in a loop.
  static bool isInvariant(const Value& place, const Loop& loop) {
    SmallPtrSet<const Value*, 8> seen;
    SmallVector<const Value*> values{&place};
    while (!values.empty()) {
      const Value* value = values.pop_back_val();
      if (loop.isLoopInvariant(value) || !seen.insert(value).second) continue;
      const auto& instruction = cast<Instruction>(*value);
      if (isa<PHINode>(instruction) || instruction.mayReadFromMemory()) return false;
      values.append(instruction.value_op_begin(), instruction.value_op_end());
    }
    return true;
  }

  /// Whether work-items that differ along the dimension alone write to different places. Some may
  /// be written by one of them, under a condition, but atomic operations would meet there.
  bool isUsed(unsigned dimension) {
    bool isUsed = false;
    for (const Instruction& instruction : instructions(function_)) {
      const Value* place = writtenPlace(instruction);
      if (!isShared(place)) continue;
      const bool isSame = steps_[dimension].of(*place).isUniform();
      if (isSame && !isa<StoreInst>(instruction)) return false;
      isUsed |= !isSame;
    }
    return isUsed;
  }

  std::array<uint64_t, 3> total() {
    std::array<uint64_t, 3> costs{};
    for (const BasicBlock& block : function_) {
      const unsigned depth = std::min(loops_.getLoopDepth(&block), kMostDepth);
      uint64_t weight = 1;
      for (unsigned i = 0; i < depth; ++i) weight *= tuning::kLoopWeight;
      for (const Instruction& instruction : block) {
        const Value* pointer = getLoadStorePointerOperand(&instruction);
        if (!isShared(pointer)) continue;
        const auto* store = dyn_cast<StoreInst>(&instruction);
        Type* type = store ? store->getValueOperand()->getType() : instruction.getType();
        const uint64_t bytes = function_.getDataLayout().getTypeStoreSize(type);
        for (unsigned d = 0; d < 3; ++d) costs[d] += weight * costOf(steps_[d].of(*pointer), bytes);
      }
    }
    return costs;
  }

  static uint64_t costOf(IndexStep step, uint64_t bytes) {
    if (step.isUniform()) return 1;
    if (!step.isAffine() || std::abs(step.stride) > tuning::kFarBytes)
      return tuning::kScatteredAccess;
    const auto stride = static_cast<uint64_t>(std::abs(step.stride));
    return std::clamp<uint64_t>(stride / bytes, 1, tuning::kScatteredAccess);
  }

  static constexpr unsigned kMostDepth = 4;

  Function& function_;
  DominatorTree dominators_;
  LoopInfo loops_;
  SmallVector<GuessedSteps, 3> steps_;
};

}  // namespace

bool writesAcross(const Function& function, unsigned dimension) {
  SmallVector<GuessedSteps, 3> steps;
  for (unsigned d = 0; d < 3; ++d) steps.push_back(GuessedSteps::alongGroups(d));
  const auto isBetween = [](IndexStep outer, IndexStep row) {
    return outer.isAffine() && std::abs(outer.stride) <= tuning::kNeighbourBytes &&
           (row.kind == IndexStep::Steady ||
            (row.isAffine() && std::abs(row.stride) > std::abs(outer.stride)));
  };
  return any_of(instructions(function), [&](const Instruction& instruction) {
    const auto* store = dyn_cast<StoreInst>(&instruction);
    if (!store || !isShared(store->getPointerOperand()) ||
        store->getPointerAddressSpace() == names::kLocal)
      return false;
    const Value& place = *store->getPointerOperand();
    const IndexStep row = steps[dimension].of(place);
    return row.isVarying() || any_of(seq(3u), [&](unsigned d) {
             return d != dimension && isBetween(steps[d].of(place), row);
           });
  });
}

RowGuess guessRows(Function& function) {
  RowCosts costs(function);
  RowGuess guess{.dimension = costs.bestDimension()};
  GuessedSteps& steps = costs.stepsAlong(guess.dimension);
  unsigned crossing = 0;
  unsigned all = 0;
  for (const Instruction& instruction : instructions(function)) {
    if (!instruction.isTerminator() && !instruction.isDebugOrPseudoInst()) ++all;
    const Value* pointer = getLoadStorePointerOperand(&instruction);
    if (!isShared(pointer)) continue;
    const IndexStep step = steps.of(*pointer);
    if (step.kind == IndexStep::Steady || std::abs(step.stride) > tuning::kFarBytes) ++crossing;
  }
  SmallVector<std::pair<const BasicBlock*, const BasicBlock*>> loops;
  FindFunctionBackedges(function, loops);
  // Where there is more to do than to move data, lanes count for more than the cache does.
  if (crossing != 0)
    guess.order = loops.empty() && crossing * tuning::kOperationsForEachLine >= all
                      ? RowOrder::Columns
                      : RowOrder::Tiles;
  else if (costs.hasLoops() && costs.sharesColumns(guess.dimension))
    guess.order = RowOrder::Tiles;
  guess.areShared = costs.sharesRows(guess.dimension);
  return guess;
}

}  // namespace weft::compiler
