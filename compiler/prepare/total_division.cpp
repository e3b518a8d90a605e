// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/total_division.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

namespace weft::compiler {
namespace {

using namespace llvm;

bool isGoodDivisor(const Value* divisor, bool isSigned) {
  const auto* constant = dyn_cast<Constant>(divisor);
  if (!constant) return false;
  auto good = [&](const Constant* element) {
    const auto* number = dyn_cast_or_null<ConstantInt>(element);
    return number && !number->isZero() && !(isSigned && number->isMinusOne());
  };
  auto* vector = dyn_cast<FixedVectorType>(constant->getType());
  if (!vector) return good(constant);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    if (!good(constant->getAggregateElement(i))) return false;
  return true;
}

// Both tests below must see the value that the division sees, so undef is pinned down.
Value* pinned(IRBuilder<>& builder, Value* value) {
  return isGuaranteedNotToBeUndefOrPoison(value) ? value : builder.CreateFreeze(value);
}

void makeTotal(BinaryOperator& division) {
  bool isSigned =
      division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
  IRBuilder<> builder(&division);
  Value* dividend = division.getOperand(0);
  if (isSigned) dividend = pinned(builder, dividend);
  Value* divisor = pinned(builder, division.getOperand(1));
  division.setOperand(0, dividend);
  division.setOperand(1, fitDivisor(builder, dividend, divisor, isSigned));
  if (isa<PossiblyExactOperator>(division)) division.setIsExact(false);
}

/// `constant` with zeros in the place of poison; null when there is none.
Constant* withoutPoison(Constant& constant) {
  if (isa<PoisonValue>(constant)) return Constant::getNullValue(constant.getType());
  if (!constant.getType()->isVectorTy() || !constant.containsPoisonElement()) return nullptr;
  SmallVector<Constant*> elements;
  const unsigned count = cast<FixedVectorType>(constant.getType())->getNumElements();
  for (unsigned i = 0; i < count; ++i) {
    Constant* element = constant.getAggregateElement(i);
    elements.push_back(isa<PoisonValue>(element) ? Constant::getNullValue(element->getType())
                                                 : element);
  }
  return ConstantVector::get(elements);
}

/// The front end computes with constants as it goes, by LLVM's rules.
bool dropPoison(Instruction& instruction) {
  // Vectors and structures are put together from nothing.
  if (isa<ShuffleVectorInst, InsertValueInst>(instruction)) return false;
  bool changed = false;
  for (Use& use : instruction.operands()) {
    auto* constant = dyn_cast<Constant>(use.get());
    if (!constant || !constant->getType()->isFirstClassType() ||
        (isa<InsertElementInst>(instruction) && use.getOperandNo() == 0))
      continue;
    Constant* settled = withoutPoison(*constant);
    if (!settled) continue;
    use.set(settled);
    changed = true;
  }
  return changed;
}

}  // namespace

Value* fitDivisor(IRBuilderBase& builder, Value* dividend, Value* divisor, bool isSigned) {
  Type* type = divisor->getType();
  Value* isZero = builder.CreateICmpEQ(divisor, Constant::getNullValue(type));
  Value* fit = builder.CreateAdd(divisor, builder.CreateZExt(isZero, type));
  if (!isSigned) return fit;
  Constant* least = ConstantInt::get(type, APInt::getSignedMinValue(type->getScalarSizeInBits()));
  Value* overflows =
      builder.CreateAnd(builder.CreateICmpEQ(dividend, least),
                        builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type)));
  return builder.CreateAdd(
      fit, builder.CreateShl(builder.CreateZExt(overflows, type), ConstantInt::get(type, 1)));
}

const Value* divisorBefore(const BinaryOperator& division) {
  using namespace PatternMatch;
  Value* divisor = division.getOperand(1);
  if (Value * fit; isFitForLeast(divisor, division.getOperand(0), fit)) divisor = fit;
  Value* pinned;
  CmpInst::Predicate predicate;
  if (match(divisor,
            m_c_Add(m_Value(pinned), m_ZExt(m_ICmp(predicate, m_Deferred(pinned), m_ZeroInt())))) &&
      predicate == ICmpInst::ICMP_EQ)
    divisor = pinned;
  const auto* freeze = dyn_cast<FreezeInst>(divisor);
  return freeze ? freeze->getOperand(0) : divisor;
}

bool isFitForLeast(Value* divisor, Value* dividend, Value*& fit) {
  using namespace PatternMatch;
  const auto isLeast = m_SpecificICmp(ICmpInst::ICMP_EQ, m_Specific(dividend), m_SignMask());
  const auto overflows = m_ZExt(m_c_And(isLeast, m_Value()));
  return match(divisor, m_c_Add(m_Value(fit), m_Shl(overflows, m_SpecificInt(1))));
}

PreservedAnalyses TotalDivisionPass::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<BinaryOperator*> divisions;
  bool changed = false;
  for (Instruction& instruction : instructions(function)) {
    changed |= dropPoison(instruction);
    if (!instruction.isIntDivRem()) continue;
    bool isSigned = instruction.getOpcode() == Instruction::SDiv ||
                    instruction.getOpcode() == Instruction::SRem;
    if (!isGoodDivisor(instruction.getOperand(1), isSigned))
      divisions.push_back(cast<BinaryOperator>(&instruction));
  }
  for (BinaryOperator* division : divisions) makeTotal(*division);
  if (divisions.empty() && !changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
