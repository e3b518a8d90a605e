// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/version_groups.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <optional>

#include "base/tuning.h"
#include "ir/item_loops.h"
#include "lanes/copy_loops.h"
#include "lanes/explanation.h"
#include "lanes/id_limits.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// What a value of some work-item is: something that is the same for all, `base`, and a number.
struct Sum {
  const SCEV* base;
  int64_t least, most;  ///< what is added, perhaps of more than the values that there are
  bool isExtended;      ///< by zeros, so that it must not be negative
  bool differs;         ///< from work-item to work-item of a row
};

/// Numbers that fit into any type that is asked about, with room for sums.
constexpr unsigned kOffsetBits = 30;

/// What is added to `base`, of all work-items; of numbers that are compared with each other.
struct Extent {
  int64_t least, most;
  bool isUnsigned;  ///< no sum may be negative

  void include(const Extent& other) {
    least = std::min(least, other.least);
    most = std::max(most, other.most);
    isUnsigned |= other.isUnsigned;
  }
};

/// On which side of a limit all sums have to be.
enum class Side : uint8_t { Below, Above, Either };

/// Sums of one base, and what they are compared with.
struct Test {
  const SCEV* base;
  const SCEV* limit;
  Side side;
  int64_t offset;   ///< of the limit: 1 where sums may be equal to it below, or not above
  bool isUnsigned;  ///< the limit

  bool operator==(const Test&) const = default;
};

