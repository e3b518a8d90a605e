// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/ordered_part.h"

#include <llvm/IR/IntrinsicInst.h>

#include "ir/elementwise.h"
#include "ir/item_loops.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// The operands of an operation that adds something to a sum: which one is the sum, and what has to
/// be added to have the sum as it was.
struct Addition {
  unsigned sum;
  SmallVector<std::pair<unsigned, double>, 2> added;  ///< operands, and what they are then
};

/// All ways in which `operation` adds something; x + -0 and x - 0 are x for all x, -0 included.
SmallVector<Addition, 2> additionsIn(const Instruction& operation) {
  if (const auto* call = dyn_cast<IntrinsicInst>(&operation)) {
    if (call->getIntrinsicID() == Intrinsic::fma || call->getIntrinsicID() == Intrinsic::fmuladd)
      return {{2, {{0, -0.0}, {1, 1.0}}}};
    return {};
  }
  switch (operation.getOpcode()) {
    case Instruction::FAdd:
      return {{0, {{1, -0.0}}}, {1, {{0, -0.0}}}};
    case Instruction::Add:
    case Instruction::Or:
    case Instruction::Xor:
      return {{0, {{1, 0.0}}}, {1, {{0, 0.0}}}};
    case Instruction::FSub:
    case Instruction::Sub:
      return {{0, {{1, 0.0}}}};
    default:
      return {};
  }
}

Constant* numberOf(Type* type, double value) {
  return type->isFloatingPointTy() ? ConstantFP::get(type, value)
                                   : ConstantInt::get(type, static_cast<uint64_t>(value));
}

/// `operation` on other operands, which are elements of its own.
Value* onElements(const Instruction& operation, ArrayRef<Value*> operands, IRBuilder<>& builder) {
  if (operation.getType()->isVectorTy()) {
    Instruction* made =
        emitElementwise(operation, operation.getType()->getScalarType(), operands, builder);
    made->copyMetadata(operation);
    return made;
  }
  Instruction* copy = operation.clone();
  copy->dropDbgRecords();
  for (const auto& [i, operand] : enumerate(operands)) copy->setOperand(i, operand);
  return builder.Insert(copy, operation.getName());
}

}  // namespace

OrderedPart::OrderedPart(const Loop& loop, const LoopParts& parts, BasicBlock& block, Value& index,
                         NewArray newArray, Induction induction)
    : loop_(loop),
      parts_(parts),
      builder_(&block),
      index_(index),
      newArray_(std::move(newArray)),
      induction_(std::move(induction)),
      flushesDenormals_(block.getParent()
                            ->getFnAttribute("denormal-fp-math-f32")
                            .getValueAsString()
                            .contains("preserve-sign")) {}

bool OrderedPart::isInLoop(const Value& value) const {
  const auto* instruction = dyn_cast<Instruction>(&value);
  return instruction && loop_.contains(instruction);
}

void OrderedPart::start(PHINode& phi, Value& value, BasicBlock& before) {
  IRBuilder<> builder(before.getTerminator());
  for (unsigned i = 0; i < elementsOf(*phi.getType()); ++i) {
    PHINode* made = builder_.CreatePHI(phi.getType()->getScalarType(), 2, phi.getName());
    made->addIncoming(
        value.getType()->isVectorTy() ? builder.CreateExtractElement(&value, i) : &value, &before);
    elements_[{&phi, i}] = made;
  }
}

void OrderedPart::carryOn(PHINode& phi, Value& next) {
  for (unsigned i = 0; i < elementsOf(*phi.getType()); ++i) {
    Value* value = element(next, i);
    cast<PHINode>(elements_[{&phi, i}])->addIncoming(value, builder_.GetInsertBlock());
  }
}

Value* OrderedPart::whole(Value& value, IRBuilder<>& builder) {
  if (!isInLoop(value)) return &value;
  if (!value.getType()->isVectorTy()) return element(value, 0);
  Value* result = PoisonValue::get(value.getType());
  for (unsigned i = 0; i < elementsOf(*value.getType()); ++i)
    result = builder.CreateInsertElement(result, element(value, i), i);
  return result;
}

