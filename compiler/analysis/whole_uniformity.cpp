// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/whole_uniformity.h"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>

#include <set>

namespace weft::compiler {

using namespace llvm;

/// What LLVM's analysis asks a target.
class WholeUniformity::Sources : public TargetTransformInfoImplCRTPBase<Sources> {
 public:
  Sources(const DataLayout& layout, const WholeUniformity& owner)
      : TargetTransformInfoImplCRTPBase(layout), owner_(&owner) {}
  bool hasBranchDivergence(const Function*) const { return true; }
  bool isSourceOfDivergence(const Value* value) const {
    return owner_->found_.contains(value) || owner_->varies_(value);
  }
  bool isAlwaysUniform(const Value* value) const { return owner_->neverVaries_(value); }

 private:
  const WholeUniformity* owner_;
};

/// Follows the paths from divergent branches, and adds what differs at their ends to `found_`.
class WholeUniformity::Paths {
 public:
  Paths(Function& function, WholeUniformity& owner) : owner_(owner), ends_(function) {
    for (const BasicBlock* block : ReversePostOrderTraversal<Function*>(&function)) {
      order_[block] = static_cast<unsigned>(blocks_.size());
      blocks_.push_back(block);
    }
  }

  /// Whether anything was new.
  bool follow() {
    const size_t before = owner_.found_.size() + owner_.leftApart_.size();
    for (const BasicBlock* block : blocks_)
      if (!owner_.endsUniformly(*block)) followBranch(*block);
    return owner_.found_.size() + owner_.leftApart_.size() != before;
  }

 private:
  void followBranch(const BasicBlock& branch) {
    const auto* node = ends_.getNode(&branch)->getIDom();
    const BasicBlock* end = node ? node->getBlock() : nullptr;
    SmallVector<const BasicBlock*> starts;
    for (const BasicBlock* next : successors(&branch))
      if (order_.lookup(next) > order_.lookup(&branch)) starts.push_back(next);
    spread(starts, end);
    for (const Cycle* cycle = owner_.cycles_.getCycle(&branch); cycle;
         cycle = cycle->getParentCycle()) {
      if (end && cycle->contains(end)) return;  // together again before anybody leaves
      leave(*cycle, end);
    }
  }

  /// Work-items leave a loop in different iterations or by different ways.
  void leave(const Cycle& cycle, const BasicBlock* end) {
    owner_.leftApart_.insert(&cycle);
    for (BasicBlock* block : cycle.blocks()) {
      if (!cycle.isReducible()) addPhis(*block);
      for (const Instruction& instruction : *block)
        for (const User* user : instruction.users())
          if (!cycle.contains(cast<Instruction>(user)->getParent())) add(*user);
    }
    SmallVector<BasicBlock*> exits;
    cycle.getExitBlocks(exits);
    SmallVector<const BasicBlock*> starts;
    for (const BasicBlock* exit : exits) {
      addPhis(*exit);
      if (order_.lookup(exit) > order_.lookup(cycle.getHeader())) starts.push_back(exit);
    }
    spread(starts, end);
  }

  /// Gives each block the last one that all paths to it from any of `starts` have in common: where
  /// that is the block itself, different paths join. Goes no further back than forth: what meets
  /// in the next iteration of a loop is seen to in leave().
  void spread(ArrayRef<const BasicBlock*> starts, const BasicBlock* end) {
    DenseMap<const BasicBlock*, const BasicBlock*> origin;
    std::set<unsigned> pending;
    for (const BasicBlock* start : starts) {
      origin[start] = start;
      pending.insert(order_.lookup(start));
    }
    while (!pending.empty()) {
      const BasicBlock* block = blocks_[*pending.begin()];
      pending.erase(pending.begin());
      if (block == end) continue;
      for (const BasicBlock* next : successors(block)) {
        const unsigned place = order_.lookup(next);
        if (place <= order_.lookup(block)) continue;
        const BasicBlock* here = origin.lookup(block);
        const auto [known, isNew] = origin.try_emplace(next, here);
        pending.insert(place);
        if (isNew || known->second == here) continue;
        known->second = next;
        addPhis(*next);
      }
    }
  }

  void addPhis(const BasicBlock& block) {
    for (const PHINode& phi : block.phis()) {
      const bool isOneValue = owner_.undefined_ == Undefined::IsOwn
                                  ? phi.hasConstantValue() != nullptr
                                  : phi.hasConstantOrUndefValue();
      if (!isOneValue) add(phi);
    }
  }
  void add(const Value& value) {
    if (owner_.varies_(&value) || owner_.neverVaries_(&value)) return;
    const auto* instruction = dyn_cast<Instruction>(&value);
    const bool isKnown = instruction && instruction->isTerminator()
                             ? !owner_.endsUniformly(*instruction->getParent())
                             : !owner_.isUniform(value);
    if (!isKnown) owner_.found_.insert(&value);
  }

  WholeUniformity& owner_;
  PostDominatorTree ends_;
  DenseMap<const BasicBlock*, unsigned> order_;
  SmallVector<const BasicBlock*> blocks_;
};

WholeUniformity::WholeUniformity(Function& function, const DominatorTree& dominators,
                                 Predicate varies, Predicate neverVaries, Undefined undefined)
    : varies_(std::move(varies)), neverVaries_(std::move(neverVaries)), undefined_(undefined) {
  cycles_.compute(function);
  sources_ =
      std::make_unique<TargetTransformInfo>(Sources(function.getParent()->getDataLayout(), *this));
  Paths paths(function, *this);
  do {
    info_ = std::make_unique<UniformityInfo>(dominators, cycles_, sources_.get());
    info_->compute();
  } while (paths.follow());
}

WholeUniformity::~WholeUniformity() = default;

bool WholeUniformity::isUniform(const Use& use) const {
  if (info_->isDivergentUse(use)) return false;
  const auto* value = dyn_cast<Instruction>(use.get());
  const auto* user = dyn_cast<Instruction>(use.getUser());
  // What a call gives is uniform among those who are there.
  if (!value || !user || (neverVaries_(value) && !isa<CallBase>(value))) return true;
  for (const Cycle* cycle = cycles_.getCycle(value->getParent());
       cycle && !cycle->contains(user->getParent()); cycle = cycle->getParentCycle())
    if (leftApart_.contains(cycle)) return false;
  return true;
}

bool isVaryingCall(const CallBase& call) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call))
    return intrinsic->mayReadOrWriteMemory() && !intrinsic->isAssumeLikeIntrinsic();
  return !call.doesNotAccessMemory();
}

}  // namespace weft::compiler
