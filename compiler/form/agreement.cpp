// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/agreement.h"

namespace weft::compiler {

using namespace llvm;

/// Bytes of work-items that are compared in straight code: 32 registers with AVX2.
static constexpr uint64_t kMostInVector = 1024;

Value* wayOf(Instruction& branch, Type* type, IRBuilder<>& builder) {
  if (auto* conditional = dyn_cast<BranchInst>(&branch))
    return builder.CreateZExt(builder.CreateNot(conditional->getCondition()), type);
  auto& cases = cast<SwitchInst>(branch);
  Value* way = ConstantInt::get(type, 0);
  for (const auto& choice : cases.cases())
    way = builder.CreateSelect(builder.CreateICmpEQ(cases.getCondition(), choice.getCaseValue()),
                               ConstantInt::get(type, choice.getSuccessorIndex()), way);
  return way;
}

/// Of as many cells as the group has work-items, which differs.
static Value* areSomeEqual(Value& count, AllocaInst& cells, Value& value, IRBuilder<>& builder) {
  LLVMContext& context = builder.getContext();
  BasicBlock* before = builder.GetInsertBlock();
  Function* function = before->getParent();
  BasicBlock* loop = BasicBlock::Create(context, "asked", function, &function->back());
  BasicBlock* after = BasicBlock::Create(context, "asked.end", function, &function->back());
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  Type* type = value.getType();
  PHINode* index = builder.CreatePHI(count.getType(), 2);
  PHINode* differs = builder.CreatePHI(type, 2);
  Value* cell = builder.CreateLoad(type, builder.CreateInBoundsGEP(type, &cells, index));
  Value* next = builder.CreateAdd(index, ConstantInt::get(count.getType(), 1));
  Value* differ = builder.CreateOr(differs, builder.CreateXor(cell, &value));
  index->addIncoming(ConstantInt::get(count.getType(), 0), before);
  index->addIncoming(next, loop);
  differs->addIncoming(ConstantInt::get(type, 0), before);
  differs->addIncoming(differ, loop);
  builder.CreateCondBr(builder.CreateICmpEQ(next, &count), after, loop);
  builder.SetInsertPoint(after);
  return builder.CreateICmpEQ(differ, ConstantInt::get(type, 0));
}

Value* areAllEqual(const ItemLoops& loops, AllocaInst& cells, Value& value, IRBuilder<>& builder) {
  Value* count = loops.itemCount(builder);
  const auto* constant = dyn_cast<ConstantInt>(count);
  if (!constant || constant->getValue().ugt(kMostInVector))
    return areSomeEqual(*count, cells, value, builder);
  auto* vector = FixedVectorType::get(value.getType(), constant->getZExtValue());
  Value* all = builder.CreateAlignedLoad(vector, &cells, cells.getAlign());
  Value* same = builder.CreateVectorSplat(vector->getElementCount(), &value);
  return builder.CreateNot(builder.CreateOrReduce(builder.CreateICmpNE(all, same)));
}

}  // namespace weft::compiler
