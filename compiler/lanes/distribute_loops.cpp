// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/distribute_loops.h"

#include <llvm/Analysis/IVDescriptors.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "analysis/independent_iterations.h"
#include "analysis/loop_parts.h"
#include "base/tuning.h"
#include "ir/item_loop.h"
#include "ir/item_loops.h"
#include "ir/loop_size.h"
#include "lanes/counted_loop.h"
#include "lanes/ordered_part.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// What counts the iterations of a loop over [0, count).
struct Counter {
  PHINode* index = nullptr;
  Instruction* next = nullptr;
};

/// Writes the loops that one loop is distributed over.
class Distribution {
 public:
  Distribution(Loop& loop, const LoopParts& parts, LoopAnalyses& analyses)
      : loop_(loop),
        parts_(parts),
        dominators_(analyses.dominators),
        evolution_(analyses.evolution),
        expander_(evolution_, loop.getHeader()->getDataLayout(), "distributed"),
        function_(*loop.getHeader()->getParent()),
        context_(function_.getContext()) {}

  void rewrite(const SCEV& tripCount) {
    enter(tripCount);
    openRounds();
    if (!parts_.first.empty()) computeFirst();
    computeParallel();
    leave();
  }

 private:
  using Copies = ValueToValueMapTy;

  BasicBlock* newBlock(const char* name) {
    return BasicBlock::Create(context_, name, &function_, loop_.getExitBlock());
  }
  AllocaInst* newArray(Type* type, const Twine& name) {
    return ItemLoops::makeCells(function_, type, most_, name);
  }

  static Counter openLoop(BasicBlock& head, BasicBlock& before);
  void closeLoop(const Counter& counter, BasicBlock& latch, BasicBlock& head, BasicBlock& after);
  Value* valueOf(const Instruction& induction, IRBuilder<>& builder, Value* index);

  void enter(const SCEV& tripCount);
  void openRounds();
  void computeFirst();
  void computeParallel();
  void replaceHeads(BasicBlock& head, Value* index);
  void dropOrdered();
  void computeOrdered();
  void handOn(const HandedOn& handed);
  Value* chooseWhereTaken(const HandedOn& handed, Value* value);
  void leave();

  Value* nextOf(const PHINode* phi) const {
    return phi->getIncomingValueForBlock(loop_.getLoopLatch());
  }
  bool isInLoop(const Value* value) const {
    const auto* instruction = dyn_cast<Instruction>(value);
    return instruction && loop_.contains(instruction);
  }

  Loop& loop_;
  const LoopParts& parts_;
  DominatorTree& dominators_;
  ScalarEvolution& evolution_;
  SCEVExpander expander_;
  Function& function_;
  LLVMContext& context_;

  Value* tripCount_ = nullptr;
  uint64_t most_ = 0;              ///< iterations in a round
  BasicBlock* before_ = nullptr;   ///< the loop's preheader
  BasicBlock* entered_ = nullptr;  ///< leads to the first round
  BasicBlock* round_ = nullptr;    ///< the head of the loop over rounds
  PHINode* done_ = nullptr;        ///< iterations in the rounds before; null where there is one
  Value* count_ = nullptr;         ///< iterations in this round
  BasicBlock* end_ = nullptr;      ///< the last block so far: it has no terminator
  DenseMap<const PHINode*, Value*> initial_;      ///< values of the loop's phis as it begins
  DenseMap<const PHINode*, Value*> starts_;       ///< the same as a round begins
  DenseMap<const PHINode*, Value*> ends_;         ///< and behind it
  DenseMap<const PHINode*, AllocaInst*> arrays_;  ///< of what is computed first
  Copies copies_;                                 ///< the loop's values in the parallel one
  Counter parallel_;
  DenseMap<const Value*, Value*> results_;  ///< what the loop's values are after all iterations
};

