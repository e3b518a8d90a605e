// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/waiting_loops.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "ir/barriers.h"
#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

const AtomicCmpXchgInst* exchangeOf(const Value* value) {
  const auto* part = dyn_cast<ExtractValueInst>(value);
  return part ? dyn_cast<AtomicCmpXchgInst>(part->getAggregateOperand()) : nullptr;
}

/// Where what `instruction` gives has been read; null if it is something else.
const Value* placeRead(const Instruction& instruction) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) return load->getPointerOperand();
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getPointerOperand();
  const AtomicCmpXchgInst* exchange = exchangeOf(&instruction);
  return exchange ? exchange->getPointerOperand() : nullptr;
}

bool isSamePlace(const Value* left, const Value& right) {
  return left && left->stripPointerCasts() == right.stripPointerCasts();
}

/// Memory that no other work-item sees, or that nobody writes.
bool isOnesOwn(unsigned addressSpace) {
  return addressSpace == names::kPrivate || addressSpace == names::kConstant;
}

/// Where an access that others' are ordered with goes: an atomic or volatile one.
const Value* sharedPlace(const Instruction& instruction) {
  const Value* place = nullptr;
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    place = load->isSimple() ? nullptr : load->getPointerOperand();
  else if (const auto* store = dyn_cast<StoreInst>(&instruction))
    place = store->isSimple() ? nullptr : store->getPointerOperand();
  else if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    place = update->getPointerOperand();
  else if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    place = exchange->getPointerOperand();
  return place && !isOnesOwn(place->getType()->getPointerAddressSpace()) ? place : nullptr;
}

const Function* definitionCalled(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && !callee->isDeclaration() ? callee : nullptr;
}

/// `function` and what it calls, of which there is code.
SmallPtrSet<const Function*, 8> reachedFrom(const Function& function) {
  SmallPtrSet<const Function*, 8> reached;
  SmallVector<const Function*> left{&function};
  while (!left.empty()) {
    const Function* next = left.pop_back_val();
    if (!reached.insert(next).second) continue;
    for (const Instruction& instruction : instructions(*next))
      if (const Function* callee = definitionCalled(instruction)) left.push_back(callee);
  }
  return reached;
}

/// What is asked of functions out of line, each once.
class Callees {
 public:
  /// Whether it, or what it calls, accesses memory as others may.
  bool shareMemory(const Function& function) {
    const auto [known, isNew] = share_.try_emplace(&function, false);
    if (!isNew) return known->second;
    return share_[&function] = any_of(reachedFrom(function), [](const Function* reached) {
             return any_of(instructions(*reached), [](const Instruction& instruction) {
               return sharedPlace(instruction) || isa<FenceInst>(instruction);
             });
           });
  }
  /// Whether it waits itself.
  bool wait(const Function& function);

 private:
  DenseMap<const Function*, bool> share_, wait_;
};

/// One loop, and what its ways out depend on.
class WaitingLoop {
 public:
  WaitingLoop(const Loop& loop, const DominatorTree& dominators, Callees& callees)
      : loop_(loop), dominators_(dominators), callees_(callees) {
    for (const BasicBlock* block : loop.blocks())
      for (const Instruction& instruction : *block) {
        hasBarrier_ |= isBarrier(instruction);
        const Function* callee = definitionCalled(instruction);
        hasFence_ |= isa<FenceInst>(instruction) || (callee && callees_.shareMemory(*callee));
        if (const Value* place = sharedPlace(instruction))
          sharedObjects_.insert(getUnderlyingObject(place));
      }
  }

  const Instruction* find() {
    if (!hasFence_ && sharedObjects_.empty()) return nullptr;
    SmallVector<BasicBlock*> exiting;
    loop_.getExitingBlocks(exiting);
    for (const BasicBlock* block : exiting) {
      if (!isLeftByCounter(*block)) follow(conditionOf(*block));
      // Whether an iteration comes to the way out at all.
      for (const BasicBlock* reached = block; reached != header();) {
        const BasicBlock* fork = dominators_.getNode(reached)->getIDom()->getBlock();
        if (endsWithout(*reached, *fork)) follow(conditionOf(*fork));
        reached = fork;
      }
    }
    while (!left_.empty())
      if (const Instruction* wait = visit(left_.pop_back_val())) return wait;
    return nullptr;
  }

