// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/speculate_stores.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "base/tuning.h"
#include "ir/item_loop.h"
#include "ir/item_loops.h"
#include "ir/names.h"
#include "lanes/item_table.h"

namespace weft::compiler {
namespace {

using namespace llvm;

struct KnownStore {
  StoreInst* store;
  LoadInst* before;  ///< of what is there
};

/// What `block`, which ends in a branch, has read of where `store` goes to.
LoadInst* readBefore(const StoreInst& store, BasicBlock& block) {
  for (Instruction& instruction : reverse(block)) {
    auto* load = dyn_cast<LoadInst>(&instruction);
    if (load && load->isSimple() && load->getPointerOperand() == store.getPointerOperand() &&
        load->getType() == store.getValueOperand()->getType())
      return load;
    if (instruction.mayWriteToMemory()) return nullptr;
  }
  return nullptr;
}

/// The stores of `block`, of which the places are known that the one before it has read; none if it
/// does more than that.
SmallVector<KnownStore> knownStores(BasicBlock& block, BasicBlock& before) {
  SmallVector<KnownStore> stores;
  unsigned others = 0;
  for (Instruction& instruction : block) {
    if (instruction.isTerminator()) break;
    auto* store = dyn_cast<StoreInst>(&instruction);
    if (!store) {
      if (instruction.mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(&instruction) ||
          ++others > tuning::kSpeculated)
        return {};
      continue;
    }
    LoadInst* load = store->isSimple() && store->getPointerAddressSpace() == names::kLocal
                         ? readBefore(*store, before)
                         : nullptr;
    if (!load || (!stores.empty() && load->getType() != stores.front().before->getType()))
      return {};
    stores.push_back({store, load});
  }
  return stores;
}

/// Whether it may be one of several rows of a group, which may have places in common.
bool isRowOfSeveral(const Loop& loop) {
  for (Loop* outer = loop.getParentLoop(); outer; outer = outer->getParentLoop())
    if (ItemLoop::recognise(*outer)) return true;
  return false;
}

bool speculate(BasicBlock& block, const ItemLoop& items) {
  BasicBlock* before = block.getSinglePredecessor();
  BasicBlock* after = block.getSingleSuccessor();
  auto* branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || !after || !after->phis().empty() ||
      !is_contained(branch->successors(), after))
    return false;
  const SmallVector<KnownStore> stores = knownStores(block, *before);
  if (stores.empty()) return false;
  SmallVector<const Value*> pointers;
  for (const KnownStore& known : stores) pointers.push_back(known.store->getPointerOperand());
  const uint64_t bytes = before->getDataLayout().getTypeStoreSize(stores.front().before->getType());
  if (!ItemTable(items).areOwn(pointers, bytes, *before)) return false;

  const bool isTrue = branch->getSuccessor(0) == &block;
  for (const KnownStore& known : stores) {
    IRBuilder<> builder(known.store);
    Value* value = known.store->getValueOperand();
    known.store->setOperand(
        0, builder.CreateSelect(branch->getCondition(), isTrue ? value : known.before,
                                isTrue ? known.before : value));
  }
  while (!block.front().isTerminator()) block.front().moveBefore(branch);
  ReplaceInstWithInst(branch, BranchInst::Create(after));
  return true;
}

}  // namespace

PreservedAnalyses SpeculateStoresPass::run(Function& function, FunctionAnalysisManager& analyses) {
  bool changed = false;
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    const auto items = ItemLoops::isItemLoop(*loop) ? ItemLoop::recognise(*loop) : std::nullopt;
    if (!items || !ItemTable::isPossible(*items) || isRowOfSeveral(*loop)) continue;
    for (BasicBlock* block : loop->blocks()) changed |= speculate(*block, *items);
  }
  if (!changed) return PreservedAnalyses::all();
  removeUnreachableBlocks(function);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