Counter Distribution::openLoop(BasicBlock& head, BasicBlock& before) {
  IRBuilder<> builder(&head, head.begin());
  PHINode* index = builder.CreatePHI(builder.getInt64Ty(), 2, "iteration");
  index->addIncoming(builder.getInt64(0), &before);
  auto* next = BinaryOperator::CreateNUWAdd(index, builder.getInt64(1), "next.iteration");
  next->setHasNoSignedWrap();
  return {index, next};
}

void Distribution::closeLoop(const Counter& counter, BasicBlock& latch, BasicBlock& head,
                             BasicBlock& after) {
  IRBuilder<> builder(&latch);
  builder.Insert(counter.next);
  counter.index->addIncoming(counter.next, &latch);
  builder.CreateCondBr(builder.CreateICmpEQ(counter.next, count_), &after, &head);
}

/// An induction in iteration `index` of this round.
Value* Distribution::valueOf(const Instruction& induction, IRBuilder<>& builder, Value* index) {
  const SCEVAddRecExpr& recurrence =
      *parts_.inductions.lookup(const_cast<Instruction*>(&induction));
  // Where loops around it are still known.
  Instruction* before = before_->getTerminator();
  const SCEV* step = recurrence.getStepRecurrence(evolution_);
  const auto* phi = dyn_cast<PHINode>(&induction);
  Value* start = phi ? initial_[phi]
                     : expander_.expandCodeFor(recurrence.getStart(), induction.getType(), before);
  Value* increment = expander_.expandCodeFor(step, step->getType(), before);
  Value* iteration = done_ ? builder.CreateAdd(done_, index, "", true, true) : index;
  Value* offset = builder.CreateZExtOrTrunc(iteration, step->getType());
  const auto* number = dyn_cast<ConstantInt>(increment);
  if (!number || !number->isOne()) offset = builder.CreateMul(offset, increment);
  if (start->getType()->isPointerTy())
    return builder.CreatePtrAdd(start, offset, induction.getName());
  if (const auto* first = dyn_cast<ConstantInt>(start); first && first->isZero()) return offset;
  // What is added may wrap where the sum does not, but for numbers that only grow from zero or
  // more.
  const bool isSigned = recurrence.hasNoSignedWrap() &&
                        evolution_.isKnownNonNegative(recurrence.getStart()) &&
                        evolution_.isKnownNonNegative(step);
  return builder.CreateAdd(start, offset, induction.getName(), recurrence.hasNoUnsignedWrap(),
                           isSigned);
}

/// Leads to the new loops, unless there are too few iterations for them.
void Distribution::enter(const SCEV& tripCount) {
  before_ = loop_.getLoopPreheader();
  BasicBlock* header = loop_.getHeader();
  tripCount_ = expander_.expandCodeFor(&tripCount, tripCount.getType(), before_->getTerminator());
  entered_ = newBlock("distributed");
  round_ = newBlock("distributed.round");
  IRBuilder<> builder(before_->getTerminator());
  for (const PHINode& phi : header->phis()) initial_[&phi] = phi.getIncomingValueForBlock(before_);
  starts_ = initial_;
  most_ = tuning::kDistributedAtATime;
  if (const auto* known = dyn_cast<ConstantInt>(tripCount_)) {
    most_ = std::min(most_, known->getZExtValue());
    builder.CreateBr(entered_);
    header->removePredecessor(before_, /*KeepOneInputPHIs=*/true);
  } else {
    BasicBlock* serial = newBlock("serial");
    Value* areFew = builder.CreateICmpULT(tripCount_, builder.getInt64(tuning::kFewestDistributed));
    builder.CreateCondBr(areFew, serial, entered_);
    BranchInst::Create(header, serial);
    header->replacePhiUsesWith(before_, serial);
  }
  before_->getTerminator()->eraseFromParent();
  BranchInst::Create(round_, entered_);
  end_ = round_;
}

