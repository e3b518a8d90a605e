// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/elementwise.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft::compiler {

using namespace llvm;

bool isNumber(const Type& type) {
  return type.isFloatingPointTy() || (type.isIntegerTy() && type.getIntegerBitWidth() <= 64 &&
                                      isPowerOf2_32(type.getIntegerBitWidth()));
}

bool isElementwise(const Instruction& instruction) {
  if (!isNumber(*instruction.getType())) return false;
  if (const auto* call = dyn_cast<IntrinsicInst>(&instruction))
    return isTriviallyVectorizable(call->getIntrinsicID()) &&
           all_of(call->args(),
                  [&](const Value* argument) { return argument->getType() == call->getType(); });
  if (instruction.isIntDivRem() || isa<BitCastInst>(instruction)) return false;
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst>(instruction) &&
         all_of(instruction.operands(),
                [](const Value* operand) { return isNumber(*operand->getType()); });
}

bool isAlike(const Instruction& one, const Instruction& other) {
  const auto* call = dyn_cast<CallBase>(&one);
  return one.isSameOperationAs(&other, Instruction::CompareIgnoringAlignment) &&
         (!call || call->getCalledOperand() == cast<CallBase>(other).getCalledOperand());
}

bool isSumInAnyOrder(const Instruction& instruction) {
  if (instruction.getOpcode() == Instruction::FAdd) return instruction.hasAllowReassoc();
  return instruction.getOpcode() == Instruction::Add;
}

unsigned operandCount(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  return call ? call->arg_size() : instruction.getNumOperands();
}

unsigned elementsOf(const Type& type) {
  const auto* vector = dyn_cast<FixedVectorType>(&type);
  return vector ? vector->getNumElements() : 1;
}

Instruction* emitElementwise(const Instruction& model, Type* type, ArrayRef<Value*> operands,
                             IRBuilderBase& builder) {
  Instruction* made = nullptr;
  if (const auto* call = dyn_cast<IntrinsicInst>(&model)) {
    made = builder.CreateIntrinsic(type, call->getIntrinsicID(), operands);
  } else if (const auto* conversion = dyn_cast<CastInst>(&model)) {
    made = builder.Insert(CastInst::Create(conversion->getOpcode(), operands[0], type));
  } else if (const auto* comparison = dyn_cast<CmpInst>(&model)) {
    made = builder.Insert(CmpInst::Create(comparison->getOpcode(), comparison->getPredicate(),
                                          operands[0], operands[1]));
  } else if (isa<SelectInst>(model)) {
    made = builder.Insert(SelectInst::Create(operands[0], operands[1], operands[2]));
  } else if (const auto* operation = dyn_cast<BinaryOperator>(&model)) {
    made = builder.Insert(BinaryOperator::Create(operation->getOpcode(), operands[0], operands[1]));
  } else if (isa<FreezeInst>(model)) {
    made = builder.Insert(new FreezeInst(operands[0]));
  } else {
    made =
        builder.Insert(UnaryOperator::Create(cast<UnaryOperator>(model).getOpcode(), operands[0]));
  }
  made->copyIRFlags(&model);
  return made;
}

Instruction* joinElementwise(ArrayRef<Value*> members, ArrayRef<Value*> operands,
                             Instruction& place) {
  const auto& first = cast<Instruction>(*members.front());
  auto* type = FixedVectorType::get(first.getType(), static_cast<unsigned>(members.size()));
  IRBuilder<> builder(&place);
  Instruction* made = emitElementwise(first, type, operands, builder);
  for (Value* member : members) {
    made->andIRFlags(member);
    if (!first.hasSameSubclassOptionalData(cast<Instruction>(member)))
      made->dropPoisonGeneratingFlags();
  }
  propagateMetadata(made, members);
  return made;
}

}  // namespace weft::compiler
