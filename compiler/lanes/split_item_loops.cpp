// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/split_item_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

#include "base/tuning.h"
#include "ir/item_loop.h"
#include "ir/item_loops.h"
#include "ir/loop_size.h"
#include "ir/names.h"
#include "lanes/copy_loops.h"
#include "lanes/id_limits.h"

namespace weft::compiler {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

/// A comparison of ids with a limit, which those between the borders of a row all answer alike, or
/// the smaller or larger one of both.
struct Border {
  Instruction* question;
  IdLimit ids;  ///< of id + offset; what a minimum or maximum compares to choose `inner`
  int64_t leastOffset, mostOffset;  ///< of ids that do not wrap when it is added
  Value* inner = nullptr;           ///< id + offset, of a minimum or maximum
};

class Splitting {
 public:
  /// The middle is a multiple of `multiple` work-items.
  Splitting(const ItemLoop& items, ScalarEvolution& evolution, int64_t multiple)
      : items_(items), loop_(*items.loop), evolution_(evolution), multiple_(multiple) {}

  /// Finds what branches ask of ids, and clamped ids; whether there is anything.
  bool find() {
    for (BasicBlock* block : loop_.blocks()) {
      for (Instruction& instruction : *block)
        if (auto* extreme = dyn_cast<MinMaxIntrinsic>(&instruction))
          if (const auto border = borderOf(*extreme)) borders_.push_back(*border);
      if (auto* branch = dyn_cast<BranchInst>(block->getTerminator());
          branch && branch->isConditional() && block != loop_.getLoopLatch())
        collect(*branch->getCondition());
    }
    return !borders_.empty();
  }

  void apply() {
    LLVMContext& context = loop_.getHeader()->getContext();
    Function& function = *loop_.getHeader()->getParent();
    BasicBlock* before = loop_.getLoopPreheader();
    BasicBlock* after = loop_.getUniqueExitBlock();
    BasicBlock* latch = loop_.getLoopLatch();
    const auto newBlock = [&](const Twine& name) {
      return BasicBlock::Create(context, name, &function, after);
    };
    FoldingBuilder builder(before, before->getTerminator()->getIterator(),
                           InstSimplifyFolder(before->getDataLayout()));
    const auto [begin, end] = findMiddle(builder);
    before->getTerminator()->eraseFromParent();

    // The work-items before the borders, those between, and those behind in the loop that the first
    // are in: the copy stands in a loop that is run twice, and left in its middle.
    BasicBlock* ends = newBlock("ends");
    BasicBlock* endsStart = newBlock("ends.start");
    BasicBlock* endsOver = newBlock("ends.over");
    BasicBlock* middle = newBlock("middle");
    BasicBlock* middleStart = newBlock("middle.start");
    BasicBlock* middleOver = newBlock("middle.over");
    ValueToValueMapTy map;
    map[before] = middleStart;
    map[after] = middleOver;
    copyLoop(loop_, ".middle", *after, map);

    builder.SetInsertPoint(before);
    builder.CreateBr(ends);
    builder.SetInsertPoint(ends);
    PHINode* from = builder.CreatePHI(begin->getType(), 2, "ends.from");
    PHINode* to = builder.CreatePHI(begin->getType(), 2, "ends.to");
    PHINode* isSecond = builder.CreatePHI(builder.getInt1Ty(), 2, "ends.second");
    const auto coming = [&](BasicBlock* block, Value* first, Value* last, bool second) {
      from->addIncoming(first, block);
      to->addIncoming(last, block);
      isSecond->addIncoming(builder.getInt1(second), block);
    };
    coming(before, builder.getInt64(0), begin, false);
    coming(middleOver, end, items_.count, true);
    Value* count = builder.CreateSub(to, from);
    builder.CreateCondBr(builder.CreateIsNull(count), endsOver, endsStart);
    builder.SetInsertPoint(endsStart);
    builder.CreateBr(loop_.getHeader());
    builder.SetInsertPoint(endsOver);
    builder.CreateCondBr(isSecond, after, middle);
    builder.SetInsertPoint(middle);
    Value* between = builder.CreateSub(end, begin);
    builder.CreateCondBr(builder.CreateIsNull(between), middleOver, middleStart);
    builder.SetInsertPoint(middleStart);
    builder.CreateBr(cast<BasicBlock>(map[loop_.getHeader()]));
    builder.SetInsertPoint(middleOver);
    builder.CreateBr(ends);

    loop_.getHeader()->replacePhiUsesWith(before, endsStart);
    latch->getTerminator()->replaceSuccessorWith(after, endsOver);
    auto& copy = *cast<BasicBlock>(map[latch]);
    startAt(*cast<PHINode>(map[items_.index]), copy, *begin, *between, *middleStart);
    startAt(*items_.index, *latch, *from, *count, *endsStart);
    SmallVector<BasicBlock*> copies;
    for (BasicBlock* block : loop_.blocks()) copies.push_back(cast<BasicBlock>(map[block]));
    answerIn(map);
    for (BasicBlock* block : copies) ConstantFoldTerminator(block);
  }

