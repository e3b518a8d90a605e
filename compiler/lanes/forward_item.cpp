// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/forward_item.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include <map>

#include "ir/item_loops.h"
#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Whatever happens to the variable, in one loop over work-items or outside of all.
struct Accesses {
  std::map<int64_t, SmallVector<StoreInst*, 1>> stores;  ///< by offset
  SmallVector<std::pair<LoadInst*, int64_t>> loads;
  SmallVector<CallInst*> calls;
};

class ItemForwarder {
 public:
  ItemForwarder(Function& function, AllocaInst& item)
      : item_(item), dominators_(function), loops_(dominators_) {}

  bool run() {
    if (!collect(item_, 0)) return false;
    const Accesses& around = accesses_[nullptr];
    if (!around.loads.empty() || !around.calls.empty()) return false;
    bool changed = false;
    for (auto& [loop, accesses] : accesses_)
      if (loop && suits(*loop, accesses, around)) {
        forward(accesses, around);
        changed = true;
      }
    return changed;
  }

 private:
  /// The loop over work-items around an instruction; null outside of all.
  const Loop* itemLoopOf(const Instruction& instruction) const {
    const Loop* loop = loops_.getLoopFor(instruction.getParent());
    while (loop && !ItemLoops::isItemLoop(*loop)) loop = loop->getParentLoop();
    return loop;
  }

  /// Sorts the uses of `pointer`, so many bytes into the variable. False when there is one of
  /// another kind.
  bool collect(Value& pointer, int64_t offset) {
    const DataLayout& layout = item_.getDataLayout();
    for (Use& use : pointer.uses()) {
      auto* user = cast<Instruction>(use.getUser());
      if (auto* address = dyn_cast<GetElementPtrInst>(user)) {
        APInt more(64, 0);
        if (!address->accumulateConstantOffset(layout, more) ||
            !collect(*address, offset + more.getSExtValue()))
          return false;
        continue;
      }
      Accesses& accesses = accesses_[itemLoopOf(*user)];
      if (auto* load = dyn_cast<LoadInst>(user)) {
        accesses.loads.emplace_back(load, offset);
        continue;
      }
      if (auto* store = dyn_cast<StoreInst>(user);
          store && use.getOperandNo() == StoreInst::getPointerOperandIndex()) {
        accesses.stores[offset].push_back(store);
        continue;
      }
      auto* call = dyn_cast<CallInst>(user);
      if (!call || !call->isDataOperand(&use) || offset != 0 || call->isLifetimeStartOrEnd())
        return false;
      accesses.calls.push_back(call);
    }
    return true;
  }

  /// The one store that tells what the field at `offset` holds in `loop`; null when there is none.
  static StoreInst* storeOf(int64_t offset, const Accesses& inside, const Accesses& around) {
    for (const Accesses* accesses : {&inside, &around}) {
      const auto found = accesses->stores.find(offset);
      if (found != accesses->stores.end())
        return found->second.size() == 1 ? found->second.front() : nullptr;
    }
    return nullptr;
  }

  bool suits(const Loop& loop, const Accesses& inside, const Accesses& around) const {
    for (const auto& [offset, stores] : inside.stores)
      if (stores.size() != 1 || stores.front()->getParent() != loop.getHeader() ||
          around.stores.contains(offset))
        return false;
    for (auto [load, offset] : inside.loads) {
      const StoreInst* store = storeOf(offset, inside, around);
      if (!store || store->getValueOperand()->getType() != load->getType() ||
          !dominators_.dominates(store, load))
        return false;
    }
    return all_of(inside.calls, [&](const CallInst* call) {
      return all_of(inside.stores, [&](const auto& stores) {
        return dominators_.dominates(stores.second.front(), call);
      });
    });
  }

  void forward(Accesses& inside, const Accesses& around) {
    for (auto [load, offset] : inside.loads) {
      load->replaceAllUsesWith(storeOf(offset, inside, around)->getValueOperand());
      load->eraseFromParent();
    }
    for (auto& [offset, stores] : inside.stores) {
      StoreInst* store = stores.front();
      for (CallInst* call : inside.calls) {
        IRBuilder<> builder(call);
        builder.CreateAlignedStore(
            store->getValueOperand(),
            builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &item_, offset),
            store->getAlign());
      }
      store->eraseFromParent();
    }
  }

  AllocaInst& item_;
  DominatorTree dominators_;
  LoopInfo loops_;
  std::map<const Loop*, Accesses> accesses_;
};

}  // namespace

PreservedAnalyses ForwardItemPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  SmallVector<AllocaInst*> items;
  for (Instruction& instruction : function.getEntryBlock())
    if (auto* variable = dyn_cast<AllocaInst>(&instruction); variable && names::isItem(*variable))
      items.push_back(variable);
  for (AllocaInst* item : items) changed |= ItemForwarder(function, *item).run();
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