 private:
  const BasicBlock* header() const { return loop_.getHeader(); }

  static const Value* conditionOf(const BasicBlock& block) {
    const Instruction* end = block.getTerminator();
    if (const auto* branch = dyn_cast<BranchInst>(end))
      return branch->isConditional() ? branch->getCondition() : nullptr;
    const auto* choice = dyn_cast<SwitchInst>(end);
    return choice ? choice->getCondition() : nullptr;
  }

  void follow(const Value* value) {
    const auto* inside = dyn_cast_or_null<Instruction>(value);
    if (inside && loop_.contains(inside) && seen_.insert(inside).second) left_.push_back(inside);
  }

  const Instruction* visit(const Instruction* inside) {
    if (asksForSuccess(*inside)) return nullptr;
    if (readsOthers(*inside)) return inside;
    if (const auto* load = dyn_cast<LoadInst>(inside)) {
      followWrites(load->getPointerOperand());
      return nullptr;
    }
    if (const auto* copy = dyn_cast<AnyMemTransferInst>(inside)) followWrites(copy->getRawSource());
    for (const Value* operand : inside->operands()) follow(operand);
    if (const auto* phi = dyn_cast<PHINode>(inside)) followWays(*phi->getParent());
    return nullptr;
  }

  /// What a work-item finds in memory is what this loop has put there, and whether it has.
  void followWrites(const Value* place) {
    // At barriers, what is shared is there for all, who are in the same iteration.
    if (hasBarrier_ && place->getType()->getPointerAddressSpace() != names::kPrivate) return;
    if (writesTo_.empty()) findWrites();
    for (const Instruction* write : writesTo_.lookup(getUnderlyingObject(place))) {
      const auto* store = dyn_cast<StoreInst>(write);
      follow(store ? store->getValueOperand() : write);
      for (const BasicBlock* reached = write->getParent(); reached != header();) {
        reached = dominators_.getNode(reached)->getIDom()->getBlock();
        follow(conditionOf(*reached));
      }
    }
  }

  /// Stores, copies, and calls of functions that are given an address, but for who they are.
  void findWrites() {
    for (const BasicBlock* block : loop_.blocks())
      for (const Instruction& instruction : *block) {
        const auto add = [&](const Value* place) {
          writesTo_[getUnderlyingObject(place)].push_back(&instruction);
        };
        if (const auto* store = dyn_cast<StoreInst>(&instruction))
          add(store->getPointerOperand());
        else if (const auto* copy = dyn_cast<AnyMemTransferInst>(&instruction))
          add(copy->getRawDest());
        else if (const Function* callee = definitionCalled(instruction))
          for (const Value* given :
               drop_begin(cast<CallBase>(instruction).args(), names::hasWorkItem(*callee) ? 1 : 0))
            if (given->getType()->isPointerTy()) add(given);
      }
  }

  /// Whether an iteration that has come to `from` may come to its end without `passed`.
  bool endsWithout(const BasicBlock& passed, const BasicBlock& from) const {
    SmallPtrSet<const BasicBlock*, 16> seen;
    SmallVector<const BasicBlock*> left{&from};
    while (!left.empty())
      for (const BasicBlock* next : successors(left.pop_back_val())) {
        if (next == header()) return true;
        if (next != &passed && loop_.contains(next) && seen.insert(next).second)
          left.push_back(next);
      }
    return false;
  }

  /// What a phi is depends on the way by which its block was come to.
  void followWays(const BasicBlock& block) {
    const DomTreeNode* node = dominators_.getNode(&block);
    const BasicBlock* fork = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    SmallVector<const BasicBlock*> left;
    for (const BasicBlock* from : predecessors(&block))
      if (loop_.contains(from)) left.push_back(from);
    if (&block == header() && left.size() == 1) return;
    SmallPtrSet<const BasicBlock*, 16> passed;
    while (!left.empty()) {
      const BasicBlock* from = left.pop_back_val();
      if (!loop_.contains(from) || !passed.insert(from).second) continue;
      follow(conditionOf(*from));
      if (from != fork && from != header()) append_range(left, predecessors(from));
    }
  }

  /// Whether a phi has what it had at one value of `place`, and not of an iteration before.
  bool keepsPlace(const PHINode& phi, const Value& place) const {
    return none_of(loop_.getLoopsInPreorder(), [&](const Loop* loop) {
      return loop->getHeader() == phi.getParent() && !loop->isLoopInvariant(&place);
    });
  }

