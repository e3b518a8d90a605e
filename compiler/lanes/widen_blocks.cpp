// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Accesses whose places are known within blocks of lanes (analysis/lane_blocks.h): one for each
/// block.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>

#include "lanes/loop_widener.h"

namespace weft::compiler {

using namespace llvm;

/// Whether `value` can be used in the code for `here`: it is from before the loop, or what control
/// flow that lanes take together leads to, or from the same block.
bool LoopWidener::isAtHand(const Value* value, const BasicBlock& here) const {
  const auto* instruction = dyn_cast<Instruction>(value);
  return !instruction || !plan_.loop.contains(instruction) || instruction->getParent() == &here ||
         !plan_.masks.isMasked(*instruction->getParent());
}

/// Whether a number or an address is computed again for one lane, from what is known of that. What
/// is frozen may be another number each time.
bool LoopWidener::isRepeated(const Instruction& instruction, const BasicBlock& here) const {
  return isa<BinaryOperator, CastInst, GetElementPtrInst, MinMaxIntrinsic>(instruction) &&
         all_of(instruction.operand_values(),
                [&](const Value* operand) { return isAtHand(operand, here); });
}

/// An address or number of lane `lane`, which is active, for the code of `here`; without vectors as
/// far as that goes. `known` has what was computed for this lane before.
Value* LoopWidener::inOneLane(Value* value, unsigned lane, const BasicBlock& here,
                              DenseMap<Value*, Value*>& known) {
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || !plan_.loop.contains(instruction)) return value;
  if (Value* found = known.lookup(value)) return found;
  Value* result = nullptr;
  if (!plan_.shapes.of(value).isVarying()) {
    result = inLaneNumber(value, lane);
  } else if (isRepeated(*instruction, here)) {
    Instruction* copy = instruction->clone();
    for (Use& use : copy->operands()) use.set(inOneLane(use.get(), lane, here, known));
    result = builder_.Insert(copy);
  } else {
    result = builder_.CreateExtractElement(partOf(value, 0), lane);
  }
  return known[value] = result;
}

/// One work-item's `value`, one behind the other for each lane of a block.
Value* LoopWidener::forBlock(Value* value, unsigned lanes) {
  if (!value->getType()->isVectorTy()) return builder_.CreateVectorSplat(lanes, value);
  const unsigned count = cast<FixedVectorType>(value->getType())->getNumElements();
  SmallVector<int, 64> mask;
  for (unsigned i = 0; i < lanes * count; ++i) mask.push_back(static_cast<int>(i % count));
  return builder_.CreateShuffleVector(value, mask);
}

/// The blocks of an access that all lanes make.
std::optional<LaneBlocks::Block> LoopWidener::blocksOf(const Instruction& access) const {
  return LaneCode::isFull(mask_) ? plan_.blocks.of(access, plan_.width) : std::nullopt;
}

/// What the lanes of all blocks read, one behind the other.
Value* LoopWidener::loadBlocks(LoadInst& load, LaneBlocks::Block block) {
  const auto types = componentsOf(load.getType());
  const auto count = static_cast<unsigned>(types.size());
  Type* type =
      block.isOnePlace ? load.getType() : FixedVectorType::get(types.front(), block.lanes * count);
  Parts rows;
  for (unsigned lane = 0; lane < plan_.width; lane += block.lanes) {
    DenseMap<Value*, Value*> known;
    Value* address = inOneLane(load.getPointerOperand(), lane, *load.getParent(), known);
    Instruction* row = builder_.CreateAlignedLoad(type, address, load.getAlign());
    copyAliasing(load, *row);
    rows.push_back(block.isOnePlace ? forBlock(row, block.lanes) : row);
  }
  return concatenateVectors(builder_, rows);
}

/// Writes `lanes`, what all lanes have, one behind the other.
void LoopWidener::storeBlocks(StoreInst& store, LaneBlocks::Block block, Value* lanes) {
  const auto count = cast<FixedVectorType>(lanes->getType())->getNumElements();
  const unsigned elements = count / plan_.width * block.lanes;
  for (unsigned lane = 0; lane < plan_.width; lane += block.lanes) {
    DenseMap<Value*, Value*> known;
    Value* address = inOneLane(store.getPointerOperand(), lane, *store.getParent(), known);
    const unsigned first = lane / block.lanes * elements;
    Value* row = block.lanes == plan_.width ? lanes
                                            : builder_.CreateShuffleVector(
                                                  lanes, createSequentialMask(first, elements, 0));
    copyAliasing(store, *builder_.CreateAlignedStore(row, address, store.getAlign()));
  }
}

bool LoopWidener::loadInBlocks(LoadInst& load) {
  const auto block = blocksOf(load);
  if (!block) return false;
  const auto count = static_cast<unsigned>(componentsOf(load.getType()).size());
  define(load, code_.deinterleave(loadBlocks(load, *block), count));
  return true;
}

bool LoopWidener::storeInBlocks(StoreInst& store) {
  const auto block = blocksOf(store);
  if (!block) return false;
  storeBlocks(store, *block, code_.interleave(partsOf(store.getValueOperand())));
  return true;
}

}  // namespace weft::compiler
