// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/id_limits.h"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>

#include "weft/abi/machine_code.h"

namespace weft::compiler {

using namespace llvm;

namespace {

/// What is added to the index to give `value`, which may be cut to 32 bits: all ids fit.
std::optional<Value*> baseOf(Value* value, const PHINode& index, const Loop& loop) {
  while (isa<TruncInst, SExtInst, ZExtInst>(value)) {
    value = cast<CastInst>(value)->getOperand(0);
    if (value->getType()->getIntegerBitWidth() < 32) return std::nullopt;
  }
  if (value == &index) return nullptr;
  auto* sum = dyn_cast<BinaryOperator>(value);
  if (!sum || sum->getOpcode() != Instruction::Add || sum->getType() != index.getType())
    return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    // Anything else, an argument say, could make the sum wrap.
    Value* base = sum->getOperand(i);
    if (sum->getOperand(1 - i) == &index && isGroupIdOrSize(base) && loop.isLoopInvariant(base))
      return base;
  }
  return std::nullopt;
}

/// Numbers from which nothing here overflows.
constexpr int64_t kLargest = int64_t{1} << 31;
/// What ids are below.
constexpr int64_t kIds = kLargest - 64;

bool isSmall(int64_t number) { return number > -kLargest && number < kLargest; }

/// `multiple` after an operation with a constant.
std::optional<IdMultiple> combined(IdMultiple multiple, const BinaryOperator& operation) {
  const bool isDifference = isa<ConstantInt>(operation.getOperand(0));
  const auto* constant = dyn_cast<ConstantInt>(operation.getOperand(isDifference ? 0 : 1));
  if (isDifference && operation.getOpcode() != Instruction::Sub) return std::nullopt;
  if (!constant || constant->getValue().getSignificantBits() > 32) return std::nullopt;
  const int64_t number = constant->getSExtValue();
  if (!isSmall(number) || !isSmall(multiple.factor) || !isSmall(multiple.offset))
    return std::nullopt;
  switch (operation.getOpcode()) {
    case Instruction::Shl:
      if (number < 0 || number > 30) return std::nullopt;
      multiple.factor *= int64_t{1} << number;
      multiple.offset *= int64_t{1} << number;
      break;
    case Instruction::Mul:
      multiple.factor *= number;
      multiple.offset *= number;
      break;
    case Instruction::Sub:
      multiple.offset -= number;
      if (!isDifference) break;
      multiple.factor = -multiple.factor;
      multiple.offset = -multiple.offset;
      break;
    case Instruction::Or:
      if (!cast<PossiblyDisjointInst>(operation).isDisjoint()) return std::nullopt;
      [[fallthrough]];
    case Instruction::Add:
      multiple.offset += number;
      break;
    default:
      return std::nullopt;
  }
  return multiple;
}

}  // namespace

std::optional<IdLimit> IdLimit::of(const ICmpInst& test, const ItemLoop& items, bool isTrue) {
  return of(*test.getOperand(0), *test.getOperand(1),
            isTrue ? test.getPredicate() : test.getInversePredicate(), items);
}

std::optional<IdLimit> IdLimit::of(Value& left, Value& right, CmpInst::Predicate predicate,
                                   const ItemLoop& items) {
  if (ICmpInst::isEquality(predicate)) return std::nullopt;
  Value* id = &left;
  Value* limit = &right;
  if (!id->getType()->isIntegerTy() || id->getType()->getIntegerBitWidth() < 32)
    return std::nullopt;
  auto base = baseOf(id, *items.index, *items.loop);
  if (!base) {
    std::swap(id, limit);
    predicate = CmpInst::getSwappedPredicate(predicate);
    base = baseOf(id, *items.index, *items.loop);
  }
  if (!base) return std::nullopt;
  return IdLimit{*base, limit, predicate};
}

std::optional<IdMultiple> IdMultiple::of(const Value& value, const ItemLoop& items) {
  if (&value == items.index) {
    const auto* count = dyn_cast<ConstantInt>(items.count);
    const bool isKnown = count && count->getValue().ule(kIds);
    return IdMultiple{1, 0, (isKnown ? count->getSExtValue() : kIds) - 1};
  }
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !instruction->getType()->isIntegerTy()) return std::nullopt;
  std::optional<IdMultiple> multiple;
  if (isa<TruncInst, SExtInst, ZExtInst>(instruction)) {
    multiple = of(*instruction->getOperand(0), items);
    if (multiple && isa<ZExtInst>(instruction) && multiple->least() < 0) return std::nullopt;
  } else if (isa<FreezeInst>(instruction)) {
    multiple = of(*instruction->getOperand(0), items);  // what does not wrap is no poison
  } else if (const auto* operation = dyn_cast<BinaryOperator>(instruction)) {
    const unsigned side = isa<ConstantInt>(operation->getOperand(0)) ? 1 : 0;
    multiple = of(*operation->getOperand(side), items);
    if (multiple) multiple = combined(*multiple, *operation);
  }
  const unsigned bits = instruction->getType()->getIntegerBitWidth();
  if (!multiple || !isSmall(multiple->factor) || !isSmall(multiple->offset) ||
      !isIntN(bits, multiple->least()) || !isIntN(bits, multiple->most()))
    return std::nullopt;
  return multiple;
}