/// Where an element comes from, through what only moves it.
OrderedPart::Element OrderedPart::sourceOf(Value& value, unsigned index) const {
  Element source{&value, index};
  while (isInLoop(*source.value)) {
    Value* next = nullptr;
    if (auto* shuffle = dyn_cast<ShuffleVectorInst>(source.value)) {
      const int from = shuffle->getMaskValue(source.index);
      const auto width = static_cast<int>(elementsOf(*shuffle->getOperand(0)->getType()));
      if (from < 0) return {PoisonValue::get(shuffle->getType()->getElementType()), 0};
      next = shuffle->getOperand(from < width ? 0 : 1);
      source.index = from < width ? from : from - width;
    } else if (auto* insert = dyn_cast<InsertElementInst>(source.value)) {
      const bool isInserted = cast<ConstantInt>(insert->getOperand(2))->equalsInt(source.index);
      next = insert->getOperand(isInserted ? 1 : 0);
      if (isInserted) source.index = 0;
    } else if (auto* extract = dyn_cast<ExtractElementInst>(source.value)) {
      next = extract->getVectorOperand();
      source.index = cast<ConstantInt>(extract->getIndexOperand())->getZExtValue();
    } else {
      break;
    }
    source.value = next;
  }
  return source;
}

Value* OrderedPart::element(Value& value, unsigned index) {
  const Element source = sourceOf(value, index);
  auto* instruction = dyn_cast<Instruction>(source.value);
  if (!instruction || !isInLoop(*instruction)) {
    if (!source.value->getType()->isVectorTy()) return source.value;
    return builder_.CreateExtractElement(source.value, source.index);
  }
  const auto key = std::pair<Value*, unsigned>{instruction, source.index};
  if (Value* known = elements_.lookup(key)) return known;
  Value* result = nullptr;
  if (parts_.ordered.contains(instruction))
    result = compute(*instruction, source.index);
  else if (parts_.inductions.contains(instruction))
    result = induction_(*instruction, builder_);
  else
    result = take({.value = instruction,
                   .element = source.index,
                   .otherwise = Constant::getNullValue(instruction->getType()->getScalarType())},
                  instruction->getName());
  elements_[key] = result;
  return result;
}

Value* OrderedPart::compute(Instruction& instruction, unsigned index) {
  if (const auto* phi = dyn_cast<PHINode>(&instruction)) return meet(*phi, index);
  if (auto* selection = dyn_cast<SelectInst>(&instruction))
    if (Value* result = select(*selection, index)) return result;
  SmallVector<Value*> operands;
  for (unsigned i = 0; i < operandCount(instruction); ++i) {
    Value& operand = *instruction.getOperand(i);
    operands.push_back(element(operand, operand.getType()->isVectorTy() ? index : 0));
  }
  return onElements(instruction, operands, builder_);
}

/// An element where several ways meet.
Value* OrderedPart::meet(const PHINode& phi, unsigned index) {
  SmallVector<std::pair<Element, Value*>> sources;  // that differ, and values that bring them
  for (Value* value : phi.incoming_values()) {
    const Element source = sourceOf(*value, index);
    if (none_of(sources, [&](const auto& known) { return known.first == source; }))
      sources.emplace_back(source, value);
  }
  if (sources.size() == 1) return element(*phi.getIncomingValue(0), index);
  if (phi.getNumIncomingValues() == 2)
    for (const unsigned sum : {0u, 1u})
      if (Value* result = addWhereTaken(phi, sources[sum].first, sources[1 - sum].first,
                                        *sources[1 - sum].second))
        return result;
  Value* way = take({.meeting = &phi, .otherwise = builder_.getInt8(0)}, "way");
  Value* result = element(*phi.getIncomingValue(0), index);
  for (unsigned i = 1; i < phi.getNumIncomingValues(); ++i) {
    Value* other = element(*phi.getIncomingValue(i), index);
    if (other == result) continue;
    Value* isThis = builder_.CreateICmpEQ(
        way, builder_.getInt8(HandedOn::wayFrom(*phi.getIncomingBlock(i), *phi.getParent())));
    result = builder_.CreateSelect(isThis, other, result);
  }
  return result;
}

