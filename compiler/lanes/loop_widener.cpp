// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/loop_widener.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "base/tuning.h"
#include "ir/names.h"

namespace weft::compiler {

using namespace llvm;

LoopWidener::LoopWidener(const WidenPlan& plan, Function& function, BasicBlock& before,
                         Explanation* explanation)
    : plan_(plan),
      function_(function),
      before_(before),
      explanation_(explanation),
      builder_(function.getContext(), InstSimplifyFolder(function.getParent()->getDataLayout())),
      code_(builder_, plan.width),
      layout_(function.getParent()->getDataLayout()),
      prefetched_(loadsToPrefetch(plan)) {
  for (const auto& [variable, layout] : plan.privates) {
    IRBuilder<> entry(&*function.getEntryBlock().begin());
    AllocaInst* lanes =
        entry.CreateAlloca(ArrayType::get(entry.getInt8Ty(), layout.bytes * plan.width), nullptr,
                           variable->getName() + ".lanes");
    lanes->setAlignment(std::max(variable->getAlign(), Align(64)));
    storage_[variable] = lanes;
  }
  if (explanation) noteBranches();
}

/// What the variable of a phi holds before anything has been handed on to it.
static Constant* nothingOf(const PHINode& phi, Type& type) {
  const bool mayBeUndef = any_of(phi.incoming_values(), [](const Value* value) {
    return isa<UndefValue>(value) && !isa<PoisonValue>(value);
  });
  return mayBeUndef ? UndefValue::get(&type) : PoisonValue::get(&type);
}

BasicBlock* LoopWidener::emit(BasicBlock& entry, Value* first, Value* active) {
  values_.clear();
  copies_.clear();
  entries_.clear();
  bodies_.clear();
  masks_.clear();
  phiVariables_.clear();
  itemFields_.clear();
  active_ = active;
  for (const auto& [variable, lanes] : storage_) values_[variable].scalar = lanes;
  values_[&plan_.index].scalar = first;
  for (BasicBlock* block : plan_.masks.order()) entries_[block] = newBlock(block->getName());
  builder_.SetInsertPoint(&entry);
  Instruction* start = builder_.CreateBr(entryOf(*plan_.masks.order().front()));
  beginBarriers(*start);
  for (BasicBlock* block : plan_.masks.order()) emitBlock(*block);
  // Every iteration begins with empty masks, and with nothing from the iteration before.
  for (const auto& [block, variable] : masks_)
    new StoreInst(Constant::getNullValue(code_.maskType()), variable, start->getIterator());
  for (const auto& [phi, variables] : phiVariables_)
    for (AllocaInst* variable : variables)
      new StoreInst(nothingOf(*phi, *variable->getAllocatedType()), variable, start->getIterator());
  builder_.SetInsertPoint(done_);
  return done_;
}

Value* LoopWidener::lastValueOf(Value* value) {
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || !plan_.loop.contains(instruction)) return value;
  builder_.SetInsertPoint(done_);
  return lastLaneOf(value, active_);
}

BasicBlock* LoopWidener::newBlock(const Twine& name) { return newLaneBlock(name + ".v", before_); }

BasicBlock* LoopWidener::newEdge() {
  BasicBlock* edge = newBlock("edge");
  edges_.push_back(edge);
  return edge;
}

BasicBlock* LoopWidener::entryOf(const BasicBlock& block) const { return entries_.at(&block); }

AllocaInst* LoopWidener::makeVariable(Type* type, const Twine& name) {
  IRBuilder<> entry(&*function_.getEntryBlock().begin());
  variables_.push_back(entry.CreateAlloca(type, nullptr, name));
  return variables_.back();
}

AllocaInst* LoopWidener::maskOf(const BasicBlock& block) {
  AllocaInst*& variable = masks_[&block];
  if (!variable) variable = makeVariable(code_.maskType(), block.getName() + ".mask");
  return variable;
}

