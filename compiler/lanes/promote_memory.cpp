// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/promote_memory.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "ir/item_loops.h"

namespace weft::compiler {
namespace {

using namespace llvm;

bool isPlain(const Instruction& access) {
  const auto* load = dyn_cast<LoadInst>(&access);
  const auto* store = dyn_cast<StoreInst>(&access);
  return (load && load->isSimple()) || (store && store->isSimple());
}

class LoopPromoter {
 public:
  LoopPromoter(Loop& loop, DominatorTree& dominators, AAResults& aliases,
               AssumptionCache& assumptions)
      : loop_(loop), dominators_(dominators), aliases_(aliases), assumptions_(assumptions) {}

  bool run() {
    if (!loop_.isLoopSimplifyForm() || !collect()) return false;
    loop_.getExitingBlocks(exiting_);
    loop_.getUniqueExitBlocks(exits_);
    bool hasChanged = false;
    // Another one to the same place may have taken it along.
    for (StoreInst* store : stores_)
      if (accesses_.contains(store) && isAlways(*store)) hasChanged |= promote(*store);
    return hasChanged;
  }

 private:
  /// Finds all accesses; false where the loop does more than that.
  bool collect() {
    for (BasicBlock* block : loop_.blocks())
      for (Instruction& instruction : *block) {
        if (!isGuaranteedToTransferExecutionToSuccessor(&instruction)) return false;
        if (!instruction.mayReadOrWriteMemory()) continue;
        if (!isPlain(instruction)) return false;
        accesses_.insert(&instruction);
        if (auto* store = dyn_cast<StoreInst>(&instruction)) stores_.push_back(store);
      }
    return !stores_.empty();
  }

  /// Whether every iteration makes the store, before the loop may be left.
  bool isAlways(const StoreInst& store) const {
    return all_of(exiting_, [&](const BasicBlock* block) {
      return dominators_.dominates(store.getParent(), block);
    });
  }

  bool promote(StoreInst& store) {
    bool hasChanged = false;
    if (!loop_.makeLoopInvariant(store.getPointerOperand(), hasChanged)) return hasChanged;
    Type* type = store.getValueOperand()->getType();
    const MemoryLocation place = MemoryLocation::get(&store);
    SmallVector<Instruction*> same;
    for (Instruction* access : accesses_) {
      const AliasResult alias = aliases_.alias(place, MemoryLocation::get(access));
      if (alias == AliasResult::NoAlias) continue;
      if (alias != AliasResult::MustAlias || getLoadStoreType(access) != type ||
          !loop_.makeLoopInvariant(getLoadStorePointerOperand(access), hasChanged))
        return hasChanged;
      same.push_back(access);
    }
    keepInRegister(store, same);
    for (Instruction* access : same) accesses_.remove(access);
    return true;
  }

  void keepInRegister(StoreInst& store, ArrayRef<Instruction*> same) {
    Value* pointer = store.getPointerOperand();
    Type* type = store.getValueOperand()->getType();
    Function& function = *store.getFunction();
    IRBuilder<> builder(&*function.getEntryBlock().begin());
    AllocaInst* kept = builder.CreateAlloca(type, nullptr, "kept");
    const auto copyMetadata = [&](Instruction& made) {
      made.copyMetadata(store, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                                LLVMContext::MD_noalias, LLVMContext::MD_access_group});
    };
    builder.SetInsertPoint(loop_.getLoopPreheader()->getTerminator());
    LoadInst* before = builder.CreateAlignedLoad(type, pointer, store.getAlign());
    copyMetadata(*before);
    builder.CreateStore(before, kept);
    for (BasicBlock* exit : exits_) {
      builder.SetInsertPoint(&*exit->getFirstInsertionPt());
      StoreInst* after =
          builder.CreateAlignedStore(builder.CreateLoad(type, kept), pointer, store.getAlign());
      copyMetadata(*after);
    }
    for (Instruction* access : same) {
      builder.SetInsertPoint(access);
      if (auto* written = dyn_cast<StoreInst>(access))
        builder.CreateStore(written->getValueOperand(), kept);
      else
        access->replaceAllUsesWith(builder.CreateLoad(type, kept));
      access->eraseFromParent();
    }
    PromoteMemToReg({kept}, dominators_, &assumptions_);
  }

  Loop& loop_;
  DominatorTree& dominators_;
  AAResults& aliases_;
  AssumptionCache& assumptions_;
  SetVector<Instruction*> accesses_;
  SmallVector<StoreInst*> stores_;
  SmallVector<BasicBlock*> exiting_, exits_;
};

}  // namespace

PreservedAnalyses PromoteMemoryPass::run(Function& function, FunctionAnalysisManager& analyses) {
  auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto& aliases = analyses.getResult<AAManager>(function);
  auto& assumptions = analyses.getResult<AssumptionAnalysis>(function);
  bool hasChanged = false;
  // Outer loops first: what does not change in them is not read and written around inner ones.
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (!ItemLoops::isItemLoop(*loop) && ItemLoops::around(*loop))
      hasChanged |= LoopPromoter(*loop, dominators, aliases, assumptions).run();
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