  /// Whether `value` is what this loop has read there, in this iteration or the one before. What
  /// lies elsewhere may stay as it is while a place that should become the same is waited for.
  bool isReadHere(const Value& value, const Value& place) const {
    SmallPtrSet<const Value*, 8> seen;
    SmallVector<const Value*> left{&value};
    while (!left.empty()) {
      const auto* inside = dyn_cast<Instruction>(left.pop_back_val());
      if (!inside || !loop_.contains(inside)) return false;
      if (!seen.insert(inside).second) continue;
      if (const auto* phi = dyn_cast<PHINode>(inside)) {
        if (!keepsPlace(*phi, place)) return false;
        for (const BasicBlock* from : phi->blocks())
          if (loop_.contains(from)) left.push_back(phi->getIncomingValueForBlock(from));
      } else if (isa<CastInst, FreezeInst>(inside)) {
        left.push_back(inside->getOperand(0));
      } else if (!isSamePlace(placeRead(*inside), place)) {
        return false;
      }
    }
    return true;
  }

  /// Whether it asks if a compare-and-swap has succeeded that was given what this loop has read in
  /// its place.
  bool asksForSuccess(const Instruction& instruction) const {
    auto isFresh = [&](const AtomicCmpXchgInst* exchange) {
      return exchange && isReadHere(*exchange->getCompareOperand(), *exchange->getPointerOperand());
    };
    if (const auto* part = dyn_cast<ExtractValueInst>(&instruction))
      return *part->idx_begin() == 1 && isFresh(exchangeOf(part));
    const auto* compare = dyn_cast<CmpInst>(&instruction);
    if (!compare) return false;
    for (const unsigned side : {0u, 1u}) {
      const AtomicCmpXchgInst* exchange = exchangeOf(compare->getOperand(side));
      if (isFresh(exchange) && exchange->getCompareOperand() == compare->getOperand(1 - side))
        return true;
    }
    return false;
  }

  /// Whether the loop's own updates move a counter on, and nothing in it moves it back.
  bool isCounter(const AtomicRMWInst& update) const {
    if (update.getOperation() != AtomicRMWInst::Add && update.getOperation() != AtomicRMWInst::Sub)
      return false;
    // By nothing it goes nowhere, as far as one can tell: who does nothing else may be asking only.
    const auto* by = dyn_cast<ConstantInt>(update.getValOperand());
    if (by ? by->isZero() : doesNothingBut(update)) return false;
    const Value* object = getUnderlyingObject(update.getPointerOperand());
    for (const BasicBlock* block : loop_.blocks())
      for (const Instruction& other : *block)
        if (const Value* place = sharedPlace(other);
            place && &other != &update && getUnderlyingObject(place) == object)
          return false;
    return true;
  }

  bool doesNothingBut(const AtomicRMWInst& update) const {
    return all_of(loop_.blocks(), [&](const BasicBlock* block) {
      return all_of(block->instructionsWithoutDebug(), [&](const Instruction& other) {
        return &other == &update || (!isa<PHINode>(other) && !other.mayReadOrWriteMemory());
      });
    });
  }

  struct Counter {
    const AtomicRMWInst* update = nullptr;
    SmallVector<const BasicBlock*, 2> joins;  ///< where other ways lead past the update
  };

  /// The counter that `value` is, or grows with.
  Counter counterIn(const Value* value) const {
    Counter counter;
    SmallPtrSet<const Instruction*, 8> seen;
    SmallVector<const Value*> left{value};
    while (!left.empty()) {
      const auto* inside = dyn_cast<Instruction>(left.pop_back_val());
      if (!inside || !loop_.contains(inside) || !seen.insert(inside).second) continue;
      if (const auto* update = dyn_cast<AtomicRMWInst>(inside)) {
        if (counter.update || !isCounter(*update)) return {};
        counter.update = update;
      } else if (isa<CastInst, PHINode>(inside) || inside->getOpcode() == Instruction::Add ||
                 inside->getOpcode() == Instruction::Mul ||
                 inside->getOpcode() == Instruction::Shl) {
        if (isa<PHINode>(inside)) counter.joins.push_back(inside->getParent());
        append_range(left, inside->operands());
      } else {
        return {};
      }
    }
    return counter;
  }

