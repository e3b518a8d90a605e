// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/counted_loop.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include "lanes/id_limits.h"
#include "weft/abi/machine_code.h"

namespace weft::compiler {

using namespace llvm;

std::optional<CountedLoop> CountedLoop::recognise(Loop& loop) {
  BasicBlock& head = *loop.getHeader();
  const BasicBlock* after = loop.getUniqueExitBlock();
  auto* branch = dyn_cast<BranchInst>(head.getTerminator());
  // A head that is all of the loop runs once more than its test goes on.
  if (!loop.isLoopSimplifyForm() || loop.getExitingBlock() != &head ||
      loop.getLoopLatch() == &head || !after || !branch || !branch->isConditional())
    return std::nullopt;
  const auto* test = dyn_cast<ICmpInst>(branch->getCondition());
  if (!test || any_of(head, [](const Instruction& each) { return each.mayHaveSideEffects(); }))
    return std::nullopt;
  const unsigned inside = loop.contains(branch->getSuccessor(0)) ? 0 : 1;
  for (const unsigned side : {0u, 1u}) {
    auto* counter = dyn_cast<PHINode>(test->getOperand(side));
    CmpInst::Predicate predicate = inside == 0 ? test->getPredicate() : test->getInversePredicate();
    if (side == 1) predicate = CmpInst::getSwappedPredicate(predicate);
    if (counter && counter->getParent() == &head &&
        (counter->getType()->isIntegerTy(32) || counter->getType()->isIntegerTy(64)) &&
        (ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate)))
      return CountedLoop{&loop,
                         counter,
                         test->getOperand(1 - side),
                         inside,
                         CmpInst::isSigned(predicate),
                         ICmpInst::isLE(predicate)};
  }
  return std::nullopt;
}

std::optional<ItemNumber> ItemNumber::of(Value* value, const ItemLoop& items,
                                         ScalarEvolution& evolution) {
  const SCEV* number = evolution.getSCEV(value);
  ItemNumber result{number, APInt(value->getType()->getIntegerBitWidth(), 0)};
  if (const auto* ofItem = dyn_cast<SCEVAddRecExpr>(number);
      ofItem && ofItem->getLoop() == items.loop) {
    const auto* each = dyn_cast<SCEVConstant>(ofItem->getStepRecurrence(evolution));
    if (!ofItem->isAffine() || !each || !each->getAPInt().isStrictlyPositive()) return std::nullopt;
    result = {ofItem->getStart(), each->getAPInt()};
  }
  if (!evolution.isLoopInvariant(result.first, items.loop)) return std::nullopt;
  return result;
}

bool ItemNumber::isInOrder(const ItemLoop& items, bool isSigned, ScalarEvolution& evolution) const {
  if (isUniform()) return true;
  const SCEV* id = first;
  while (const auto* cut = dyn_cast<SCEVCastExpr>(id)) id = cut->getOperand();
  const auto* value = dyn_cast<SCEVUnknown>(id);
  if (each.isOne() && value && isGroupIdOrSize(value->getValue())) return true;
  const auto* count = dyn_cast<ConstantInt>(items.count);
  const unsigned bits = each.getBitWidth();
  const APInt most(128, count ? count->getZExtValue() + abi::kRowMultiple : uint64_t{1} << 31);
  const APInt span = most * each.zext(128);
  const APInt top = isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  if (span.ugt(top.zext(128))) return false;
  bool wraps = false;
  if (isSigned)
    (void)evolution.getSignedRangeMax(first).sadd_ov(span.trunc(bits), wraps);
  else
    (void)evolution.getUnsignedRangeMax(first).uadd_ov(span.trunc(bits), wraps);
  return !wraps;
}

/// Moves what a counter is increased by out of a loop around its own.
static void hoistStep(Value* value, const PHINode& counter, Loop& around) {
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || instruction == &counter || hoist(instruction, around)) return;
  if (isa<BinaryOperator, CastInst>(instruction))
    for (Value* operand : instruction->operands()) hoistStep(operand, counter, around);
}

const SCEV* stepOf(const CountedLoop& inner, const ItemLoop& items, ScalarEvolution& evolution) {
  hoistStep(inner.next(), *inner.counter, *items.loop);
  evolution.forgetAllLoops();
  const auto* counter = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(inner.counter));
  if (!counter || counter->getLoop() != inner.loop || !counter->isAffine()) return nullptr;
  const SCEV* step = counter->getStepRecurrence(evolution);
  return evolution.isLoopInvariant(step, items.loop) && !evolution.isKnownNonPositive(step)
             ? step
             : nullptr;
}

}  // namespace weft::compiler
