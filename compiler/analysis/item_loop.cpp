// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/item_loop.h"

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

bool isGroupIdOrSize(const Value* value) {
  const auto* load = dyn_cast<LoadInst>(value);
  if (!load || !load->hasMetadata(LLVMContext::MD_invariant_load)) return false;
  const DataLayout& layout = load->getDataLayout();
  APInt offset(64, 0);
  const Value* base =
      load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  const auto* group = dyn_cast<Argument>(base);
  return group && group->getArgNo() == 0 && offset.uge(offsetof(abi::Group, localSize)) &&
         offset.ult(offsetof(abi::Group, localMemory));
}

}  // namespace weft::compiler
