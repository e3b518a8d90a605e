// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/interchange_item_loops.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <optional>

#include "analysis/waiting_loops.h"
#include "base/tuning.h"
#include "ir/item_loops.h"
#include "ir/loop_size.h"
#include "ir/names.h"
#include "lanes/copy_loops.h"
#include "lanes/counted_loop.h"
#include "lanes/id_limits.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Whether nobody can tell how often, and when, an instruction is run.
bool isPure(const Instruction& instruction) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
      intrinsic && intrinsic->isAssumeLikeIntrinsic())
    return true;
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return load->isSimple() && (load->hasMetadata(LLVMContext::MD_invariant_load) ||
                                load->getPointerAddressSpace() == names::kConstant);
  return !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects();
}

/// Whether an instruction may use a variable that a work-item has for all of its iterations, and
/// the next work-item after it: one without a cell for each.
bool usesVariable(const Instruction& instruction) {
  return any_of(instruction.operands(), [](const Use& use) {
    if (!use->getType()->isPointerTy()) return false;
    SmallVector<const Value*> objects;
    getUnderlyingObjects(use.get(), objects);
    return any_of(objects, [](const Value* object) {
      const auto* variable = dyn_cast<AllocaInst>(object);
      return variable && !ItemLoops::hasCells(*variable);
    });
  });
}

/// Whether an iteration of `items` has no effect but by `inner`, and hands on nothing.
bool doesNothingElse(Loop& items, const Loop& inner) {
  for (const BasicBlock* block : items.blocks()) {
    const bool isInner = inner.contains(block);
    for (const Instruction& instruction : *block) {
      if (const auto* call = dyn_cast<CallBase>(&instruction); call && call->isConvergent())
        return false;
      if (isInner ? usesVariable(instruction) ||
                        any_of(instruction.users(),
                               [&](const User* user) {
                                 return !inner.contains(cast<Instruction>(user));
                               })
                  : !isPure(instruction))
        return false;
    }
  }
  return all_of(*inner.getHeader(), isPure) && hoistWhatOthersUse(items);
}

/// A loop over work-items, an inner loop, and how work-items differ there.
class Interchange {
 public:
  Interchange(const ItemLoop& items, const CountedLoop& inner, ScalarEvolution& evolution)
      : items_(items), inner_(inner), evolution_(evolution) {}

  /// Finds out what the counter begins with and grows by; whether work-items take turns, or all of
  /// them do the same, and no counter of any of them wraps, or could be asked whether it does.
  bool find() {
    if (inner_.isAtMost || !hasSingleElement(inner_.head().phis()) ||
        !inner_.loop->getUniqueExitBlock()->phis().empty() || !hoist(inner_.limit, *items_.loop))
      return false;
    step_ = stepOf(inner_, items_, evolution_);
    start_ = ItemNumber::of(inner_.start(), items_, evolution_);
    return step_ && start_ && start_->isInOrder(items_, inner_.isSigned, evolution_) &&
           (staysBelowTop() || isSmall());
  }

  bool differs() const { return !start_->isUniform(); }

  void apply(DominatorTree& dominators, LoopInfo& loops);

 private:
  /// Whether a work-item may have a second version.
  bool isSmall() const { return instructionsIn(*items_.loop) <= tuning::kVersionedItem; }

  /// Whether no counter that is below the limit wraps when it grows.
  bool staysBelowTop() const {
    if (!evolution_.isKnownPositive(step_)) return false;
    const auto* next = dyn_cast<OverflowingBinaryOperator>(inner_.next());
    const bool isPromised = next && next->getOpcode() == Instruction::Add &&
                            (inner_.isSigned ? next->hasNoSignedWrap() : next->hasNoUnsignedWrap());
    if (isPromised) return true;
    const SCEV* limit = evolution_.getSCEV(inner_.limit);
    bool wraps = false;
    if (inner_.isSigned)
      (void)evolution_.getSignedRangeMax(limit).sadd_ov(evolution_.getSignedRangeMax(step_), wraps);
    else
      (void)evolution_.getUnsignedRangeMax(limit).uadd_ov(evolution_.getUnsignedRangeMax(step_),
                                                          wraps);
    return !wraps;
  }

