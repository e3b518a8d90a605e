// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/group_uniformity.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

#include "passes/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

bool isSharedSpace(unsigned space) {
  return space == names::kGlobal || space == names::kConstant || space == names::kLocal;
}

bool isVaryingLoad(const LoadInst& load) {
  // Of a work-item's fields, the ids vary and the pointer to its group does not.
  if (load.hasMetadata(names::kItemLoad)) return !load.getType()->isPointerTy();
  if (load.hasMetadata(LLVMContext::MD_invariant_load)) return false;
  return !load.isSimple() || !isSharedSpace(load.getPointerAddressSpace());
}

bool isVaryingByItself(const Value& value) {
  if (const auto* load = dyn_cast<LoadInst>(&value)) return isVaryingLoad(*load);
  if (const auto* call = dyn_cast<CallBase>(&value)) return isVaryingCall(*call);
  // Every work-item has variables of its own.
  return isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst, VAArgInst>(value);
}

/// The group that a work-item belongs to, even where the work-item is a variable.
bool isGroupOfItem(const Value& value) {
  const auto* load = dyn_cast<LoadInst>(&value);
  return load && load->hasMetadata(names::kItemLoad) && load->getType()->isPointerTy();
}

}  // namespace

GroupUniformity::GroupUniformity(Function& function, const DominatorTree& dominators)
    : WholeUniformity(
          function, dominators, [](const Value* value) { return isVaryingByItself(*value); },
          [](const Value* value) { return isGroupOfItem(*value); }) {}

}  // namespace weft::compiler
