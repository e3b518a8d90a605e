// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/copies_as_numbers.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

bool isPrivate(const Value& pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return space != names::kGlobal && space != names::kConstant && space != names::kLocal;
}

/// The integer that a vector of this type is in memory; null for what is none.
IntegerType* numberOf(Type* type, const DataLayout& layout) {
  if (!isa<FixedVectorType>(type) || type->getScalarType()->isPointerTy()) return nullptr;
  const uint64_t bits = layout.getTypeSizeInBits(type);
  const bool isNumber = bits == 16 || bits == 32 || bits == 64;
  return isNumber && layout.getTypeAllocSizeInBits(type) == bits
             ? IntegerType::get(type->getContext(), static_cast<unsigned>(bits))
             : nullptr;
}

bool isOnlyStored(const LoadInst& load) {
  return !load.use_empty() && all_of(load.users(), [&](const User* user) {
    const auto* store = dyn_cast<StoreInst>(user);
    return store && store->getValueOperand() == &load && store->isSimple() &&
           !isPrivate(*store->getPointerOperand());
  });
}

/// What vectors are stored to that will not be numbers. If one of their elements is poison all of a
/// number would be, as soon as somebody forwards it from the store.
SmallPtrSet<const Value*, 8> vectorsStored(const Function& function,
                                           const SmallSetVector<LoadInst*, 8>& copies) {
  SmallPtrSet<const Value*, 8> objects;
  for (const Instruction& instruction : instructions(function)) {
    const auto* store = dyn_cast<StoreInst>(&instruction);
    if (!store || !store->getValueOperand()->getType()->isVectorTy()) continue;
    auto* load = dyn_cast<LoadInst>(const_cast<Value*>(store->getValueOperand()));
    if (!load || !copies.contains(load))
      objects.insert(getUnderlyingObject(store->getPointerOperand()));
  }
  return objects;
}

void copyAsNumber(LoadInst& load, IntegerType& type) {
  IRBuilder<> builder(&load);
  LoadInst* number = builder.CreateAlignedLoad(&type, load.getPointerOperand(), load.getAlign());
  number->copyMetadata(load);
  number->takeName(&load);
  for (User* user : make_early_inc_range(load.users())) {
    auto* store = cast<StoreInst>(user);
    builder.SetInsertPoint(store);
    builder.CreateAlignedStore(number, store->getPointerOperand(), store->getAlign())
        ->copyMetadata(*store);
    store->eraseFromParent();
  }
  load.eraseFromParent();
}

}  // namespace

PreservedAnalyses CopiesAsNumbersPass::run(Function& function, FunctionAnalysisManager&) {
  const DataLayout& layout = function.getDataLayout();
  SmallSetVector<LoadInst*, 8> copies;
  for (Instruction& instruction : instructions(function)) {
    auto* load = dyn_cast<LoadInst>(&instruction);
    if (load && load->isSimple() && !isPrivate(*load->getPointerOperand()) &&
        numberOf(load->getType(), layout) && isOnlyStored(*load))
      copies.insert(load);
  }
  while (copies.remove_if([objects = vectorsStored(function, copies)](const LoadInst* load) {
    return objects.contains(getUnderlyingObject(load->getPointerOperand()));
  })) {
  }
  for (LoadInst* load : copies) copyAsNumber(*load, *numberOf(load->getType(), layout));
  if (copies.empty()) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