 private:
  /// Has the copies of all questions be what they are in the middle.
  void answerIn(ValueToValueMapTy& map) const {
    SmallVector<std::pair<Instruction*, Value*>> answers;
    for (const Border& border : borders_) {
      auto* question = cast<Instruction>(map[border.question]);
      answers.emplace_back(
          question, border.inner ? cast<Value>(map[border.inner])
                                 : ConstantInt::getBool(question->getContext(), isMiddle(border)));
    }
    answer(answers);
  }

  void collect(Value& condition) {
    if (!asked_.insert(&condition).second) return;
    auto parts = partsOf(condition, /*isTrue=*/true);
    if (!parts) parts = partsOf(condition, /*isTrue=*/false);
    if (parts) {
      collect(*parts->first);
      collect(*parts->second);
    } else if (Value * opposite; match(&condition, m_Not(m_Value(opposite)))) {
      collect(*opposite);
    } else if (auto* test = dyn_cast<ICmpInst>(&condition); test && loop_.contains(test)) {
      if (const auto border = borderOf(*test)) borders_.push_back(*border);
    }
  }

  /// A comparison with what is known before the loop.
  std::optional<Border> borderOf(ICmpInst& test) {
    const bool isEquality = test.isEquality();
    auto border = borderOf(test, *test.getOperand(0), *test.getOperand(1),
                           isEquality ? CmpInst::ICMP_SLE : test.getPredicate());
    // The first id, or the last one: those between are behind it, or before it.
    if (border && isEquality)
      border->ids.predicate = isLower(*border) ? CmpInst::ICMP_SLE : CmpInst::ICMP_SGE;
    return border;
  }

  std::optional<Border> borderOf(Instruction& question, Value& left, Value& right,
                                 CmpInst::Predicate predicate) {
    auto ids = IdLimit::of(left, right, predicate, items_);
    if (ids) return withLimit(question, *ids, 0, 0);
    if (!CmpInst::isSigned(predicate)) return std::nullopt;
    for (const bool isRight : {false, true}) {
      Value *first, *second;
      if (!match(isRight ? &right : &left, m_NSWAdd(m_Value(first), m_Value(second)))) continue;
      Value& limit = isRight ? left : right;
      const auto order = isRight ? CmpInst::getSwappedPredicate(predicate) : predicate;
      for (const auto& [id, offset] : {std::pair(first, second), std::pair(second, first)}) {
        if (!(ids = IdLimit::of(*id, limit, order, items_)) || ids->limit != &limit) continue;
        const ConstantRange offsets = evolution_.getSignedRange(evolution_.getSCEV(offset));
        if (!offsets.getSignedMin().isSignedIntN(kOffsetBits) ||
            !offsets.getSignedMax().isSignedIntN(kOffsetBits))
          continue;
        return withLimit(question, *ids, offsets.getSignedMin().getSExtValue(),
                         offsets.getSignedMax().getSExtValue());
      }
    }
    return std::nullopt;
  }

  std::optional<Border> withLimit(Instruction& question, const IdLimit& ids, int64_t leastOffset,
                                  int64_t mostOffset) {
    if (ids.limit->getType()->getIntegerBitWidth() > 32 || !hoist(ids.limit, loop_) ||
        !loop_.isLoopInvariant(ids.limit))
      return std::nullopt;
    return Border{&question, ids, leastOffset, mostOffset};
  }

  /// The smaller or larger one of an id, perhaps clamped already, and what is known before the
  /// loop.
  std::optional<Border> borderOf(MinMaxIntrinsic& extreme) {
    for (const unsigned side : {0u, 1u}) {
      Value* id = extreme.getOperand(side);
      for (const Border& known : borders_)
        if (known.inner && known.question == id) id = known.inner;
      auto border = borderOf(extreme, *id, *extreme.getOperand(1 - side), extreme.getPredicate());
      // The other one of both may be an id as well.
      if (!border || border->ids.limit != extreme.getOperand(1 - side)) continue;
      border->inner = extreme.getOperand(side);
      // An id that is never the one that is chosen: a limit of the wrong side.
      if (isMiddle(*border)) return border;
    }
    return std::nullopt;
  }

  /// The first index from which on the answer to a test is that of large ids.
  Value* thresholdOf(const Border& border, FoldingBuilder& builder) const {
    IdLimit ids = border.ids;
    // What is asked after something else may be undefined where that does not hold.
    if (!isGuaranteedNotToBeUndefOrPoison(ids.limit)) ids.limit = builder.CreateFreeze(ids.limit);
    // id + offset <= limit and id + offset > limit change behind the limit.
    const int64_t offset = isLower(border) ? border.leastOffset : border.mostOffset;
    const bool isBehind = ICmpInst::isLE(ids.predicate) || ICmpInst::isGT(ids.predicate);
    Value* first = builder.CreateAdd(ids.wideLimit(builder, items_.count->getType()),
                                     builder.getInt64((isBehind ? 1 : 0) - offset));
    return ids.base ? builder.CreateSub(first, ids.base) : first;
  }

