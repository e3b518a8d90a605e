// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/barrier_context.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "base/tuning.h"
#include "ir/names.h"
#include "ir/sub_groups.h"
#include "ir/uses.h"

namespace weft::compiler {
namespace {

using namespace llvm;

constexpr unsigned kNever = tuning::kRecomputed + 1;

/// Divisions by a power of two are shifts.
bool isDivision(const BinaryOperator& operation) {
  const auto* divisor = dyn_cast<ConstantInt>(operation.getOperand(1));
  return operation.isIntDivRem() && !(divisor && divisor->getValue().isPowerOf2());
}

bool isCheap(const Instruction& value) {
  if (const auto* load = dyn_cast<LoadInst>(&value))
    return load->hasMetadata(names::kItemLoad) || load->hasMetadata(LLVMContext::MD_invariant_load);
  if (const auto* operation = dyn_cast<BinaryOperator>(&value)) return !isDivision(*operation);
  return isa<CastInst, GetElementPtrInst, CmpInst, SelectInst>(value) ||
         isCallOf(value, names::kSubGroupLane) || isCallOf(value, names::kSubGroupNumber);
}

}  // namespace

BarrierContext::BarrierContext(const BarrierRegions& regions, Function& function,
                               const AllocaInst* item)
    : regions_(regions) {
  const DataLayout& layout = function.getParent()->getDataLayout();
  auto addBytes = [&](const Instruction& value) {
    bytes_ += layout.getTypeAllocSize(value.getType());
  };
  for (const BarrierRegion& region : regions_.regions())
    for (PHINode& phi : region.head->phis()) {
      headPhis_.push_back(&phi);
      if (!isScalar(phi)) addBytes(phi);
    }
  for (Instruction& instruction : instructions(function)) {
    if (auto* variable = dyn_cast<AllocaInst>(&instruction)) {
      if (variable != item) addVariable(*variable);
      continue;
    }
    const unsigned home = regions_.regionOf(*instruction.getParent());
    if (home == BarrierRegions::kNone) continue;
    carries_[&instruction] = decide(instruction);
    if (regions_.isHeadPhi(instruction)) continue;
    if (!any_of(instruction.uses(), [&](const Use& use) { return regionOfUse(use) != home; }))
      continue;
    crossing_.insert(&instruction);
    if (carry(instruction) == Carry::PerItem) addBytes(instruction);
  }
}

unsigned BarrierContext::regionOfUse(const Use& use) const {
  return regions_.regionOf(placeOf(use));
}

bool BarrierContext::isScalar(const Instruction& value) const {
  const GroupUniformity& uniformity = regions_.uniformity();
  return uniformity.isUniform(value) &&
         all_of(value.uses(), [&](const Use& use) { return uniformity.isUniform(use); });
}

Carry BarrierContext::decide(const Instruction& value) const {
  if (isScalar(value)) return Carry::Scalar;
  if (!regions_.isHeadPhi(value) && costOf(value) <= tuning::kRecomputed) return Carry::Recompute;
  return Carry::PerItem;
}

unsigned BarrierContext::costOf(const Instruction& value) const {
  if (const auto known = costs_.find(&value); known != costs_.end()) return known->second;
  unsigned cost = kNever;
  if (isCheap(value)) {
    costs_[&value] = kNever;  // chains do not run in circles except through phis
    cost = 1;
    for (const Use& operand : value.operands())
      cost = std::min(kNever, cost + costOfOperand(operand));
  }
  return costs_[&value] = cost;
}

/// Whether work-items may leave a loop around `block` in its region in different iterations: even
/// what is the same for all of them in an iteration then differs in the end.
bool BarrierContext::isInDivergentLoop(const BasicBlock& block) const {
  const GroupUniformity& uniformity = regions_.uniformity();
  const unsigned region = regions_.regionOf(block);
  for (const Cycle* cycle = uniformity.cycles().getCycle(&block); cycle;
       cycle = cycle->getParentCycle()) {
    if (any_of(cycle->blocks(), [&](BasicBlock* b) { return regions_.regionOf(*b) != region; }))
      return false;
    if (any_of(cycle->blocks(), [&](BasicBlock* b) { return !uniformity.endsUniformly(*b); }))
      return true;
  }
  return false;
}

unsigned BarrierContext::costOfOperand(const Use& operand) const {
  const auto* instruction = dyn_cast<Instruction>(operand.get());
  if (!instruction || isa<AllocaInst>(instruction)) return 0;
  if (regions_.regionOf(*instruction->getParent()) == BarrierRegions::kNone) return 0;
  if (isScalar(*instruction)) return isInDivergentLoop(*instruction->getParent()) ? kNever : 0;
  return regions_.isHeadPhi(*instruction) ? kNever : costOf(*instruction);
}

void BarrierContext::addVariable(AllocaInst& variable) {
  if (staysInOneRun(variable)) return;
  variables_.push_back(&variable);
  const DataLayout& layout = variable.getFunction()->getParent()->getDataLayout();
  const TypeSize size = variable.getAllocationSize(layout).value_or(TypeSize::getFixed(0));
  bytes_ += alignTo(size.getFixedValue(), variable.getAlign());
}

/// Whether what work-items put into it is only looked at in the same run of one region.
bool BarrierContext::staysInOneRun(AllocaInst& variable) const {
  unsigned home = BarrierRegions::kNone;
  SmallVector<const Instruction*> pointers{&variable};
  SmallPtrSet<const Instruction*, 8> seen;
  while (!pointers.empty()) {
    const Instruction* pointer = pointers.pop_back_val();
    if (!seen.insert(pointer).second) continue;
    for (const Use& use : pointer->uses()) {
      const auto* user = cast<Instruction>(use.getUser());
      if (const auto* intrinsic = dyn_cast<IntrinsicInst>(user)) {
        if (intrinsic->isLifetimeStartOrEnd()) continue;
        if (!isa<MemIntrinsic>(intrinsic)) return false;
      } else if (isa<GetElementPtrInst, CastInst>(user)) {
        pointers.push_back(user);
      } else if (const auto* store = dyn_cast<StoreInst>(user)) {
        if (store->getValueOperand() == pointer) return false;
      } else if (!isa<LoadInst>(user)) {
        return false;
      }
      const unsigned region = regionOfUse(use);
      if (home == BarrierRegions::kNone) home = region;
      if (region != home || region == BarrierRegions::kNone) return false;
    }
  }
  return home == BarrierRegions::kNone || !regions_.regions()[home].repeats;
}

}  // namespace weft::compiler
