// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/pad_variables.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

#include "ir/names.h"

namespace weft::compiler {

using namespace llvm;

namespace {

/// The widest accesses of a function, in bytes.
class WidestAccesses {
 public:
  explicit WidestAccesses(const Function& function) {
    for (const Instruction& instruction : instructions(function)) {
      if (const auto* transfer = dyn_cast<AnyMemTransferInst>(&instruction))
        add(MemoryLocation::getForSource(transfer));
      if (const auto* intrinsic = dyn_cast<AnyMemIntrinsic>(&instruction))
        add(MemoryLocation::getForDest(intrinsic));
      else if (const auto location = MemoryLocation::getOrNone(&instruction))
        add(*location);
    }
  }

  uint64_t of(const AllocaInst& variable) const {
    return std::max(ofAnything_, ofVariables_.lookup(&variable));
  }

 private:
  void add(const MemoryLocation& location) {
    if (!location.Size.isPrecise() || location.Size.isScalable()) return;
    const uint64_t bytes = location.Size.getValue();
    const Value* object = getUnderlyingObject(location.Ptr, /*MaxLookup=*/0);
    uint64_t* widest = nullptr;
    if (const auto* variable = dyn_cast<AllocaInst>(object))
      widest = &ofVariables_[variable];
    else if (const unsigned space = location.Ptr->getType()->getPointerAddressSpace();
             space == names::kPrivate || space == names::kGeneric)
      widest = &ofAnything_;
    if (widest) *widest = std::max(*widest, bytes);
  }

  DenseMap<const AllocaInst*, uint64_t> ofVariables_;
  uint64_t ofAnything_ = 0;  ///< by pointers that may point to any variable
};

}  // namespace

PreservedAnalyses PadVariablesPass::run(Function& function, FunctionAnalysisManager&) {
  const WidestAccesses widest(function);
  const DataLayout& layout = function.getDataLayout();
  bool hasChanged = false;
  for (Instruction& instruction : instructions(function)) {
    auto* variable = dyn_cast<AllocaInst>(&instruction);
    if (!variable) continue;
    const std::optional<TypeSize> size = variable->getAllocationSize(layout);
    if (!size || size->isZero() || *size >= widest.of(*variable)) continue;
    variable->setAllocatedType(
        ArrayType::get(variable->getAllocatedType(), divideCeil(widest.of(*variable), *size)));
    hasChanged = true;
  }
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