  /// Turns of known lengths: of all work-items, up to a number that the first one does not come to
  /// with all others, and one of the rest.
  struct KnownTurns {
    Constant* end;
    uint64_t rest;
  };
  std::optional<KnownTurns> knownTurns() const;
  Value* askBelowTop(Value* step, IRBuilder<>& builder) const;
  Value* countBelow(Value* first, IRBuilder<>& builder) const;
  Value* counterFor(Value* first, IRBuilder<>& builder) const;
  void dissolveInner(Value* first);
  void addRest(BasicBlock& end, const PHINode& first, const KnownTurns& turns);

  ItemLoop items_;
  CountedLoop inner_;
  ScalarEvolution& evolution_;
  const SCEV* step_ = nullptr;
  std::optional<ItemNumber> start_;
};

/// None where a number is not known, or more than one turn is left to some work-items.
std::optional<Interchange::KnownTurns> Interchange::knownTurns() const {
  const auto* start = dyn_cast<SCEVConstant>(start_->first);
  const auto* step = dyn_cast<SCEVConstant>(step_);
  const auto* limit = dyn_cast<ConstantInt>(inner_.limit);
  const auto* count = dyn_cast<ConstantInt>(items_.count);
  if (!start || !step || !limit || !count || !differs()) return std::nullopt;
  const unsigned bits = limit->getBitWidth() + 64;  // for all sums and products
  const auto wide = [&](const APInt& number) {
    return inner_.isSigned ? number.sext(bits) : number.zext(bits);
  };
  const APInt first = wide(start->getAPInt()), by = step->getAPInt().zext(bits),
              end = wide(limit->getValue()), each = start_->each.zext(bits);
  const APInt span = each * count->getValue().zext(bits);
  if (by.ult(span) || first.sge(end)) return std::nullopt;
  const APInt lastOfAll = first + span - each;
  const APInt full = lastOfAll.slt(end) ? (end - lastOfAll - 1).udiv(by) + 1 : APInt(bits, 0);
  const APInt rest = first + full * by;
  if (full.isZero()) return std::nullopt;
  return KnownTurns{ConstantInt::get(limit->getContext(), rest.trunc(limit->getBitWidth())),
                    rest.slt(end) ? ((end - rest - 1).udiv(each) + 1).getZExtValue() : 0};
}

/// How many work-items have a counter below the limit, where the first one has `first`.
Value* Interchange::countBelow(Value* first, IRBuilder<>& builder) const {
  if (!differs()) return items_.count;
  Type* type = first->getType();
  Value* left = builder.CreateSub(inner_.limit, first);
  if (!start_->each.isOne()) {
    Value* one = ConstantInt::get(type, 1);
    left = builder.CreateUDiv(builder.CreateSub(left, one), ConstantInt::get(type, start_->each));
    left = builder.CreateAdd(left, one);
  }
  return builder.CreateBinaryIntrinsic(
      Intrinsic::umin, builder.CreateZExt(left, items_.count->getType()), items_.count);
}

Value* Interchange::counterFor(Value* first, IRBuilder<>& builder) const {
  if (!differs()) return first;
  Type* type = first->getType();
  Value* index = builder.CreateTrunc(items_.index, type);
  if (!start_->each.isOne()) index = builder.CreateMul(index, ConstantInt::get(type, start_->each));
  return builder.CreateAdd(first, index, "", /*HasNUW=*/!inner_.isSigned, inner_.isSigned);
}