  static bool isLower(const Border& border) {
    const auto* limit = dyn_cast<ConstantInt>(border.ids.limit);
    return limit &&
           isLimitOfBeginning(limit->getValue(), border.ids.isSigned(), border.leastOffset);
  }

  /// What ids between the borders answer.
  static bool isMiddle(const Border& border) {
    const auto* test = dyn_cast<ICmpInst>(border.question);
    const bool isOpposite = test && test->getPredicate() == CmpInst::ICMP_NE;
    const bool isUpper =
        ICmpInst::isLT(border.ids.predicate) || ICmpInst::isLE(border.ids.predicate);
    return (isUpper != isLower(border)) != isOpposite;
  }

  /// The indices between all borders: the first one, and the one behind the last.
  std::pair<Value*, Value*> findMiddle(FoldingBuilder& builder) const {
    Value* begin = builder.getInt64(0);
    Value* end = items_.count;
    for (const Border& border : borders_) {
      Value* threshold = thresholdOf(border, builder);
      if (isLower(border))
        begin = builder.CreateBinaryIntrinsic(Intrinsic::smax, begin, threshold);
      else
        end = builder.CreateBinaryIntrinsic(Intrinsic::smin, end, threshold);
    }
    begin = builder.CreateBinaryIntrinsic(Intrinsic::smin, begin, items_.count);
    Value* between = builder.CreateBinaryIntrinsic(Intrinsic::smax, builder.CreateSub(end, begin),
                                                   builder.getInt64(0));
    between = builder.CreateAnd(between, builder.getInt64(-multiple_));
    Value* isWorthIt = builder.CreateICmpUGE(
        builder.CreateMul(between, builder.getInt64(tuning::kMiddle.second)),
        builder.CreateMul(items_.count, builder.getInt64(tuning::kMiddle.first)));
    if (!loop_.isInnermost())
      isWorthIt = builder.CreateAnd(
          isWorthIt,
          builder.CreateICmpUGE(items_.count, builder.getInt64(tuning::kLeastRowWithLoops)));
    between = builder.CreateSelect(isWorthIt, between, builder.getInt64(0));
    begin = builder.CreateSelect(isWorthIt, begin, builder.getInt64(0));
    return {begin, builder.CreateAdd(begin, between)};
  }

  /// Has a loop run `count` iterations, the first one for what index `first` was for.
  void startAt(PHINode& index, BasicBlock& latch, Value& first, Value& count,
               BasicBlock& before) const {
    const Value* next = index.getIncomingValueForBlock(&latch);
    Instruction* all = nullptr;
    for (Use& use : make_early_inc_range(index.uses())) {
      auto* user = cast<Instruction>(use.getUser());
      if (user == next || user == all) continue;
      Value* base = user->getOpcode() == Instruction::Add ? user->getOperand(1 - use.getOperandNo())
                                                          : nullptr;
      if (base && isGroupIdOrSize(base)) {
        Instruction* sum = BinaryOperator::CreateNUWAdd(base, &first, "first.id",
                                                        before.getTerminator()->getIterator());
        sum->setMetadata(names::kFirstId, MDNode::get(sum->getContext(), {}));
        user->setOperand(1 - use.getOperandNo(), sum);
        continue;
      }
      if (!all)
        all = BinaryOperator::CreateNUWAdd(&index, &first, "index.all",
                                           index.getParent()->getFirstInsertionPt());
      use.set(all);
    }
    auto* branch = cast<BranchInst>(latch.getTerminator());
    cast<ICmpInst>(branch->getCondition())->replaceUsesOfWith(items_.count, &count);
  }

  static constexpr unsigned kOffsetBits = 30;

  ItemLoop items_;
  Loop& loop_;
  ScalarEvolution& evolution_;
  int64_t multiple_;
  SmallVector<Border, 8> borders_;
  SmallPtrSet<const Value*, 16> asked_;  ///< conditions, and their parts
};

bool split(Loop& loop, ScalarEvolution& evolution, const TargetTransformInfo& target) {
  const auto items = ItemLoop::recognise(loop);
  if (!items || instructionsIn(loop) > tuning::kVersionedItem ||
      !loop.getUniqueExitBlock()->phis().empty())
    return false;
  Splitting splitting(*items, evolution, lanesExpected(loop, target));
  if (!splitting.find() || !hoistWhatOthersUse(loop)) return false;
  splitting.apply();
  return true;
}

}  // namespace

PreservedAnalyses SplitItemLoopsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  bool hasChanged = false;
  // One at most: the analyses know nothing of the copy.
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (ItemLoops::isItemLoop(*loop)) {
      hasChanged = split(*loop, analyses.getResult<ScalarEvolutionAnalysis>(function),
                         analyses.getResult<TargetIRAnalysis>(function));
      break;
    }
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  if (!hasChanged) return preserved;  // what limits are computed from may have moved
  removeUnreachableBlocks(function);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
