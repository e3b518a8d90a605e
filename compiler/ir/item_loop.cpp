// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/item_loop.h"

#include <llvm/Analysis/TargetTransformInfo.h>

#include "ir/abi_access.h"
#include "ir/names.h"
#include "weft/abi/machine_code.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {

using namespace llvm;

std::optional<ItemLoop> ItemLoop::recognise(Loop& loop) {
  BasicBlock* latch = loop.getLoopLatch();
  if (!latch || !loop.getLoopPreheader() || !loop.getUniqueExitBlock()) return std::nullopt;
  auto* branch = dyn_cast<BranchInst>(latch->getTerminator());
  if (!branch || !branch->isConditional() || loop.getExitingBlock() != latch) return std::nullopt;
  auto* test = dyn_cast<ICmpInst>(branch->getCondition());
  if (!test || !test->isEquality()) return std::nullopt;
  for (PHINode& phi : loop.getHeader()->phis()) {
    if (!phi.getType()->isIntegerTy(64)) continue;
    auto* next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
    auto* start = dyn_cast<ConstantInt>(phi.getIncomingValueForBlock(loop.getLoopPreheader()));
    if (!next || !start || !start->isZero() || next->getOpcode() != Instruction::Add) continue;
    auto* step = dyn_cast<ConstantInt>(next->getOperand(1));
    if (next->getOperand(0) != &phi || !step || !step->isOne()) continue;
    const unsigned side = test->getOperand(0) == next ? 1 : 0;
    if (test->getOperand(1 - side) != next || !loop.isLoopInvariant(test->getOperand(side)))
      continue;
    return ItemLoop{&loop, &phi, test->getOperand(side)};
  }
  return std::nullopt;
}

SmallVector<Use*> usesOfIndex(PHINode& index, const BasicBlock& latch) {
  const Value* next = index.getIncomingValueForBlock(&latch);
  SmallVector<Use*> uses;
  for (Use& use : index.uses())
    if (use.getUser() != next) uses.push_back(&use);
  return uses;
}

int64_t lanesExpected(const Loop& loop, const TargetTransformInfo& target) {
  unsigned bits = 64;
  for (BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block)
      if (isa<LoadInst, StoreInst>(instruction))
        bits = std::min(
            bits, getLoadStoreType(const_cast<Instruction*>(&instruction))->getScalarSizeInBits());
  const unsigned registerBits =
      target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
  return std::clamp<int64_t>((bits < 32 ? 1 : 2) * registerBits / std::max(bits, 8u), 1,
                             abi::kRowMultiple);
}

void runOnce(Loop& loop) {
  BasicBlock* latch = loop.getLoopLatch();
  BasicBlock* exit = loop.getUniqueExitBlock();
  Instruction* branch = latch ? latch->getTerminator() : nullptr;
  if (!branch || !exit || loop.getExitingBlock() != latch) return;  // the count says it as well
  loop.getHeader()->removePredecessor(latch);
  BranchInst::Create(exit, branch->getIterator());
  branch->eraseFromParent();
}

namespace {

bool isEntryArgument(const Value* value) {
  const auto* argument = dyn_cast_or_null<Argument>(value);
  return argument && argument->getArgNo() == 0;
}

}  // namespace

bool isGroupIdOrSize(const Value* value) {
  const auto* sum = dyn_cast<BinaryOperator>(value);
  if (sum && sum->hasMetadata(names::kFirstId)) return true;
  const InvariantField field = invariantField(value);
  if (!field.base) return false;
  const bool isGroupField = field.offset >= offsetof(abi::Group, localSize) &&
                            field.offset < offsetof(abi::Group, localMemory);
  const auto* instruction = cast<Instruction>(value);
  if (!instruction->getFunction()->hasFnAttribute(names::kLanesAttribute))
    return isEntryArgument(field.base) && isGroupField;
  if (isEntryArgument(field.base))
    return field.offset >= offsetof(abi::WorkItem, localId) &&
           field.offset < offsetof(abi::WorkItem, privateEnd);
  const InvariantField group = invariantField(field.base);
  return isEntryArgument(group.base) && group.offset == offsetof(abi::WorkItem, group) &&
         isGroupField;
}

}  // namespace weft::compiler