LoopWidener::Variables LoopWidener::makeVariables(const Instruction& value) {
  if (!plan_.shapes.of(&value).isVarying()) return {makeVariable(value.getType(), value.getName())};
  Variables variables;
  if (isJoined(value)) {
    for (unsigned piece = 0; piece < piecesOf(value); ++piece)
      variables.push_back(makeVariable(pieceType(value), value.getName()));
    return variables;
  }
  for (Type* type : componentsOf(value.getType()))
    variables.push_back(makeVariable(code_.vectorOf(type), value.getName()));
  return variables;
}

void LoopWidener::defineFrom(const Instruction& value, ArrayRef<AllocaInst*> variables) {
  Parts parts;
  for (AllocaInst* variable : variables)
    parts.push_back(builder_.CreateLoad(variable->getAllocatedType(), variable, value.getName()));
  if (isJoined(value))
    values_[&value].pieces.assign(parts.begin(), parts.end());
  else if (plan_.shapes.of(&value).isVarying())
    define(value, parts);
  else
    define(value, parts.front());
}

/// What such a variable holds of `value`, for the user or definition of it that it was made for.
Value* LoopWidener::heldBy(Value* value, const Instruction& owner, unsigned variable) {
  if (isJoined(owner)) return pieceOf(value, owner, variable);
  return plan_.shapes.of(&owner).isVarying() ? partOf(value, variable) : scalarOf(value);
}

const LoopWidener::Variables& LoopWidener::variablesOf(const PHINode& phi) {
  Variables& variables = phiVariables_[&phi];
  if (variables.empty()) variables = makeVariables(phi);
  return variables;
}

void LoopWidener::emitBlock(BasicBlock& block) {
  builder_.SetInsertPoint(entryOf(block));
  mask_ = active_;
  if (plan_.masks.isMasked(block)) enterMasked(block);
  emitPhis(block);
  if (isWorthTwice(block))
    emitTwice(block);
  else
    emitInstructions(block);
  if (&block == plan_.loop.getLoopLatch())
    done_ = builder_.GetInsertBlock();
  else if (plan_.masks.isMasked(block))
    leaveMasked(block);
  else
    leaveUnmasked(block);
}

/// Takes the lanes that want to enter the block. Its mask is empty from then on, so that whoever
/// comes to it again, in the next iteration of a loop around it, begins anew.
void LoopWidener::enterMasked(BasicBlock& block) {
  AllocaInst* variable = maskOf(block);
  Constant* none = Constant::getNullValue(code_.maskType());
  if (const Loop* inner = plan_.masks.innerLoopHeadedBy(block)) {
    Value* entering = builder_.CreateLoad(code_.maskType(), variable);
    BasicBlock* body = newBlock(block.getName() + ".iteration");
    if (const BasicBlock* exit = inner->getUniqueExitBlock(); exit && plan_.masks.isMasked(*exit))
      // Sooner or later all lanes leave for the same place.
      builder_.CreateStore(
          code_.either(builder_.CreateLoad(code_.maskType(), maskOf(*exit)), entering),
          maskOf(*exit));
    BasicBlock* skip = newBlock(block.getName() + ".skip");
    bodies_[&block] = body;
    const bool together = isLeftTogether(*inner);
    if (together) builder_.CreateStore(none, variable);
    builder_.CreateCondBr(code_.any(entering), body, skip);
    builder_.SetInsertPoint(skip);
    builder_.CreateStore(none, variable);  // as it is: said for those who cannot know
    builder_.CreateBr(entryOf(*plan_.masks.nextAfterLoop(block)));
    builder_.SetInsertPoint(body);
    if (together) {
      mask_ = entering;
      return;
    }
    mask_ = builder_.CreateLoad(code_.maskType(), variable, block.getName() + ".mask");
    builder_.CreateStore(none, variable);
    return;
  }
  mask_ = builder_.CreateLoad(code_.maskType(), variable, block.getName() + ".mask");
  builder_.CreateStore(none, variable);
  if (!needsGuard(block)) return;
  BasicBlock* body = newBlock(block.getName() + ".some");
  builder_.CreateCondBr(code_.any(mask_), body, entryOf(*plan_.masks.next(block)));
  builder_.SetInsertPoint(body);
}

