// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/update_loops.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>

#include "analysis/waiting_loops.h"

namespace weft::compiler {
namespace {

using namespace llvm;

bool isFromVariable(const Value& pointer) {
  SmallVector<const Value*> objects;
  getUnderlyingObjects(&pointer, objects);
  return any_of(objects, [](const Value* object) { return isa<AllocaInst>(object); });
}

/// Reads and computes, and does nothing that anyone else sees.
bool isQuiet(const Instruction& instruction) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return !isFromVariable(*load->getPointerOperand());
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (call && (call->isConvergent() || !call->doesNotAccessMemory())) return false;
  return !instruction.mayHaveSideEffects();
}

/// The only instruction of the loop that others see, if it is a compare-and-swap.
const AtomicCmpXchgInst* onlyExchange(const Loop& loop) {
  const AtomicCmpXchgInst* only = nullptr;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      if (isQuiet(instruction)) continue;
      const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
      if (!exchange || only || isFromVariable(*exchange->getPointerOperand())) return nullptr;
      only = exchange;
    }
  return only;
}

bool isPartOf(const Value* value, const AtomicCmpXchgInst& exchange, unsigned part) {
  const auto* extract = dyn_cast<ExtractValueInst>(value);
  return extract && extract->getAggregateOperand() == &exchange && *extract->idx_begin() == part;
}

bool asksForSuccess(const Value* condition, const AtomicCmpXchgInst& exchange) {
  if (isPartOf(condition, exchange, 1)) return true;
  const auto* compare = dyn_cast<ICmpInst>(condition);
  if (!compare || !compare->isEquality()) return false;
  const Value* expected = exchange.getCompareOperand();
  return (isPartOf(compare->getOperand(0), exchange, 0) && compare->getOperand(1) == expected) ||
         (isPartOf(compare->getOperand(1), exchange, 0) && compare->getOperand(0) == expected);
}

}  // namespace

const AtomicCmpXchgInst* findUpdate(const Loop& loop, const DominatorTree& dominators) {
  const BasicBlock* exiting = loop.isInnermost() ? loop.getExitingBlock() : nullptr;
  const auto* way = exiting ? dyn_cast<BranchInst>(exiting->getTerminator()) : nullptr;
  if (!way || !way->isConditional()) return nullptr;
  const AtomicCmpXchgInst* exchange = onlyExchange(loop);
  return exchange && asksForSuccess(way->getCondition(), *exchange) && !waits(loop, dominators)
             ? exchange
             : nullptr;
}

bool seldomChanges(const AtomicRMWInst& update) {
  switch (update.getOperation()) {
    case AtomicRMWInst::Min:
    case AtomicRMWInst::Max:
    case AtomicRMWInst::UMin:
    case AtomicRMWInst::UMax:
      return update.getOrdering() == AtomicOrdering::Monotonic && !update.isVolatile();
    default:
      return false;
  }
}

bool hasReleases(const Module& module) {
  auto isRelease = [](const Instruction& instruction) {
    const auto* fence = dyn_cast<FenceInst>(&instruction);
    return fence && isReleaseOrStronger(fence->getOrdering()) &&
           fence->getSyncScopeID() != SyncScope::SingleThread;
  };
  return any_of(
      module, [&](const Function& function) { return any_of(instructions(function), isRelease); });
}

}  // namespace weft::compiler
