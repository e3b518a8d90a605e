// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/split_inner_loops.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <optional>

#include "analysis/waiting_loops.h"
#include "base/tuning.h"
#include "ir/item_loop.h"
#include "ir/item_loops.h"
#include "lanes/copy_loops.h"
#include "lanes/counted_loop.h"
#include "weft/abi/machine_code.h"

namespace weft::compiler {
namespace {

using namespace llvm;

class Splitting {
 public:
  Splitting(const ItemLoop& items, const CountedLoop& inner, ScalarEvolution& evolution)
      : items_(items), inner_(inner), evolution_(evolution) {}

  /// Whether work-items end the loop at different times, in the order of their ids.
  bool find() {
    step_ = stepOf(inner_, items_, evolution_);
    start_ = ItemNumber::of(inner_.start(), items_, evolution_);
    limit_ = ItemNumber::of(inner_.limit, items_, evolution_);
    if (!step_ || !start_ || !limit_ || (start_->isUniform() && limit_->isUniform())) return false;
    // Numbers of 32 bits are computed in 64.
    return !isLong() ||
           (!inner_.isAtMost && start_->isInOrder(items_, inner_.isSigned, evolution_) &&
            limit_->isInOrder(items_, inner_.isSigned, evolution_));
  }

  /// Returns the head of the copy.
  BasicBlock* apply();

 private:
  bool isLong() const { return type()->getIntegerBitWidth() == 64; }
  Type* type() const { return inner_.counter->getType(); }

  Value* expand(const SCEV* number, IRBuilder<>& builder) {
    SCEVExpander expander(evolution_, inner_.head().getDataLayout(), "ends");
    Value* value = expander.expandCodeFor(number, type(), builder.GetInsertPoint());
    // The first work-item's may have no value, where that one does not come to the loop.
    if (!isa<Constant>(value)) value = builder.CreateFreeze(value);
    return inner_.isSigned ? builder.CreateSExt(value, builder.getInt64Ty())
                           : builder.CreateZExt(value, builder.getInt64Ty());
  }

  static Value* numberOf(Value* first, const ItemNumber& number, Value* index,
                         IRBuilder<>& builder) {
    if (number.isUniform()) return first;
    const uint64_t each = number.each.getZExtValue();
    return builder.CreateAdd(first, builder.CreateMul(index, builder.getInt64(each)));
  }

  ItemLoop items_;
  CountedLoop inner_;
  ScalarEvolution& evolution_;
  const SCEV* step_ = nullptr;
  std::optional<ItemNumber> start_;
  std::optional<ItemNumber> limit_;
};

BasicBlock* Splitting::apply() {
  Loop& loop = *inner_.loop;
  BasicBlock* before = loop.getLoopPreheader();
  BasicBlock* latch = loop.getLoopLatch();
  BasicBlock& head = inner_.head();

  IRBuilder<> builder(before->getTerminator());
  Value* index = items_.index;
  Value* last = builder.CreateOr(index, builder.getInt64(abi::kRowMultiple - 1));
  // Of the work-items, the last one ends first if starts grow at least as much as limits do.
  Value* soonest = start_->each.uge(limit_->each)
                       ? last
                       : builder.CreateAnd(index, builder.getInt64(-uint64_t{abi::kRowMultiple}));
  Value* start = expand(start_->first, builder);
  Value* limit = expand(limit_->first, builder);
  Value* step = expand(step_, builder);
  if (inner_.isAtMost) limit = builder.CreateAdd(limit, builder.getInt64(1));
  Value* isSound = builder.CreateICmpSGT(step, builder.getInt64(0));
  if (!isLong()) {
    const APInt top = inner_.isSigned ? APInt::getSignedMaxValue(32) : APInt::getMaxValue(32);
    for (const auto& [first, number] : {std::pair{start, &*start_}, std::pair{limit, &*limit_}})
      if (!number->isUniform())
        isSound = builder.CreateAnd(isSound,
                                    builder.CreateICmpSLE(numberOf(first, *number, last, builder),
                                                          builder.getInt64(top.getZExtValue())));
  }
  start = numberOf(start, *start_, soonest, builder);
  limit = builder.CreateSelect(isSound, numberOf(limit, *limit_, soonest, builder), start);

  ValueToValueMapTy map;
  copyLoop(loop, ".all", head, map);
  auto* copy = cast<BasicBlock>(map[&head]);
  auto* copiedLatch = cast<BasicBlock>(map[latch]);
  BasicBlock* rest = BasicBlock::Create(head.getContext(), "rest", head.getParent(), &head);
  BranchInst::Create(&head, rest);
  before->getTerminator()->setSuccessor(0, copy);
  for (PHINode& phi : head.phis()) {
    const int from = phi.getBasicBlockIndex(before);
    phi.setIncomingBlock(from, rest);
    phi.setIncomingValue(from, map[&phi]);
  }

  builder.SetInsertPoint(copiedLatch->getTerminator());
  PHINode* counter = PHINode::Create(builder.getInt64Ty(), 2, "ends", copy->begin());
  // Asked so, nothing wraps.
  Value* isMore = builder.CreateICmpUGT(builder.CreateSub(limit, counter), step);
  Value* next = builder.CreateSelect(isMore, builder.CreateAdd(counter, step), limit);
  counter->addIncoming(start, before);
  counter->addIncoming(next, copiedLatch);
  auto* exit = cast<BranchInst>(copy->getTerminator());
  builder.SetInsertPoint(exit);
  const bool isUnsigned = isLong() && !inner_.isSigned;
  Value* goesOn =
      isUnsigned ? builder.CreateICmpULT(counter, limit) : builder.CreateICmpSLT(counter, limit);
  builder.CreateCondBr(goesOn, exit->getSuccessor(inner_.inside), rest);
  exit->eraseFromParent();
  return copy;
}

/// Whether a loop may be there twice.
bool isSmall(const Loop& loop) {
  uint64_t size = 0;
  for (const BasicBlock* block : loop.blocks()) {
    size += block->sizeWithoutDebug();
    for (const Instruction& instruction : *block)
      if (const auto* call = dyn_cast<CallBase>(&instruction);
          call && (call->isConvergent() || call->cannotDuplicate()))
        return false;
  }
  return size <= tuning::kSplitLoop;
}

/// Splits one of the loops that have not been `seen`, which all are then that were looked at.
/// Whether there was one.
bool splitOne(Function& function, SmallPtrSetImpl<const BasicBlock*>& seen) {
  LoopAnalyses analyses(function);
  for (Loop* loop : analyses.loops.getLoopsInPreorder()) {
    if (!ItemLoops::isItemLoop(*loop) || ItemLoops::isLaneGroup(*loop)) continue;
    const auto items = ItemLoop::recognise(*loop);
    for (Loop* each : loop->getLoopsInPreorder()) {
      if (!items || each == loop || !each->isInnermost() || !seen.insert(each->getHeader()).second)
        continue;
      const auto inner = CountedLoop::recognise(*each);
      if (!inner || !isSmall(*each)) continue;
      Splitting splitting(*items, *inner, analyses.evolution);
      if (!splitting.find() || findWait(*loop, analyses.dominators)) continue;
      seen.insert(splitting.apply());
      return true;
    }
  }
  return false;
}

}  // namespace

PreservedAnalyses SplitInnerLoopsPass::run(Function& function, FunctionAnalysisManager&) {
  SmallPtrSet<const BasicBlock*, 16> seen;
  bool hasChanged = false;
  while (splitOne(function, seen)) hasChanged = true;
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return hasChanged ? PreservedAnalyses::none() : preserved;  // steps may have moved
}

}  // namespace weft::compiler
