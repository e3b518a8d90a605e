// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/group_uniformity.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

#include "ir/barriers.h"
#include "ir/names.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

using namespace llvm;

bool isSharedSpace(unsigned space) {
  return space == names::kGlobal || space == names::kConstant || space == names::kLocal;
}

/// Whether a load from the work-item is of an id in dimension 0; taken to be when that is not
/// known.
bool isFirstId(const LoadInst& load) {
  APInt offset(64, 0);
  const Value* item = load.getPointerOperand()->stripAndAccumulateConstantOffsets(
      load.getDataLayout(), offset, /*AllowNonInbounds=*/true);
  if (!isa<Argument, AllocaInst>(item)) return true;
  for (const size_t ids : {offsetof(abi::WorkItem, localId), offsetof(abi::WorkItem, globalId)})
    if (offset.getZExtValue() == ids + 8 || offset.getZExtValue() == ids + 16) return false;
  return true;
}

bool isVaryingLoad(const LoadInst& load, bool isRow) {
  // Of a work-item's fields, the ids vary and the pointer to its group does not.
  if (load.hasMetadata(names::kItemLoad))
    return !load.getType()->isPointerTy() && (!isRow || isFirstId(load));
  if (load.hasMetadata(LLVMContext::MD_invariant_load)) return false;
  return !load.isSimple() || !isSharedSpace(load.getPointerAddressSpace());
}

bool isVaryingByItself(const Value& value, bool isRow) {
  if (isSharedResult(value)) return false;
  if (const auto* load = dyn_cast<LoadInst>(&value)) return isVaryingLoad(*load, isRow);
  if (const auto* call = dyn_cast<CallBase>(&value)) return isVaryingCall(*call);
  // Every work-item has variables of its own.
  return isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst, VAArgInst>(value);
}

/// What is in a field of the work-item that all of a group agree on, wherever the work-item is.
bool isSharedField(const Value& value, bool isRow) {
  const auto* load = dyn_cast<LoadInst>(&value);
  return load && load->hasMetadata(names::kItemLoad) && !isVaryingLoad(*load, isRow);
}

}  // namespace

GroupUniformity::GroupUniformity(Function& function, const DominatorTree& dominators, bool isRow)
    : WholeUniformity(
          function, dominators,
          [isRow](const Value* value) { return isVaryingByItself(*value, isRow); },
          [isRow](const Value* value) {
            return isSharedField(*value, isRow) || isSharedResult(*value);
          },
          // All write to the one cell of what they agree on, the last one stays.
          Undefined::IsOwn) {}

}  // namespace weft::compiler