/// Has the work-items run what was the inner loop once.
void Interchange::dissolveInner(Value* first) {
  BasicBlock& head = inner_.head();
  IRBuilder<> builder(&head, head.getFirstInsertionPt());
  BasicBlock* done = inner_.loop->getUniqueExitBlock();
  BasicBlock* latch = inner_.loop->getLoopLatch();
  inner_.counter->replaceAllUsesWith(counterFor(first, builder));
  inner_.counter->eraseFromParent();
  BranchInst& exit = inner_.exit();
  BranchInst::Create(exit.getSuccessor(inner_.inside), exit.getIterator());
  exit.eraseFromParent();
  latch->getTerminator()->eraseFromParent();
  BranchInst::Create(done, latch);
}

/// Copies the loop over work-items to `end`, for the last turn.
void Interchange::addRest(BasicBlock& end, const PHINode& first, const KnownTurns& turns) {
  Loop& items = *items_.loop;
  BasicBlock* latch = items.getLoopLatch();
  BasicBlock* after = end.getSingleSuccessor();
  ValueToValueMapTy map;
  map[&first] = turns.end;
  copyLoop(items, ".rest", *after, map);
  auto* header = cast<BasicBlock>(map[items.getHeader()]);
  header->replacePhiUsesWith(items.getLoopPreheader(), &end);
  end.getTerminator()->setSuccessor(0, header);
  auto* branch = cast<BranchInst>(cast<BasicBlock>(map[latch])->getTerminator());
  branch->setSuccessor(branch->getSuccessor(0) == header ? 1 : 0, after);
  Type* type = items_.count->getType();
  cast<ICmpInst>(branch->getCondition())
      ->replaceUsesOfWith(items_.count, ConstantInt::get(type, turns.rest));
}

/// What staysBelowTop() could not find out.
Value* Interchange::askBelowTop(Value* step, IRBuilder<>& builder) const {
  const unsigned bits = step->getType()->getIntegerBitWidth();
  const APInt top = inner_.isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  const CmpInst::Predicate atMost = inner_.isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE;
  Value* highest = builder.CreateSub(ConstantInt::get(step->getType(), top), step);
  // Who never goes on need not have a number to go on by.
  return builder.CreateFreeze(
      builder.CreateAnd(builder.CreateICmpSGT(step, ConstantInt::get(step->getType(), 0)),
                        builder.CreateICmp(atMost, inner_.limit, highest)));
}

void Interchange::apply(DominatorTree& dominators, LoopInfo& loops) {
  Loop& items = *items_.loop;
  BasicBlock* header = items.getHeader();
  BasicBlock* latch = items.getLoopLatch();
  Function& function = *header->getParent();
  SCEVExpander expander(evolution_, function.getDataLayout(), "turn");
  Type* type = inner_.counter->getType();
  IRBuilder<> builder(items.getLoopPreheader()->getTerminator());
  Value* start = expander.expandCodeFor(start_->first, type, builder.GetInsertPoint());
  Value* step = expander.expandCodeFor(step_, type, builder.GetInsertPoint());
  const auto known = knownTurns();
  if (!staysBelowTop()) {
    // A copy of the loops as they are, which hardly ever runs: no lanes are made of it.
    Value* isBelow = askBelowTop(step, builder);
    Loop* copy = versionLoop(items, *isBelow, ".wrapping", dominators, loops);
    addStringMetadataToLoop(copy, "llvm.loop.vectorize.enable", 0);
  }
  BasicBlock* before = items.getLoopPreheader();
  BasicBlock* after = items.getUniqueExitBlock();
  const auto newBlock = [&](const char* name, BasicBlock& next) {
    return BasicBlock::Create(header->getContext(), name, &function, &next);
  };
  BasicBlock* begin = newBlock("turns.begin", *header);
  BasicBlock* turn = newBlock("turn", *header);
  BasicBlock* nextTurn = newBlock("turn.next", *after);
  BasicBlock* end = newBlock("turns.end", *after);

  Instruction* place = before->getTerminator();
  builder.SetInsertPoint(place);
  const CmpInst::Predicate below = inner_.isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT;
  Value* limit = known ? known->end : inner_.limit;
  builder.CreateCondBr(builder.CreateICmp(below, start, limit), begin, after);
  place->eraseFromParent();
  builder.SetInsertPoint(begin);
  builder.CreateBr(turn);

  builder.SetInsertPoint(turn);
  PHINode* first = builder.CreatePHI(type, 2, "first");
  first->addIncoming(start, begin);
  if (!known) {
    Value* count = countBelow(first, builder);
    auto* branch = cast<BranchInst>(latch->getTerminator());
    cast<ICmpInst>(branch->getCondition())->replaceUsesOfWith(items_.count, count);
  }
  builder.CreateBr(header);
  header->replacePhiUsesWith(before, turn);
  latch->getTerminator()->replaceSuccessorWith(after, nextTurn);

  // Asked so, nothing wraps, whoever of the work-items came as far as the inner loop.
  builder.SetInsertPoint(nextTurn);
  Value* left = builder.CreateSub(limit, first);
  Value* next = builder.CreateAdd(first, step, "", /*HasNUW=*/!inner_.isSigned, inner_.isSigned);
  first->addIncoming(next, nextTurn);
  builder.CreateCondBr(builder.CreateICmpUGT(left, step), turn, end);
  builder.SetInsertPoint(end);
  builder.CreateBr(after);

  dissolveInner(first);
  if (known && known->rest != 0) addRest(*end, *first, *known);
}