/// Opens a loop around the new ones, where not all iterations go into the arrays at once.
void Distribution::openRounds() {
  count_ = tripCount_;
  if (const auto* known = dyn_cast<ConstantInt>(tripCount_); known && known->equalsInt(most_))
    return;
  IRBuilder<> builder(round_);
  const auto open = [&](Type* type, Value* start, const Twine& name) {
    PHINode* phi = builder.CreatePHI(type, 2, name);
    phi->addIncoming(start, entered_);
    return phi;
  };
  done_ = open(builder.getInt64Ty(), builder.getInt64(0), "done");
  for (const auto* heads : {&parts_.first, &parts_.last})
    for (const PHINode* phi : *heads)
      starts_[phi] = open(phi->getType(), starts_[phi], phi->getName());
  count_ = builder.CreateBinaryIntrinsic(Intrinsic::umin, builder.CreateNUWSub(tripCount_, done_),
                                         builder.getInt64(most_));
}

/// The loop that computes numbers which follow each other by themselves.
void Distribution::computeFirst() {
  BasicBlock* block = newBlock("first");
  BasicBlock* after = newBlock("first.end");
  BranchInst::Create(block, end_);
  const Counter counter = openLoop(*block, *end_);
  IRBuilder<> builder(block);
  DenseMap<Value*, Value*> copies;
  for (PHINode* phi : parts_.first) {
    PHINode* copy = builder.CreatePHI(phi->getType(), 2, phi->getName());
    copy->addIncoming(starts_[phi], end_);
    copies[phi] = copy;
  }
  for (PHINode* phi : parts_.first) {
    arrays_[phi] = newArray(phi->getType(), phi->getName() + ".first");
    ItemLoops::storeCell(builder, copies[phi], *arrays_[phi], *counter.index);
  }
  const auto copyOf = [&](Value* value) -> Value* {
    if (!isInLoop(value)) return value;
    Value*& copy = copies[value];
    if (!copy) copy = valueOf(*cast<Instruction>(value), builder, counter.index);
    return copy;
  };
  for (Instruction* each : parts_.recurrence) {
    Instruction* copy = each->clone();
    copy->dropDbgRecords();
    for (Use& operand : copy->operands()) operand.set(copyOf(operand.get()));
    copies[each] = builder.Insert(copy, each->getName());
  }
  for (PHINode* phi : parts_.first) {
    ends_[phi] = copyOf(nextOf(phi));
    cast<PHINode>(copies[phi])->addIncoming(ends_[phi], block);
  }
  closeLoop(counter, *block, *block, *after);
  end_ = after;
}

