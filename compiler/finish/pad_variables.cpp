// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/pad_variables.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
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

  /// To a variable, or to a parameter that is a copy of the function's own.
  uint64_t of(const Value& object) const {
    return std::max(ofAnything_, ofObjects_.lookup(&object));
  }

 private:
  void add(const MemoryLocation& location) {
    if (!location.Size.isPrecise() || location.Size.isScalable()) return;
    const uint64_t bytes = location.Size.getValue();
    const Value* object = getUnderlyingObject(location.Ptr, /*MaxLookup=*/0);
    const auto* parameter = dyn_cast<Argument>(object);
    uint64_t* widest = nullptr;
    if (isa<AllocaInst>(object) || (parameter && parameter->hasByValAttr()))
      widest = &ofObjects_[object];
    else if (const unsigned space = location.Ptr->getType()->getPointerAddressSpace();
             space == names::kPrivate || space == names::kGeneric)
      widest = &ofAnything_;
    if (widest) *widest = std::max(*widest, bytes);
  }

  DenseMap<const Value*, uint64_t> ofObjects_;
  uint64_t ofAnything_ = 0;  ///< by pointers that may point to any of them
};

/// Puts what a parameter points to into a variable of `bytes`: how large it is, callers say.
void copyToVariable(Argument& parameter, uint64_t bytes) {
  IRBuilder<> builder(&*parameter.getParent()->getEntryBlock().getFirstInsertionPt());
  const DataLayout& layout = parameter.getParent()->getDataLayout();
  const uint64_t size = layout.getTypeAllocSize(parameter.getParamByValType());
  AllocaInst* copy = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), bytes));
  const Align align = parameter.getParamAlign().valueOrOne();
  copy->setAlignment(align);
  copy->takeName(&parameter);
  parameter.replaceAllUsesWith(copy);
  builder.CreateMemCpy(copy, align, &parameter, align, size);
}

}  // namespace

PreservedAnalyses PadVariablesPass::run(Function& function, FunctionAnalysisManager&) {
  const WidestAccesses widest(function);
  const DataLayout& layout = function.getDataLayout();
  bool hasChanged = false;
  for (Argument& parameter : function.args()) {
    if (!parameter.hasByValAttr()) continue;
    const uint64_t size = layout.getTypeAllocSize(parameter.getParamByValType());
    if (size == 0 || size >= widest.of(parameter)) continue;
    copyToVariable(parameter, widest.of(parameter));
    hasChanged = true;
  }
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
