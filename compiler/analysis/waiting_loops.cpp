// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/waiting_loops.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/PatternMatch.h>

#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Whether it asks if a compare-and-swap has succeeded that was given what this iteration read.
bool asksForSuccess(const Instruction& instruction, const Loop& loop) {
  auto exchangeOf = [](const Value* value) -> const AtomicCmpXchgInst* {
    const auto* part = dyn_cast<ExtractValueInst>(value);
    return part ? dyn_cast<AtomicCmpXchgInst>(part->getAggregateOperand()) : nullptr;
  };
  auto isFresh = [&](const AtomicCmpXchgInst* exchange) {
    return exchange && !loop.isLoopInvariant(exchange->getCompareOperand());
  };
  if (const auto* part = dyn_cast<ExtractValueInst>(&instruction))
    return *part->idx_begin() == 1 && isFresh(exchangeOf(part));
  const auto* compare = dyn_cast<CmpInst>(&instruction);
  if (!compare) return false;
  for (const unsigned side : {0u, 1u}) {
    const AtomicCmpXchgInst* exchange = exchangeOf(compare->getOperand(side));
    if (isFresh(exchange) && exchange->getCompareOperand() == compare->getOperand(1 - side))
      return true;
  }
  return false;
}

/// Whether a loop's own updates move a counter on, and nothing in it moves it back.
bool isCounter(const AtomicRMWInst& update, const Loop& loop) {
  if (update.getOperation() != AtomicRMWInst::Add && update.getOperation() != AtomicRMWInst::Sub)
    return false;
  if (match(update.getValOperand(), PatternMatch::m_Zero())) return false;
  const Value* place = update.getPointerOperand()->stripPointerCasts();
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& other : *block)
      if (const auto* second = dyn_cast<AtomicRMWInst>(&other);
          second && second != &update && second->getPointerOperand()->stripPointerCasts() == place)
        return false;
  return true;
}

/// Whether it reads what others may have written by now.
bool readsOthers(const Instruction& instruction, const Loop& loop) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return load->getPointerAddressSpace() != names::kPrivate && !load->isSimple();
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction)) return !isCounter(*update, loop);
  return isa<AtomicCmpXchgInst>(instruction);
}

/// What `condition` depends on within the loop.
const Instruction* findWait(const Value* condition, const Loop& loop) {
  SmallPtrSet<const Instruction*, 32> seen;
  SmallVector<const Value*> left{condition};
  while (!left.empty()) {
    const auto* inside = dyn_cast<Instruction>(left.pop_back_val());
    if (!inside || !loop.contains(inside) || !seen.insert(inside).second) continue;
    if (asksForSuccess(*inside, loop)) continue;
    if (readsOthers(*inside, loop)) return inside;
    if (isa<LoadInst, AtomicRMWInst>(inside)) continue;
    append_range(left, inside->operands());
    // What a phi is depends on the way by which it was come to.
    if (const auto* phi = dyn_cast<PHINode>(inside))
      for (const BasicBlock* from : phi->blocks())
        if (const auto* branch = dyn_cast<BranchInst>(from->getTerminator());
            branch && branch->isConditional() && loop.contains(from))
          left.push_back(branch->getCondition());
  }
  return nullptr;
}

}  // namespace

const Instruction* findWait(const Loop& items) {
  for (const Loop* loop : items.getLoopsInPreorder()) {
    if (loop == &items) continue;
    SmallVector<BasicBlock*> exiting;
    loop->getExitingBlocks(exiting);
    for (const BasicBlock* block : exiting) {
      const Instruction* end = block->getTerminator();
      const Value* condition = nullptr;
      if (const auto* branch = dyn_cast<BranchInst>(end); branch && branch->isConditional())
        condition = branch->getCondition();
      else if (const auto* choice = dyn_cast<SwitchInst>(end))
        condition = choice->getCondition();
      if (!condition) continue;
      if (const Instruction* wait = findWait(condition, *loop)) return wait;
    }
  }
  return nullptr;
}

}  // namespace weft::compiler
