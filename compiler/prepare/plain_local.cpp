// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/plain_local.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "ir/barriers.h"
#include "ir/names.h"
#include "ir/synchronisation.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Whether this is a volatile load or store of local memory.
bool isVolatileLocal(const Instruction& instruction) {
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  return pointer && instruction.isVolatile() && !instruction.isAtomic() &&
         pointer->getType()->getPointerAddressSpace() == names::kLocal;
}

bool callsCode(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return call && (!callee || !callee->isDeclaration());
}

/// Where a volatile store may have happened since the last barrier.
class StoredSince {
 public:
  explicit StoredSince(const Function& function) {
    // Who calls this one may have stored something.
    if (!function.use_empty()) stored_.insert(&function.getEntryBlock());
    SetVector<const BasicBlock*> left;
    for (const BasicBlock& block : function) left.insert(&block);
    while (!left.empty()) {
      const BasicBlock* block = left.pop_back_val();
      bool stored = atStart(*block);
      for (const Instruction& instruction : *block) stored = after(instruction, stored);
      for (const BasicBlock* next : successors(block))
        if (stored && stored_.insert(next).second) left.insert(next);
    }
  }

  bool atStart(const BasicBlock& block) const { return stored_.contains(&block); }

  static bool after(const Instruction& instruction, bool stored) {
    if (isBarrier(instruction)) return false;
    return stored || callsCode(instruction) ||
           (isa<StoreInst>(instruction) && isVolatileLocal(instruction));
  }

 private:
  SmallPtrSet<const BasicBlock*, 16> stored_;
};

bool isInLoopWithoutBarrier(const BasicBlock& block, const LoopInfo& loops) {
  const Loop* loop = loops.getLoopFor(&block);
  return loop && !hasBarriers(*loop);
}

}  // namespace

PreservedAnalyses PlainLocalPass::run(Function& function, FunctionAnalysisManager& analyses) {
  if (none_of(instructions(function), isVolatileLocal)) return PreservedAnalyses::all();
  const auto& loops = analyses.getResult<LoopAnalysis>(function);
  const StoredSince since(function);
  SmallVector<Instruction*> accesses;
  for (BasicBlock& block : function) {
    const bool mayWait = isInLoopWithoutBarrier(block, loops);
    bool stored = since.atStart(block);
    for (Instruction& instruction : block) {
      if (isVolatileLocal(instruction)) {
        accesses.push_back(&instruction);
        if (isa<LoadInst>(instruction) && (stored || mayWait))
          IRBuilder<>(&instruction)
              .CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
      }
      stored = StoredSince::after(instruction, stored);
    }
  }
  for (Instruction* access : accesses) makePlain(*access);
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace weft::compiler