/// Whether the lanes that enter a masked loop all leave it at the same time, so that the mask of
/// its header stays as it is and one of them can tell for all.
bool LoopWidener::isLeftTogether(const Loop& loop) const {
  const BasicBlock* latch = loop.getLoopLatch();
  if (!latch || loop.getExitingBlock() != latch) return false;
  const auto* branch = dyn_cast<BranchInst>(latch->getTerminator());
  return branch && branch->isConditional() && plan_.shapes.of(branch->getCondition()).isUniform();
}

/// Whether running the block for nobody would be wrong or cost more than asking.
bool LoopWidener::needsGuard(const BasicBlock& block) const {
  unsigned cost = 0;
  for (const Instruction& instruction : block) {
    if (instruction.isTerminator() || isa<PHINode>(instruction)) continue;
    if (const Value* pointer = getLoadStorePointerOperand(&instruction)) {
      const LaneShape shape = plan_.shapes.of(pointer);
      if (shape.isUniform() || instruction.isVolatile() || instruction.isAtomic()) return true;
      // What is read of other places later waits for masked stores, be they of nothing. And where
      // nobody is, there may be no memory, or none that anyone has written to yet: a masked access
      // takes 80 to 370 ns to find that out (Zen 4).
      const unsigned space = pointer->getType()->getPointerAddressSpace();
      if (space != names::kPrivate && space != names::kLocal) return true;
      cost += shape.isVarying() ? 2 * tuning::kGuardCost : 2;
      continue;
    }
    if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction)) {
      if (intrinsic->isAssumeLikeIntrinsic()) continue;
      if (intrinsic->mayHaveSideEffects()) return true;
    } else if (isa<CallBase>(instruction) || instruction.mayHaveSideEffects()) {
      return true;
    }
    if (plan_.shapes.of(&instruction).isUniform() && !isSafeToSpeculativelyExecute(&instruction))
      return true;
    cost += instruction.isIntDivRem() ? tuning::kGuardCost : 1;
  }
  return cost > tuning::kGuardCost;
}

/// Phis are loads of variables, which promote() turns back into phis: the folding builder takes
/// unfinished phis for values that it knows all of.
void LoopWidener::emitPhis(BasicBlock& block) {
  for (PHINode& phi : block.phis()) {
    if (&phi == &plan_.index) continue;
    if (&block == plan_.loop.getHeader()) {
      // Nothing is handed on from one work-item to another: what a private variable holds before
      // it is written to is anyone's guess, and what the group shares is as it was before the loop
      // for those who leave it alone.
      Value* before = phi.getIncomingValueForBlock(plan_.loop.getLoopPreheader());
      if (isa<UndefValue>(before)) before = Constant::getNullValue(phi.getType());
      if (plan_.shapes.of(&phi).isVarying())
        define(phi, partsOf(before));
      else
        define(phi, before);
      continue;
    }
    defineFrom(phi, variablesOf(phi));
  }
}