/// A selection between a sum and what adds to it; null for another one.
Value* OrderedPart::select(SelectInst& selection, unsigned index) {
  const auto* condition = dyn_cast<Instruction>(selection.getCondition());
  if (!condition || !isInLoop(*condition) || parts_.isInOrder(*condition) ||
      condition->getType()->isVectorTy())
    return nullptr;
  Value* values[] = {selection.getTrueValue(), selection.getFalseValue()};
  for (const unsigned sum : {0u, 1u})
    if (Value* result = addWhereTaken(selection, sourceOf(*values[sum], index),
                                      sourceOf(*values[1 - sum], index), *values[1 - sum]))
      return result;
  return nullptr;
}

unsigned HandedOn::wayFrom(const BasicBlock& from, const BasicBlock& to) {
  return to.phis().begin()->getBasicBlockIndex(&from);
}

/// Adds to `sum` what `added` adds to it where it is taken, and nothing elsewhere. Null if it is no
/// such thing.
Value* OrderedPart::addWhereTaken(const Instruction& meeting, const Element& sum,
                                  const Element& added, Value& taken) {
  auto* operation = dyn_cast<Instruction>(added.value);
  if (!operation || !parts_.ordered.contains(operation) || !operation->hasOneUse()) return nullptr;
  Type* type = operation->getType()->getScalarType();
  // Sums that are no results of additions yet would become zeros, those of doubles as well.
  if (type->isFloatingPointTy() && flushesDenormals_) return nullptr;
  const auto operandOf = [&](unsigned i) {
    Value& operand = *operation->getOperand(i);
    return sourceOf(operand, operand.getType()->isVectorTy() ? added.index : 0);
  };
  for (const Addition& addition : additionsIn(*operation)) {
    if (operandOf(addition.sum) != sum || any_of(addition.added, [&](const auto& entry) {
          const Value* value = operandOf(entry.first).value;
          const auto* instruction = dyn_cast<Instruction>(value);
          return isa<PoisonValue>(value) || (instruction && parts_.isInOrder(*instruction)) ||
                 (instruction && isInLoop(*instruction) &&
                  parts_.inductions.contains(const_cast<Instruction*>(instruction)));
        }))
      continue;
    SmallVector<Value*> operands(addition.added.size() + 1);
    operands[addition.sum] = element(*sum.value, sum.index);
    for (const auto& [i, nothing] : addition.added) {
      const Element operand = operandOf(i);
      operands[i] = take({.value = operand.value,
                          .element = operand.index,
                          .meeting = &meeting,
                          .taken = &taken,
                          .otherwise = numberOf(type, nothing)},
                         operand.value->getName());
    }
    return onElements(*operation, operands, builder_);
  }
  return nullptr;
}

/// The number that this iteration hands on.
Value* OrderedPart::take(HandedOn wanted, const Twine& name) {
  const auto isSame = [&](const HandedOn& other) {
    if (wanted.value != other.value || wanted.element != other.element) return false;
    if (!wanted.meeting || !other.meeting || isa<SelectInst>(wanted.meeting) ||
        isa<SelectInst>(other.meeting))
      return wanted.meeting == other.meeting && wanted.otherwise == other.otherwise;
    return wanted.meeting->getParent() == other.meeting->getParent() &&
           wanted.otherwise == other.otherwise && (!wanted.value || wanted.taken == other.taken);
  };
  auto* known = find_if(handedOn_, isSame);
  if (known == handedOn_.end()) {
    Type* type = wanted.otherwise->getType();
    wanted.array = newArray_(type, name);
    handedOn_.push_back(wanted);
    known = &handedOn_.back();
    taken_[wanted.array] = ItemLoops::loadCell(builder_, type, *wanted.array, index_);
  }
  return taken_[known->array];
}

}  // namespace weft::compiler