std::optional<IdThreshold> IdThreshold::of(const ICmpInst& test, const ItemLoop& items) {
  const auto* constant = dyn_cast<ConstantInt>(test.getOperand(1));
  const auto multiple = constant ? IdMultiple::of(*test.getOperand(0), items) : std::nullopt;
  if (!multiple || multiple->factor == 0 || constant->getValue().getSignificantBits() > 32)
    return std::nullopt;
  const auto predicate = test.getPredicate();
  if (ICmpInst::isUnsigned(predicate) && (multiple->least() < 0 || constant->isNegative()))
    return std::nullopt;
  const int64_t distance = constant->getSExtValue() - multiple->offset;
  if (ICmpInst::isEquality(predicate)) {
    const bool isEqual = predicate == ICmpInst::ICMP_EQ;
    if (distance == 0) return IdThreshold{1, isEqual};
    if (distance == multiple->factor * multiple->last) return IdThreshold{multiple->last, !isEqual};
    return std::nullopt;
  }
  // Below a number, or not below it, of indices that count up or down.
  const bool isBelow = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
  const bool isNext = ICmpInst::isLE(predicate) || ICmpInst::isGT(predicate);
  const int64_t bound = distance + (isNext ? 1 : 0);
  if (multiple->factor > 0) return IdThreshold{divideCeilSigned(bound, multiple->factor), isBelow};
  return IdThreshold{divideFloorSigned(bound, multiple->factor) + 1, !isBelow};
}

std::optional<IdLimit> IdLimit::ofMultiple(const ICmpInst& test, const ItemLoop& items,
                                           bool isTrue) {
  const auto threshold = IdThreshold::of(test, items);
  if (!threshold || threshold->isTrueBelow != isTrue) return std::nullopt;
  const auto ids = static_cast<uint64_t>(std::max<int64_t>(threshold->index, 0));
  return IdLimit{nullptr, ConstantInt::get(items.index->getType(), ids), CmpInst::ICMP_ULT};
}

Value* IdLimit::wideLimit(IRBuilderBase& builder, Type* type) const {
  return isSigned() ? builder.CreateSExt(limit, type) : builder.CreateZExt(limit, type);
}

std::optional<std::pair<Value*, Value*>> partsOf(Value& condition, bool isTrue) {
  using namespace PatternMatch;
  Value *left, *right;
  if (isTrue ? match(&condition, m_LogicalAnd(m_Value(left), m_Value(right)))
             : match(&condition, m_LogicalOr(m_Value(left), m_Value(right))))
    return std::pair(left, right);
  return std::nullopt;
}

bool isLimitOfBeginning(const APInt& limit, bool isSigned, int64_t offset) {
  const unsigned bits = limit.getBitWidth() + 1;
  const APInt value = isSigned ? limit.sext(bits) : limit.zext(bits);
  return value.sle(int64_t{abi::kRowMultiple} + offset);
}

void answer(ArrayRef<std::pair<Instruction*, Value*>> answers) {
  // Handles do not follow a question that is replaced: what it turns out to be is not the question.
  SmallVector<std::pair<WeakVH, WeakTrackingVH>> left(answers.begin(), answers.end());
  for (const auto& [question, value] : left) {
    Value* same = question;
    if (same && value && same != value)
      replaceAndRecursivelySimplify(cast<Instruction>(same), value);
  }
}

bool hoist(Value* value, Loop& loop) {
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || !loop.contains(instruction)) return true;
  // The fields of a group can be read at any time.
  const bool isField =
      isa<LoadInst>(instruction) && instruction->hasMetadata(LLVMContext::MD_invariant_load);
  if (isa<PHINode>(instruction) || instruction->mayHaveSideEffects() ||
      (!isField &&
       (instruction->mayReadFromMemory() || !isSafeToSpeculativelyExecute(instruction))))
    return false;
  for (Value* operand : instruction->operands())
    if (!hoist(operand, loop)) return false;
  instruction->moveBefore(loop.getLoopPreheader()->getTerminator());
  return true;
}

bool hoistWhatOthersUse(Loop& loop) {
  SmallVector<Instruction*> used;
  for (BasicBlock* block : loop.blocks())
    for (Instruction& instruction : *block)
      if (any_of(instruction.users(),
                 [&](const User* user) { return !loop.contains(cast<Instruction>(user)); }))
        used.push_back(&instruction);
  return all_of(used, [&](Instruction* instruction) { return hoist(instruction, loop); });
}

}  // namespace weft::compiler