/// Has the lanes of `mask` go from one block to another: adds them to the mask of the other, and
/// gives its phis their values.
void LoopWidener::passEdge(BasicBlock& from, BasicBlock& to, Value* mask) {
  // What lanes that are not in a loop's next iteration bring along is never asked for, and where
  // all lanes come together nobody else's value is at stake.
  const bool replaces = plan_.masks.innerLoopHeadedBy(to) != nullptr || LaneCode::isFull(mask) ||
                        (!plan_.masks.isMasked(from) && plan_.uniformity.endsUniformly(from));
  SmallVector<std::pair<Value*, AllocaInst*>> stores;
  for (PHINode& phi : to.phis()) {
    Value* incoming = phi.getIncomingValueForBlock(&from);
    const bool varying = plan_.shapes.of(&phi).isVarying();
    // What the variable holds is as good as poison. Undef is more, since a part of it may be masked
    // away; but where some bring a value that is the same for all, it is that.
    if (isa<PoisonValue>(incoming)) continue;
    if (isa<UndefValue>(incoming) && !varying && !replaces) continue;
    const auto& variables = variablesOf(phi);
    for (unsigned i = 0; i < variables.size(); ++i) {
      Value* value = heldBy(incoming, phi, i);
      if (!replaces) {
        Value* before = builder_.CreateLoad(value->getType(), variables[i]);
        Value* mine = !varying ? code_.any(mask) : isJoined(phi) ? pieceOfMask(mask, phi, i) : mask;
        value = builder_.CreateSelect(mine, value, before);
      }
      stores.emplace_back(value, variables[i]);
    }
  }
  for (auto [value, variable] : stores) builder_.CreateStore(value, variable);
  if (!plan_.masks.isMasked(to) || hasEntryMask(from, to)) return;
  if (const Loop* loop = plan_.masks.innerLoopHeadedBy(to);
      loop && loop->contains(&from) && isLeftTogether(*loop))
    return;
  AllocaInst* variable = maskOf(to);
  Value* before = builder_.CreateLoad(code_.maskType(), variable);
  builder_.CreateStore(code_.either(before, mask), variable);
}

/// Whether `to` got its mask when the lanes entered the loop that they leave from `from`.
bool LoopWidener::hasEntryMask(const BasicBlock& from, const BasicBlock& to) const {
  for (const Loop* loop = plan_.innermost(from); loop && loop != &plan_.loop;
       loop = loop->getParentLoop())
    if (plan_.masks.isMasked(*loop->getHeader()) && loop->getUniqueExitBlock() == &to) return true;
  return false;
}

/// From the end of an iteration of a loop that lanes leave together.
void LoopWidener::leaveTogether(BasicBlock& latch, const BasicBlock& header) {
  auto& branch = *cast<BranchInst>(latch.getTerminator());
  BasicBlock* edges[2];
  for (BasicBlock*& edge : edges) edge = newEdge();
  builder_.CreateCondBr(scalarOf(branch.getCondition()), edges[0], edges[1]);
  for (unsigned i = 0; i < 2; ++i) {
    BasicBlock* successor = branch.getSuccessor(i);
    const bool goesOn = successor == &header;
    builder_.SetInsertPoint(edges[i]);
    passEdge(latch, *successor, mask_);
    builder_.CreateBr(goesOn ? bodies_.at(&header) : entryOf(*plan_.masks.next(latch)));
  }
}

void LoopWidener::leaveMasked(BasicBlock& block) {
  auto& branch = *cast<BranchInst>(block.getTerminator());
  if (const Loop* loop = plan_.innermost(block);
      loop && loop != &plan_.loop && loop->getLoopLatch() == &block && isLeftTogether(*loop))
    return leaveTogether(block, *loop->getHeader());
  if (branch.isUnconditional() || branch.getSuccessor(0) == branch.getSuccessor(1)) {
    passEdge(block, *branch.getSuccessor(0), mask_);
  } else {
    Value* condition = branch.getCondition();
    Constant* none = Constant::getNullValue(code_.maskType());
    Value* taken = nullptr;
    Value* otherwise = nullptr;
    if (plan_.shapes.of(condition).isUniform()) {
      // What nobody comes to has no value either.
      Value* once = builder_.CreateFreeze(scalarOf(condition));
      taken = builder_.CreateSelect(once, mask_, none);
      otherwise = builder_.CreateSelect(once, none, mask_);
    } else {
      taken = code_.both(mask_, partOf(condition, 0));
      otherwise = code_.without(mask_, taken);
    }
    passEdge(block, *branch.getSuccessor(0), taken);
    passEdge(block, *branch.getSuccessor(1), otherwise);
  }
  BasicBlock* next = entryOf(*plan_.masks.next(block));
  for (BasicBlock* successor : successors(&block)) {
    const Loop* loop = plan_.masks.innerLoopHeadedBy(*successor);
    if (!loop || !loop->contains(&block)) continue;
    Value* again = builder_.CreateLoad(code_.maskType(), maskOf(*successor));
    builder_.CreateCondBr(code_.any(again), bodies_.at(successor), next);
    return;
  }
  builder_.CreateBr(next);
}