  /// Whether a counter that the loop moves on makes it end: not where it is left at one value, or
  /// below where the counter goes, as a lock is that whoever counts from zero has.
  bool isLeftByCounter(const BasicBlock& exiting) {
    const auto* compare = dyn_cast_or_null<ICmpInst>(conditionOf(exiting));
    if (!compare || compare->isEquality()) return false;
    CmpInst::Predicate stays = loop_.contains(exiting.getTerminator()->getSuccessor(0))
                                   ? compare->getPredicate()
                                   : compare->getInversePredicate();
    Counter counter = counterIn(compare->getOperand(0));
    const Value* limit = compare->getOperand(1);
    if (!counter.update) {
      counter = counterIn(limit);
      limit = compare->getOperand(0);
      stays = CmpInst::getSwappedPredicate(stays);
    }
    const AtomicRMWInst* update = counter.update;
    if (!update) return false;
    const auto* by = dyn_cast<ConstantInt>(update->getValOperand());
    const bool isUpward =
        (update->getOperation() == AtomicRMWInst::Add) != (by && by->isNegative());
    const bool staysAbove = ICmpInst::isGT(stays) || ICmpInst::isGE(stays);
    if (isUpward == staysAbove) return false;
    follow(limit);
    for (const BasicBlock* join : counter.joins) followWays(*join);
    return true;
  }

  /// Whether it reads what others may have written by now.
  bool readsOthers(const Instruction& instruction) const {
    if (const auto* load = dyn_cast<LoadInst>(&instruction)) {
      if (isOnesOwn(load->getPointerAddressSpace())) return false;
      if (!load->isSimple()) return true;
      // What work-items hand each other at barriers they do not wait for.
      return !hasBarrier_ && !load->hasMetadata(LLVMContext::MD_invariant_load) &&
             (hasFence_ || sharedObjects_.contains(getUnderlyingObject(load->getPointerOperand())));
    }
    if (const Function* callee = definitionCalled(instruction))
      return callees_.shareMemory(*callee);
    return isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction);
  }

  const Loop& loop_;
  const DominatorTree& dominators_;
  Callees& callees_;
  bool hasBarrier_ = false;
  bool hasFence_ = false;
  SmallPtrSet<const Value*, 8> sharedObjects_;  ///< those with atomic or volatile accesses
  /// By underlying object, once they are asked for.
  DenseMap<const Value*, SmallVector<const Instruction*, 4>> writesTo_;
  SmallPtrSet<const Instruction*, 32> seen_;
  SmallVector<const Instruction*> left_;
};

const Instruction* findWaitInLoops(Function& function, Callees& callees) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  for (const Loop* loop : loops.getLoopsInPreorder())
    if (const Instruction* wait = WaitingLoop(*loop, dominators, callees).find()) return wait;
  return nullptr;
}

bool Callees::wait(const Function& function) {
  const auto [known, isNew] = wait_.try_emplace(&function, false);
  if (!isNew) return known->second;
  return wait_[&function] = any_of(reachedFrom(function), [&](const Function* reached) {
           return shareMemory(*reached) && findWaitInLoops(const_cast<Function&>(*reached), *this);
         });
}

template <typename Instructions>
const Instruction* findWaitingCall(const Instructions& instructions, Callees& callees) {
  for (const Instruction& instruction : instructions)
    if (const Function* callee = definitionCalled(instruction); callee && callees.wait(*callee))
      return &instruction;
  return nullptr;
}

}  // namespace

const Instruction* findWait(const Loop& items, const DominatorTree& dominators) {
  Callees callees;
  for (const Loop* loop : items.getLoopsInPreorder())
    if (loop != &items)
      if (const Instruction* wait = WaitingLoop(*loop, dominators, callees).find()) return wait;
  for (const BasicBlock* block : items.blocks())
    if (const Instruction* wait = findWaitingCall(*block, callees)) return wait;
  return nullptr;
}

bool waits(const Loop& loop, const DominatorTree& dominators) {
  Callees callees;
  return WaitingLoop(loop, dominators, callees).find() != nullptr;
}

const Instruction* findWait(Function& body) {
  Callees callees;
  if (const Instruction* wait = findWaitInLoops(body, callees)) return wait;
  return findWaitingCall(instructions(body), callees);
}

}  // namespace weft::compiler
