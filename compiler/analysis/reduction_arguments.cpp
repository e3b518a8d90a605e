// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/reduction_arguments.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "ir/names.h"
#include "ir/synchronisation.h"

namespace weft::compiler {
namespace {

using namespace llvm;

std::optional<ReductionOperation> operationOf(const AtomicRMWInst& update) {
  switch (update.getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
      return ReductionOperation::Add;
    case AtomicRMWInst::And:
      return ReductionOperation::And;
    case AtomicRMWInst::Or:
      return ReductionOperation::Or;
    case AtomicRMWInst::Xor:
      return ReductionOperation::Xor;
    case AtomicRMWInst::Min:
      return ReductionOperation::Min;
    case AtomicRMWInst::Max:
      return ReductionOperation::Max;
    case AtomicRMWInst::UMin:
      return ReductionOperation::UMin;
    case AtomicRMWInst::UMax:
      return ReductionOperation::UMax;
    default:
      return std::nullopt;  // of floats the order shows
  }
}

/// What `update` does to the memory that `use` points to; nothing where that is no reduction.
std::optional<Reduction> reductionAt(const Use& use) {
  const auto* update = dyn_cast<AtomicRMWInst>(use.getUser());
  if (!update || use.getOperandNo() != AtomicRMWInst::getPointerOperandIndex() ||
      !update->use_empty() || update->isVolatile() ||
      update->getOrdering() != AtomicOrdering::Monotonic)
    return std::nullopt;
  const auto operation = operationOf(*update);
  const unsigned bits = update->getType()->getScalarSizeInBits();
  if (!operation || (bits != 32 && bits != 64)) return std::nullopt;
  return Reduction{.operation = *operation, .bytes = bits / 8};
}

/// Of all that is reached by way of `argument`.
std::optional<Reduction> reductionInto(const Argument& argument) {
  std::optional<Reduction> found;
  SmallSetVector<const Value*, 8> addresses;
  addresses.insert(&argument);
  for (size_t i = 0; i < addresses.size(); ++i)
    for (const Use& use : addresses[i]->uses()) {
      const auto* address = dyn_cast<GetElementPtrInst>(use.getUser());
      if (address && !address->getType()->isVectorTy() && use.getOperandNo() == 0) {
        addresses.insert(address);
        continue;
      }
      const auto here = reductionAt(use);
      if (!here || (found && *found != *here)) return std::nullopt;
      found = here;
    }
  return found;
}

/// Whether `instruction` orders other accesses for those who are not of its work-group.
bool ordersMemory(const Instruction& instruction) {
  if (const auto* call = dyn_cast<CallBase>(&instruction)) {
    const Function* callee = call->getCalledFunction();
    return !callee || (callee->getName() == names::kFence &&
                       orderOf(call->getArgOperand(1)) != AtomicOrdering::Monotonic);
  }
  if (isa<FenceInst>(instruction)) return true;
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return exchange->getMergedOrdering() != AtomicOrdering::Monotonic;
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getOrdering() != AtomicOrdering::Monotonic;
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return isStrongerThanMonotonic(load->getOrdering());
  const auto* store = dyn_cast<StoreInst>(&instruction);
  return store && isStrongerThanMonotonic(store->getOrdering());
}

bool ordersMemory(const Function& kernel) {
  SmallSetVector<const Function*, 8> reached;
  reached.insert(&kernel);
  for (size_t i = 0; i < reached.size(); ++i)
    for (const Instruction& instruction : instructions(*reached[i])) {
      if (ordersMemory(instruction)) return true;
      if (const auto* call = dyn_cast<CallBase>(&instruction))
        reached.insert(call->getCalledFunction());
    }
  return false;
}

}  // namespace

std::vector<Reduction> reductionsOf(const Function& kernel,
                                    const std::vector<ArgumentInfo>& arguments) {
  std::vector<Reduction> found;
  for (uint32_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].kind != ArgumentKind::GlobalPointer) continue;
    auto reduction = reductionInto(*kernel.getArg(i));
    if (!reduction) continue;
    reduction->argument = i;
    found.push_back(*reduction);
  }
  if (found.empty() || found.size() > kMostReductions || ordersMemory(kernel)) return {};
  return found;
}

}  // namespace weft::compiler
