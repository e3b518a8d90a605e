// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/take_addresses.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

namespace weft::compiler {
namespace {

using namespace llvm;

/// What lane `lane` of `lanes` is, if it is there without an instruction.
Value* knownLane(Value* lanes, unsigned lane) {
  if (!lanes->getType()->isVectorTy()) return lanes;
  if (const auto* constant = dyn_cast<Constant>(lanes)) return constant->getAggregateElement(lane);
  return getSplatValue(lanes);
}

/// The address of a lane: the base that all lanes share, and the chain of sums from the last one
/// to the first one; nothing where something has to be taken out of a vector.
Value* addressOf(Value* lanes, unsigned lane, IRBuilder<>& builder) {
  SmallVector<GetElementPtrInst*, 4> sums;
  Value* base = lanes;
  while (!knownLane(base, lane)) {
    auto* sum = dyn_cast<GetElementPtrInst>(base);
    if (!sum || any_of(sum->indices(), [&](Value* index) { return !knownLane(index, lane); }))
      return nullptr;
    sums.push_back(sum);
    base = sum->getPointerOperand();
  }
  Value* address = knownLane(base, lane);
  for (GetElementPtrInst* sum : reverse(sums)) {
    SmallVector<Value*> indices;
    for (Value* index : sum->indices()) indices.push_back(knownLane(index, lane));
    address =
        builder.CreateGEP(sum->getSourceElementType(), address, indices, "", sum->getNoWrapFlags());
  }
  return address;
}

}  // namespace

PreservedAnalyses TakeAddressesPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* taken = dyn_cast<ExtractElementInst>(&instruction);
    if (!taken || !taken->getType()->isPointerTy()) continue;
    const auto* lane = dyn_cast<ConstantInt>(taken->getIndexOperand());
    const auto* type = dyn_cast<FixedVectorType>(taken->getVectorOperandType());
    if (!lane || !type || lane->getValue().uge(type->getNumElements())) continue;
    IRBuilder<> builder(taken);
    Value* address =
        addressOf(taken->getVectorOperand(), static_cast<unsigned>(lane->getZExtValue()), builder);
    if (!address) continue;
    taken->replaceAllUsesWith(address);
    taken->eraseFromParent();
    changed = true;
  }
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