class Versioning {
 public:
  Versioning(Function& function, FunctionAnalysisManager& analyses)
      : function_(function),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        loops_(analyses.getResult<LoopAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        expander_(evolution_, function.getDataLayout(), "group.limit") {}

  /// Whether some work-items ask what all of a group may answer alike.
  bool find() {
    place_ = placeBeforeLoops();
    if (!place_ || instructionsBehind() > tuning::kVersionedItem) return false;
    bool differs = false;
    for (BasicBlock* block : ReversePostOrderTraversal<Function*>(&function_)) {
      const Loop* loop = loops_.getLoopFor(block);
      if (!loop || (!ItemLoops::isItemLoop(*loop) && !ItemLoops::around(*loop))) continue;
      for (Instruction& instruction : *block)
        if (auto* extreme = dyn_cast<MinMaxIntrinsic>(&instruction))
          differs |= ask(*extreme);
        else if (auto* test = dyn_cast<ICmpInst>(&instruction); test && !isOfExit(*test))
          differs |= ask(*test);
    }
    return differs;
  }

  void explain(Explanation& explanation) const {
    for (const auto& [question, value] : answers_)
      explanation.note(
          "limits: groups all of whose work-items are within them do not ask; what is said of "
          "masks "
          "and of guessed rows is true of the others",
          *question);
  }

  void apply() {
    FoldingBuilder builder(place_, place_->getTerminator()->getIterator(),
                           InstSimplifyFolder(function_.getDataLayout()));
    Value* isWithin = within(builder);
    BasicBlock* start = SplitBlock(place_, place_->getTerminator());
    const SmallVector<BasicBlock*> blocks(depth_first(start));
    ValueToValueMapTy map;
    for (BasicBlock* copy : copyBlocks(blocks, ".border", map)) forgetOthers(*copy);
    place_->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(place_);
    builder.CreateCondBr(isWithin, start, cast<BasicBlock>(map[start]),
                         MDBuilder(builder.getContext()).createLikelyBranchWeights());
    answer(answers_);
    for (BasicBlock* block : blocks) ConstantFoldTerminator(block);
  }

 private:
  /// Before all loops over work-items; null where there are none.
  BasicBlock* placeBeforeLoops() const {
    BasicBlock* place = nullptr;
    for (const Loop* loop : loops_.getLoopsInPreorder())
      if (ItemLoops::isItemLoop(*loop))
        place = place ? dominators_.findNearestCommonDominator(place, loop->getHeader())
                      : loop->getHeader();
    while (place && loops_.getLoopFor(place))
      place = dominators_.getNode(place)->getIDom()->getBlock();
    return place;
  }

  uint64_t instructionsBehind() const {
    uint64_t count = 0;
    for (const BasicBlock* block : depth_first(place_)) count += block->sizeWithoutDebug();
    return count;
  }

  /// Whether it decides how often a loop runs.
  bool isOfExit(const ICmpInst& test) const {
    return any_of(test.users(), [&](const User* user) {
      const auto* branch = dyn_cast<BranchInst>(user);
      const Loop* loop = branch ? loops_.getLoopFor(branch->getParent()) : nullptr;
      return loop && loop->isLoopExiting(branch->getParent());
    });
  }

  bool ask(ICmpInst& test) {
    const auto predicate = test.getPredicate();
    for (const unsigned side : {0u, 1u}) {
      const auto order = side == 0 ? predicate : CmpInst::getSwappedPredicate(predicate);
      const auto sum = sumOf(*test.getOperand(side));
      const SCEV* limit = sum ? limitOf(*sum, *test.getOperand(1 - side)) : nullptr;
      if (!limit) continue;
      const Side where = test.isEquality()                           ? Side::Either
                         : isLower(*sum, *limit, !test.isUnsigned()) ? Side::Above
                                                                     : Side::Below;
      const bool isBehind = ICmpInst::isLE(order) || ICmpInst::isGT(order);
      note(*sum, {.base = sum->base,
                  .limit = limit,
                  .side = where,
                  .offset = isBehind ? 1 : 0,
                  .isUnsigned = test.isUnsigned()});
      const bool isUpper = ICmpInst::isLT(order) || ICmpInst::isLE(order);
      const bool isTrue =
          test.isEquality() ? order == CmpInst::ICMP_NE : isUpper == (where == Side::Below);
      answers_.emplace_back(&test, ConstantInt::getBool(test.getContext(), isTrue));
      return sum->differs;
    }
    return false;
  }

  /// The smaller or larger one of a sum, perhaps clamped already, and a limit.
  bool ask(MinMaxIntrinsic& extreme) {
    for (const unsigned side : {0u, 1u}) {
      Value* inner = extreme.getOperand(side);
      for (const auto& [question, known] : answers_)
        if (question == inner && isa<MinMaxIntrinsic>(question)) inner = known;
      const auto sum = sumOf(*inner);
      const SCEV* limit = sum ? limitOf(*sum, *extreme.getOperand(1 - side)) : nullptr;
      if (!limit) continue;
      const bool isUpper = ICmpInst::isLT(extreme.getPredicate());
      note(*sum, {.base = sum->base,
                  .limit = limit,
                  .side = isUpper ? Side::Below : Side::Above,
                  .offset = isUpper ? 1 : 0,
                  .isUnsigned = !extreme.isSigned()});
      answers_.emplace_back(&extreme, inner);
      return sum->differs;
    }
    return false;
  }

  static bool isLower(const Sum& sum, const SCEV& limit, bool isSigned) {
    const auto* known = dyn_cast<SCEVConstant>(&limit);
    return known && isLimitOfBeginning(known->getAPInt(), isSigned, sum.least);
  }

  void note(const Sum& sum, const Test& test) {
    const Extent extent{sum.least, sum.most, sum.isExtended || test.isUnsigned};
    const auto include = [&](auto& known, const auto& key) {
      for (auto& [other, whole] : known)
        if (other == key) return whole.include(extent);
      known.emplace_back(key, extent);
    };
    include(bases_, sum.base);
    include(tests_, test);
  }

  std::optional<Sum> sumOf(Value& value) {
    if (!evolution_.isSCEVable(value.getType()) || !value.getType()->isIntegerTy() ||
        value.getType()->getIntegerBitWidth() > 64)
      return std::nullopt;
    const SCEV* sum = evolution_.getSCEV(&value);
    bool isExtended = false;
    while (isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(sum)) {
      isExtended |= isa<SCEVZeroExtendExpr>(sum);
      sum = cast<SCEVCastExpr>(sum)->getOperand();
    }
    if (evolution_.getTypeSizeInBits(sum->getType()) < 32) return std::nullopt;
    const SCEV* base = startOf(sum);
    if (!base || base == sum || !isKnownBefore(*base)) return std::nullopt;
    if (const auto* parts = dyn_cast<SCEVAddExpr>(base);
        parts && isa<SCEVConstant>(parts->getOperand(0)))
      base = evolution_.getMinusSCEV(base, parts->getOperand(0));
    const ConstantRange range = evolution_.getSignedRange(evolution_.getMinusSCEV(sum, base));
    if (!range.getSignedMin().isSignedIntN(kOffsetBits) ||
        !range.getSignedMax().isSignedIntN(kOffsetBits))
      return std::nullopt;
    return Sum{.base = base,
               .least = range.getSignedMin().getSExtValue(),
               .most = range.getSignedMax().getSExtValue(),
               .isExtended = isExtended,
               .differs = SCEVExprContains(sum, [](const SCEV* part) {
                 const auto* recurrence = dyn_cast<SCEVAddRecExpr>(part);
                 return recurrence && ItemLoops::isItemLoop(*recurrence->getLoop());
               })};
  }

  /// What a sum is in the first iterations of all loops; null where that is not plain to see.
  const SCEV* startOf(const SCEV* sum) {
    if (const auto* recurrence = dyn_cast<SCEVAddRecExpr>(sum))
      return startOf(recurrence->getStart());
    if (!evolution_.containsAddRecurrence(sum)) return sum;
    if (!isa<SCEVAddExpr, SCEVMulExpr>(sum)) return nullptr;
    SmallVector<const SCEV*, 4> starts;
    for (const SCEV* part : sum->operands()) {
      const SCEV* start = startOf(part);
      if (!start) return nullptr;
      starts.push_back(start);
    }
    return isa<SCEVAddExpr>(sum) ? evolution_.getAddExpr(starts) : evolution_.getMulExpr(starts);
  }

  bool isKnownBefore(const SCEV& value) const {
    return !evolution_.containsAddRecurrence(&value) &&
           expander_.isSafeToExpandAt(&value, place_->getTerminator());
  }

  /// What a sum may be compared with before the loops; null for what is the answer for all groups.
  const SCEV* limitOf(const Sum& sum, Value& value) {
    const SCEV* limit = evolution_.getSCEV(&value);
    if (isa<SCEVConstant>(sum.base) && isa<SCEVConstant>(limit)) return nullptr;
    return isKnownBefore(*limit) ? limit : nullptr;
  }

  /// In twice the bits of what is compared nothing wraps.
  unsigned bitsOfNumbers() const {
    uint64_t bits = 32;
    for (const auto& [test, extent] : tests_)
      bits = std::max({bits, evolution_.getTypeSizeInBits(test.base->getType()),
                       evolution_.getTypeSizeInBits(test.limit->getType())});
    return 2 * bits;
  }

  /// Whether all that is asked is answered as if there were no limits. Pre: before the loops.
  Value* within(FoldingBuilder& builder) {
    IntegerType* wide = builder.getIntNTy(bitsOfNumbers());
    const auto number = [&](const SCEV* value, bool isUnsigned) {
      Value* known = expander_.expandCodeFor(value, value->getType(), place_->getTerminator());
      // What is asked after something else may be undefined where that does not hold.
      if (!isGuaranteedNotToBeUndefOrPoison(known)) known = builder.CreateFreeze(known);
      return builder.CreateIntCast(known, wide, !isUnsigned);
    };
    const auto plus = [&](Value* value, int64_t offset) {
      return builder.CreateAdd(value, ConstantInt::getSigned(wide, offset));
    };
    Value* all = builder.getTrue();
    const auto require = [&](Value* one) { all = builder.CreateAnd(all, one); };
    SmallDenseMap<const SCEV*, Value*> bases;
    for (const auto& [base, extent] : bases_) {
      Value* value = bases[base] = number(base, /*isUnsigned=*/false);
      // No sum wraps.
      const APInt most = APInt::getSignedMaxValue(evolution_.getTypeSizeInBits(base->getType()))
                             .zext(wide->getBitWidth());
      const APInt least = extent.isUnsigned ? APInt::getZero(wide->getBitWidth()) : ~most;
      require(builder.CreateICmpSGE(plus(value, extent.least), builder.getInt(least)));
      require(builder.CreateICmpSLE(plus(value, extent.most), builder.getInt(most)));
    }
    for (const auto& [test, extent] : tests_) {
      Value* limit = number(test.limit, test.isUnsigned);
      Value* base = bases[test.base];
      const auto below = [&] {
        return builder.CreateICmpSLT(plus(base, extent.most), plus(limit, test.offset));
      };
      const auto above = [&](int64_t offset) {
        return builder.CreateICmpSGE(plus(base, extent.least), plus(limit, offset));
      };
      switch (test.side) {
        case Side::Below:
          require(below());
          break;
        case Side::Above:
          require(above(test.offset));
          break;
        case Side::Either:
          require(builder.CreateOr(below(), above(1)));
          break;
      }
    }
    return all;
  }

  /// What comes to a block from elsewhere does not come to its copy.
  static void forgetOthers(BasicBlock& copy) {
    SmallPtrSet<const BasicBlock*, 8> before(pred_begin(&copy), pred_end(&copy));
    for (PHINode& phi : copy.phis())
      phi.removeIncomingValueIf(
          [&](unsigned i) { return !before.contains(phi.getIncomingBlock(i)); },
          /*DeletePHIIfEmpty=*/false);
  }

  Function& function_;
  DominatorTree& dominators_;
  LoopInfo& loops_;
  ScalarEvolution& evolution_;
  SCEVExpander expander_;
  BasicBlock* place_ = nullptr;
  SmallVector<std::pair<const SCEV*, Extent>, 4> bases_;
  SmallVector<std::pair<Test, Extent>, 8> tests_;
  SmallVector<std::pair<Instruction*, Value*>> answers_;
};

}  // namespace

PreservedAnalyses VersionGroupsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  Versioning versioning(function, analyses);
  if (!versioning.find()) return PreservedAnalyses::all();
  if (explanation_) versioning.explain(*explanation_);
  versioning.apply();
  removeUnreachableBlocks(function);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