/// The loop of what iterations compute on their own.
void Distribution::computeParallel() {
  BasicBlock* before = newBlock("parallel");
  SmallVector<BasicBlock*> blocks;
  for (BasicBlock* block : loop_.blocks()) {
    BasicBlock* copy = CloneBasicBlock(block, copies_, ".parallel");
    copies_[block] = copy;
    copy->insertInto(&function_, loop_.getExitBlock());
    blocks.push_back(copy);
  }
  BasicBlock* after = newBlock("parallel.end");
  BasicBlock* head = blocks.front();
  auto* latch = cast<BasicBlock>(copies_[loop_.getLoopLatch()]);
  BranchInst::Create(before, end_);
  BranchInst::Create(head, before);
  parallel_ = openLoop(*head, *before);
  replaceHeads(*head, parallel_.index);
  dropOrdered();
  latch->getTerminator()->eraseFromParent();
  closeLoop(parallel_, *latch, *head, *after);
  for (BasicBlock* block : blocks)
    for (Instruction& instruction : *block) {
      instruction.dropDbgRecords();
      RemapInstruction(&instruction, copies_, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
    }
  for (const PHINode& phi : loop_.getExitBlock()->phis()) {
    Value* value = nextOf(&phi);
    if (!isInLoop(value) || parts_.isInOrder(*value) || results_.contains(value)) continue;
    PHINode* result = PHINode::Create(phi.getType(), 1, phi.getName(), after);
    result->addIncoming(copies_[value], latch);
    results_[value] = result;
  }
  end_ = after;
  if (!parts_.last.empty()) computeOrdered();
  ItemLoops::markIndependent(*latch, blocks);
}

/// Gives inductions, and what has been computed first, their values in the copied loop.
void Distribution::replaceHeads(BasicBlock& head, Value* index) {
  SmallVector<Instruction*> replaced;
  const auto replace = [&](Instruction* original, Value* value) {
    replaced.push_back(cast<Instruction>(copies_[original]));
    copies_[original] = value;
  };
  IRBuilder<> builder(&head, head.getFirstInsertionPt());
  for (const auto& [induction, recurrence] : parts_.inductions)
    replace(induction, valueOf(*induction, builder, index));
  for (PHINode* phi : parts_.first)
    replace(phi, ItemLoops::loadCell(builder, phi->getType(), *arrays_[phi], *index));
  for (PHINode* phi : parts_.last) replace(phi, PoisonValue::get(phi->getType()));
  for (Instruction* each : replaced) each->eraseFromParent();
}

/// Takes what is to be in order out of the copied loop.
void Distribution::dropOrdered() {
  for (Instruction* each : parts_.ordered) {
    cast<Instruction>(copies_[each])->eraseFromParent();
    copies_[each] = PoisonValue::get(each->getType());
  }
}

/// The loop that takes up the results in order.
void Distribution::computeOrdered() {
  BasicBlock* block = newBlock("ordered");
  BasicBlock* after = newBlock("ordered.end");
  BranchInst::Create(block, end_);
  const Counter counter = openLoop(*block, *end_);
  OrderedPart part(
      loop_, parts_, *block, *counter.index,
      [&](Type* type, const Twine& name) { return newArray(type, name); },
      [&](Instruction& induction, IRBuilder<>& builder) {
        return valueOf(induction, builder, counter.index);
      });
  for (PHINode* phi : parts_.last) part.start(*phi, *starts_[phi], *end_);
  for (PHINode* phi : parts_.last) part.carryOn(*phi, *nextOf(phi));
  IRBuilder<> builder(after);
  for (PHINode* phi : parts_.last) ends_[phi] = part.whole(*nextOf(phi), builder);
  for (const PHINode& phi : loop_.getExitBlock()->phis())
    if (Value* value = nextOf(&phi); parts_.isInOrder(*value))
      results_[value] = part.whole(*value, builder);
  closeLoop(counter, *block, *block, *after);
  for (const HandedOn& handed : part.handedOn()) handOn(handed);
  end_ = after;
}

/// `value` where an iteration takes it, and what it hands on otherwise.
Value* Distribution::chooseWhereTaken(const HandedOn& handed, Value* value) {
  const BasicBlock* block = handed.meeting->getParent();
  auto* copy = cast<BasicBlock>(copies_[block]);
  if (const auto* selection = dyn_cast<SelectInst>(handed.meeting)) {
    const bool isTrue = selection->getTrueValue() == handed.taken;
    IRBuilder<> builder(copy == parallel_.next->getParent() ? parallel_.next
                                                            : copy->getTerminator());
    return builder.CreateSelect(copies_[selection->getCondition()],
                                isTrue ? value : handed.otherwise,
                                isTrue ? handed.otherwise : value, "chosen");
  }
  const auto& meeting = *cast<PHINode>(handed.meeting);
  PHINode* chosen = PHINode::Create(handed.otherwise->getType(), meeting.getNumIncomingValues(),
                                    "chosen", copy->begin());
  for (const auto& [incoming, from] : zip(meeting.incoming_values(), meeting.blocks())) {
    Value* here = handed.otherwise;
    if (!value)
      here = ConstantInt::get(here->getType(), HandedOn::wayFrom(*from, *block));
    else if (incoming == handed.taken)
      here = value;
    chosen->addIncoming(here, cast<BasicBlock>(copies_[from]));
  }
  return chosen;
}

/// Writes what is to be taken up in order into its array at the end of each iteration.
void Distribution::handOn(const HandedOn& handed) {
  IRBuilder<> builder(parallel_.next);
  BasicBlock* head = parallel_.index->getParent();
  BasicBlock* latch = builder.GetInsertBlock();
  Value* value = handed.value;
  const BasicBlock* block = head;  // where it is known
  if (value && isInLoop(value)) {
    block = cast<Instruction>(value)->getParent();
    value = copies_[value];
  }
  if (value && value->getType()->isVectorTy()) {
    auto* copy = cast<BasicBlock>(isInLoop(handed.value) ? copies_[block] : head);
    IRBuilder<> there(copy == latch ? parallel_.next : copy->getTerminator());
    value = there.CreateExtractElement(value, handed.element);
  }
  if (handed.meeting) {
    block = handed.meeting->getParent();
    value = chooseWhereTaken(handed, value);
  }
  if (block != head && !dominators_.dominates(block, loop_.getLoopLatch())) {
    SSAUpdater updater;
    updater.Initialize(value->getType(), "handed.on");
    updater.AddAvailableValue(head, handed.otherwise);
    updater.AddAvailableValue(cast<BasicBlock>(copies_[block]), value);
    value = updater.GetValueAtEndOfBlock(latch);
  }
  ItemLoops::storeCell(builder, value, *handed.array, *parallel_.index);
}

/// Goes on to the next round, or to where the loop led.
void Distribution::leave() {
  BasicBlock* exit = loop_.getExitBlock();
  if (done_) {
    BasicBlock* leaving = newBlock("distributed.end");
    IRBuilder<> builder(end_);
    Value* next = builder.CreateAdd(done_, builder.getInt64(most_), "", true, true);
    builder.CreateCondBr(builder.CreateICmpULT(next, tripCount_), round_, leaving);
    done_->addIncoming(next, end_);
    for (const auto* heads : {&parts_.first, &parts_.last})
      for (const PHINode* phi : *heads) cast<PHINode>(starts_[phi])->addIncoming(ends_[phi], end_);
    end_ = leaving;
  }
  BranchInst::Create(exit, end_);
  for (PHINode& phi : exit->phis()) {
    Value* value = phi.getIncomingValueForBlock(loop_.getLoopLatch());
    phi.addIncoming(isInLoop(value) ? results_[value] : value, end_);
  }
}

bool hasVectors(const Loop& loop) {
  return any_of(loop.blocks(), [](const BasicBlock* block) {
    return any_of(
        *block, [](const Instruction& instruction) { return instruction.getType()->isVectorTy(); });
  });
}

/// Whether LLVM's vectoriser takes such a loop: all that it carries may be added up in any order.
bool isForLlvm(Loop& loop, const LoopParts& parts, LoopAnalyses& analyses) {
  return parts.first.empty() && !hasVectors(loop) && all_of(parts.last, [&](PHINode* phi) {
           RecurrenceDescriptor sum;
           return RecurrenceDescriptor::isReductionPHI(phi, &loop, sum, nullptr,
                                                       &analyses.assumptions, &analyses.dominators,
                                                       &analyses.evolution) &&
                  !sum.hasExactFPMath();
         });
}

/// Whether what can be in lanes is much more than what cannot, and than what it takes to hand it
/// on.
bool isWorthwhile(const Loop& loop, const LoopParts& parts) {
  const uint64_t serial = parts.recurrence.size() + parts.ordered.size();
  const uint64_t arrays = parts.first.size() + parts.handedOn.size();
  return instructionsIn(loop) >= tuning::kWorkOfDistributed * (serial + arrays + 1);
}

/// How often the loop runs, where it has to be known before; null where it is not, or too small.
const SCEV* tripCountOf(const Loop& loop, LoopAnalyses& analyses) {
  ScalarEvolution& evolution = analyses.evolution;
  const SCEV* repeats = evolution.getBackedgeTakenCount(&loop);
  // A count of 2^64 wraps to zero, which are few: the loop stays as it is then.
  if (isa<SCEVCouldNotCompute>(repeats) || evolution.getTypeSizeInBits(repeats->getType()) > 64)
    return nullptr;
  Type* type = Type::getInt64Ty(loop.getHeader()->getContext());
  const SCEV* count = evolution.getAddExpr(evolution.getTruncateOrZeroExtend(repeats, type),
                                           evolution.getOne(type));
  const auto* known = dyn_cast<SCEVConstant>(count);
  return known && known->getAPInt().ult(tuning::kFewestDistributed) ? nullptr : count;
}

/// The parts of a loop that pays to be distributed; nothing for others.
std::optional<LoopParts> partsOf(Loop& loop, LoopAnalyses& analyses, AAResults& aliases) {
  if (!loop.isInnermost() || !loop.isLoopSimplifyForm() || !loop.getExitBlock() ||
      loop.getExitingBlock() != loop.getLoopLatch() || !loop.isLCSSAForm(analyses.dominators))
    return std::nullopt;
  const SCEV* tripCount = tripCountOf(loop, analyses);
  if (!tripCount) return std::nullopt;
  auto parts = LoopParts::of(loop, analyses.loops, analyses.evolution);
  if (!parts || isForLlvm(loop, *parts, analyses) || !isWorthwhile(loop, *parts))
    return std::nullopt;
  const SCEVExpander expander(analyses.evolution, loop.getHeader()->getDataLayout(), "");
  const Instruction* before = loop.getLoopPreheader()->getTerminator();
  const auto isKnown = [&](const SCEV* value) { return expander.isSafeToExpandAt(value, before); };
  if (!isKnown(tripCount) || !all_of(parts->inductions, [&](const auto& entry) {
        return isKnown(entry.second->getStart()) &&
               isKnown(entry.second->getStepRecurrence(analyses.evolution));
      }))
    return std::nullopt;
  if (!areIterationsIndependent(loop, analyses.evolution, aliases)) return std::nullopt;
  return parts;
}

bool hasConvergentCalls(const Loop& loop) {
  return any_of(loop.blocks(), [](const BasicBlock* block) {
    return any_of(*block, [](const Instruction& instruction) {
      const auto* call = dyn_cast<CallBase>(&instruction);
      return call && call->isConvergent();
    });
  });
}

/// Loops over one work-item that has nobody to meet.
SmallVector<Loop*> loopsOfOneItem(const LoopInfo& loops) {
  SmallVector<Loop*> found;
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!ItemLoops::isItemLoop(*loop) || ItemLoops::isLaneGroup(*loop)) continue;
    const auto items = ItemLoop::recognise(*loop);
    const auto* count = items ? dyn_cast<ConstantInt>(items->count) : nullptr;
    if (count && count->isOne() && !hasConvergentCalls(*loop)) found.push_back(loop);
  }
  return found;
}

}  // namespace