/// The only loop directly within `loop`, if it counts.
std::optional<CountedLoop> onlyLoopIn(const Loop& loop) {
  if (loop.getSubLoops().size() != 1) return std::nullopt;
  return CountedLoop::recognise(*loop.getSubLoops().front());
}

/// The loop within `items` to interchange with it next. It is the one in which work-items take
/// turns, or around that one and alike for all of them.
std::optional<Interchange> findInterchange(const ItemLoop& items, ScalarEvolution& evolution,
                                           const DominatorTree& dominators) {
  std::optional<Interchange> outermost;
  const Loop* around = items.loop;
  for (auto inner = onlyLoopIn(*around); inner; inner = onlyLoopIn(*around)) {
    // Where nobody comes to the loop, nobody knows how many turns are left out.
    if (!dominators.dominates(&inner->head(), around->getLoopLatch())) break;
    around = inner->loop;
    Interchange interchange(items, *inner, evolution);
    if (!interchange.find()) break;
    if (!outermost) outermost.emplace(interchange);
    if (interchange.differs())
      return doesNothingElse(*items.loop, *inner->loop) ? outermost : std::nullopt;
  }
  return std::nullopt;
}

/// Whether the loop headed by `header` is one over work-items and has been interchanged with the
/// next one in it.
bool interchange(BasicBlock& header) {
  LoopAnalyses analyses(*header.getParent());
  Loop& loop = *analyses.loops.getLoopFor(&header);
  const auto items = onlyLoopIn(loop) ? ItemLoop::recognise(loop) : std::nullopt;
  if (!items || !loop.getUniqueExitBlock()->phis().empty() || findWait(loop, analyses.dominators))
    return false;
  auto found = findInterchange(*items, analyses.evolution, analyses.dominators);
  if (found) found->apply(analyses.dominators, analyses.loops);
  return found.has_value();
}

SmallVector<BasicBlock*> headersOfItemLoops(Function& function) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  SmallVector<BasicBlock*> headers;
  for (const Loop* loop : loops.getLoopsInPreorder())
    if (ItemLoops::isItemLoop(*loop) && !ItemLoops::isLaneGroup(*loop) && onlyLoopIn(*loop))
      headers.push_back(loop->getHeader());
  return headers;
}

}  // namespace

PreservedAnalyses InterchangeItemLoopsPass::run(Function& function, FunctionAnalysisManager&) {
  bool hasChanged = false;
  for (BasicBlock* header : headersOfItemLoops(function))
    while (interchange(*header)) hasChanged = true;
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return hasChanged ? PreservedAnalyses::none() : preserved;  // what counts may have moved
}

}  // namespace weft::compiler
