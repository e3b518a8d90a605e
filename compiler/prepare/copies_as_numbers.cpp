// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/copies_as_numbers.h"

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
  SmallVector<LoadInst*> copies;
  for (Instruction& instruction : instructions(function)) {
    auto* load = dyn_cast<LoadInst>(&instruction);
    if (load && load->isSimple() && !isPrivate(*load->getPointerOperand()) &&
        numberOf(load->getType(), layout) && isOnlyStored(*load))
      copies.push_back(load);
  }
  for (LoadInst* load : copies) copyAsNumber(*load, *numberOf(load->getType(), layout));
  if (copies.empty()) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