PreservedAnalyses DistributeLoopsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  if (loopsOfOneItem(analyses.getResult<LoopAnalysis>(function)).empty())
    return PreservedAnalyses::all();
  SmallVector<WeakVH> headers;
  {
    LoopAnalyses own(function);
    auto& aliases = analyses.getResult<AAManager>(function);
    SmallSetVector<Loop*, 4> dissolved;
    for (Loop* items : loopsOfOneItem(own.loops))
      for (Loop* inner : items->getLoopsInPreorder())
        if (inner != items && partsOf(*inner, own, aliases)) {
          headers.emplace_back(inner->getHeader());
          dissolved.insert(items);
        }
    for (Loop* items : dissolved) runOnce(*items);
  }
  if (headers.empty()) return PreservedAnalyses::all();
  for (const WeakVH& header : headers) {
    analyses.invalidate(function, PreservedAnalyses::none());
    LoopAnalyses own(function);
    auto* block = cast_or_null<BasicBlock>(static_cast<Value*>(header));
    Loop* loop = block ? own.loops.getLoopFor(block) : nullptr;
    if (!loop) continue;
    const auto parts = partsOf(*loop, own, analyses.getResult<AAManager>(function));
    if (!parts) continue;
    Distribution(*loop, *parts, own).rewrite(*tripCountOf(*loop, own));
    EliminateUnreachableBlocks(function);
  }
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
