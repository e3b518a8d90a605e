// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/lane_code.h"

#include <llvm/Analysis/VectorUtils.h>

#include <numeric>

namespace weft::compiler {

using namespace llvm;

void PhisFirst::InsertHelper(Instruction* instruction, const Twine& name,
                             BasicBlock::iterator place) const {
  if (isa<PHINode>(instruction) && place.isValid()) {
    BasicBlock* block = place.getNodeParent();
    place = block->getFirstNonPHIIt();
  }
  IRBuilderDefaultInserter::InsertHelper(instruction, name, place);
}

bool isLaneElement(const Type& type) {
  const unsigned bits = type.getScalarSizeInBits();
  return (type.isIntegerTy() || type.isFloatingPointTy()) && isPowerOf2_32(bits) && bits >= 8 &&
         bits <= 64;
}

BasicBlock* newLaneBlock(const Twine& name, BasicBlock& before) {
  BasicBlock* block = BasicBlock::Create(before.getContext(), name, before.getParent(), &before);
  new FreezeInst(PoisonValue::get(Type::getInt1Ty(before.getContext())), "", block);
  return block;
}

void finishLaneBlocks(Function& function) {
  for (BasicBlock& block : function)
    if (auto* freeze = dyn_cast<FreezeInst>(block.getFirstNonPHI());
        freeze && isa<PoisonValue>(freeze->getOperand(0)) && freeze->use_empty())
      freeze->eraseFromParent();
}

bool LaneCode::isFull(const Value* mask) {
  const auto* constant = dyn_cast<Constant>(mask);
  return constant && constant->isAllOnesValue();
}

Constant* LaneCode::steps(IntegerType* type, int64_t stride) const {
  SmallVector<Constant*, 64> elements;
  for (unsigned lane = 0; lane < width_; ++lane)
    elements.push_back(ConstantInt::get(
        type, APInt(64, static_cast<uint64_t>(lane * stride)).sextOrTrunc(type->getBitWidth())));
  return ConstantVector::get(elements);
}

Value* LaneCode::affine(Value* first, int64_t stride) {
  if (auto* type = dyn_cast<IntegerType>(first->getType()))
    return builder_.CreateAdd(splat(first), steps(type, stride));
  return builder_.CreateGEP(builder_.getInt8Ty(), first, steps(builder_.getInt64Ty(), stride));
}

Value* LaneCode::reverse(Value* lanes) { return builder_.CreateVectorReverse(lanes); }

Value* LaneCode::both(Value* mask, Value* condition) {
  if (isFull(mask)) return condition;
  if (isFull(condition)) return mask;
  return builder_.CreateSelect(mask, condition, Constant::getNullValue(mask->getType()));
}

Value* LaneCode::either(Value* left, Value* right) { return builder_.CreateOr(left, right); }

Value* LaneCode::bits(Value* mask) {
  return builder_.CreateBitCast(mask, builder_.getIntNTy(width_));
}

Value* LaneCode::any(Value* mask) {
  Value* all = bits(mask);
  return builder_.CreateICmpNE(all, Constant::getNullValue(all->getType()));
}

Value* LaneCode::all(Value* mask) {
  Value* lanes = bits(mask);
  return builder_.CreateICmpEQ(lanes, Constant::getAllOnesValue(lanes->getType()));
}

Value* LaneCode::lastActive(Value* mask) {
  Value* all = bits(mask);
  Value* zeros =
      builder_.CreateIntrinsic(Intrinsic::ctlz, {all->getType()}, {all, builder_.getTrue()});
  return builder_.CreateSub(ConstantInt::get(all->getType(), width_ - 1), zeros);
}

Value* LaneCode::below(Value* count) {
  auto* type = builder_.getInt8Ty();  // widths are at most 64
  return builder_.CreateICmpULT(steps(type, 1), splat(builder_.CreateTrunc(count, type)));
}

Value* LaneCode::interleave(ArrayRef<Value*> parts) {
  if (parts.size() == 1) return parts.front();
  return builder_.CreateShuffleVector(
      concatenateVectors(builder_, parts),
      createInterleaveMask(width_, static_cast<unsigned>(parts.size())));
}

SmallVector<Value*, 4> LaneCode::deinterleave(Value* lanes, unsigned parts) {
  if (parts == 1) return {lanes};
  SmallVector<Value*, 4> result;
  for (unsigned part = 0; part < parts; ++part)
    result.push_back(builder_.CreateShuffleVector(lanes, createStrideMask(part, parts, width_)));
  return result;
}

Value* LaneCode::replicate(Value* mask, unsigned times) {
  if (times == 1) return mask;
  if (isFull(mask))
    return Constant::getAllOnesValue(FixedVectorType::get(builder_.getInt1Ty(), width_ * times));
  return builder_.CreateShuffleVector(mask, createReplicatedMask(times, width_));
}

}  // namespace weft::compiler