void LoopWidener::leaveUnmasked(BasicBlock& block) {
  auto& branch = *cast<BranchInst>(block.getTerminator());
  if (branch.isUnconditional() || branch.getSuccessor(0) == branch.getSuccessor(1)) {
    BasicBlock* to = branch.getSuccessor(0);
    passEdge(block, *to, mask_);
    builder_.CreateBr(entryOf(*to));
    return;
  }
  if (!plan_.uniformity.endsUniformly(block)) {
    Value* taken = code_.both(mask_, partOf(branch.getCondition(), 0));
    passEdge(block, *branch.getSuccessor(0), taken);
    passEdge(block, *branch.getSuccessor(1), code_.without(mask_, taken));
    builder_.CreateBr(entryOf(*plan_.masks.firstAfter(block)));
    return;
  }
  BasicBlock* edges[2];
  for (BasicBlock*& edge : edges) edge = newEdge();
  Instruction* made = builder_.CreateCondBr(scalarOf(branch.getCondition()), edges[0], edges[1]);
  if (MDNode* weights = branch.getMetadata(LLVMContext::MD_prof))
    made->setMetadata(LLVMContext::MD_prof, weights);
  for (unsigned i = 0; i < 2; ++i) {
    builder_.SetInsertPoint(edges[i]);
    passEdge(block, *branch.getSuccessor(i), mask_);
    builder_.CreateBr(entryOf(*branch.getSuccessor(i)));
  }
}

namespace {

/// Masked code may be skipped where the original could not have been: what it computed is then
/// asked for only on behalf of lanes that are not there. Such values go through variables, which
/// hold nothing where the way to the code begins: neither is anything handed on from iteration to
/// iteration.
void repairDominance(Function& function, SmallVectorImpl<AllocaInst*>& variables) {
  DominatorTree dominators(function);
  for (BasicBlock& block : function) {
    for (Instruction& instruction : make_early_inc_range(block)) {
      SmallVector<Use*> broken;
      for (Use& use : instruction.uses())
        if (!dominators.dominates(&instruction, use)) broken.push_back(&use);
      if (broken.empty()) continue;
      IRBuilder<> entry(&*function.getEntryBlock().begin());
      AllocaInst* variable =
          entry.CreateAlloca(instruction.getType(), nullptr, instruction.getName());
      variables.push_back(variable);
      BasicBlock* start = &block;
      for (Use* use : broken) {
        auto* user = cast<Instruction>(use->getUser());
        auto* phi = dyn_cast<PHINode>(user);
        Instruction* place = phi ? phi->getIncomingBlock(*use)->getTerminator() : user;
        use->set(new LoadInst(instruction.getType(), variable, "", place->getIterator()));
        start = dominators.findNearestCommonDominator(start, place->getParent());
      }
      new StoreInst(PoisonValue::get(instruction.getType()), variable,
                    start->getTerminator()->getIterator());
      BasicBlock::iterator after = isa<PHINode>(instruction) ? block.getFirstInsertionPt()
                                                             : std::next(instruction.getIterator());
      new StoreInst(&instruction, variable, after);
    }
  }
}

}  // namespace

void LoopWidener::promote(Function& function, ArrayRef<AllocaInst*> variables) const {
  SmallVector<AllocaInst*> all(variables);
  append_range(all, variables_);
  repairDominance(function, all);
  DominatorTree dominators(function);
  PromoteMemToReg(all, dominators);
  // InstCombine would move counters to those that lead on in a loop, which LLVM and jam-rows would
  // not take for one that is left at its end then.
  for (const WeakVH& edge : edges_)
    if (auto* block = cast_or_null<BasicBlock>(edge); block && block->sizeWithoutDebug() == 1)
      TryToSimplifyUncondBranchFromEmptyBlock(block);
}

}  // namespace weft::compiler
