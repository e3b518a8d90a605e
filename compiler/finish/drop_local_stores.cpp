// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/drop_local_stores.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

bool isLocal(const Value& pointer) {
  return pointer.getType()->getPointerAddressSpace() == names::kLocal;
}
bool mayBeLocal(const Value& pointer) {
  const unsigned space = pointer.getType()->getScalarType()->getPointerAddressSpace();
  return space == names::kLocal || space == names::kGeneric;
}

/// Whether `instruction` may read local memory, or let others read it.
bool mayRead(const Instruction& instruction) {
  if (!instruction.mayReadFromMemory()) return false;
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return mayBeLocal(*load->getPointerOperand());
  const auto* call = dyn_cast<CallInst>(&instruction);
  if (!call || !call->onlyAccessesArgMemory()) return true;
  return any_of(call->args(), [](const Use& argument) {
    return argument->getType()->isPtrOrPtrVectorTy() && mayBeLocal(*argument);
  });
}

/// Whether `instruction` does nothing but write to local memory.
bool onlyWrites(const Instruction& instruction) {
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return store->isSimple() && isLocal(*store->getPointerOperand());
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == Intrinsic::masked_store &&
         isLocal(*call->getArgOperand(1));
}

/// Blocks at whose end somebody may still read.
SmallPtrSet<const BasicBlock*, 16> readersAhead(Function& function) {
  SmallPtrSet<const BasicBlock*, 16> ahead;
  SmallVector<const BasicBlock*> reached;
  for (const BasicBlock& block : function)
    if (any_of(block, mayRead)) reached.push_back(&block);
  while (!reached.empty())
    for (const BasicBlock* before : predecessors(reached.pop_back_val()))
      if (ahead.insert(before).second) reached.push_back(before);
  return ahead;
}

}  // namespace

PreservedAnalyses DropLocalStoresPass::run(Function& function, FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(names::kWholeGroupsAttribute)) return PreservedAnalyses::all();
  bool changed = false;
  const auto ahead = readersAhead(function);
  for (BasicBlock& block : function) {
    if (ahead.contains(&block)) continue;
    for (Instruction& instruction : make_early_inc_range(reverse(block))) {
      if (mayRead(instruction)) break;
      if (!onlyWrites(instruction)) continue;
      instruction.eraseFromParent();
      changed = true;
    }
  }
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace weft::compiler
