// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/reroll_sums.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "ir/elementwise.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Terms are compared operand by operand, so deep ones cost much.
constexpr unsigned kMostInstructionsOfTerm = 16;

/// A load of one term, and the same of the others: the address grows by `stride` bytes from each
/// term to the next, and from the last one of an iteration to the first one of the next.
struct Row {
  SmallVector<LoadInst*, 4> loads;  ///< of each term, as in memory
  int64_t stride = 0;
};

/// What a loop adds up in each iteration: to one variable, or to several that are added up behind
/// the loop.
struct Sum {
  SmallVector<PHINode*, 4> variables;
  SmallVector<BinaryOperator*, 4> totals;     ///< of each variable at the end of an iteration
  SmallVector<BinaryOperator*, 4> additions;  ///< the totals among them
  SmallVector<Value*, 4> terms;  ///< those of an iteration, as their loads are in memory
};

/// Whether `addition` may change places with `total`.
bool isLike(const BinaryOperator& addition, const BinaryOperator& total) {
  return addition.getOpcode() == total.getOpcode() && isSumInAnyOrder(addition);
}

/// One loop in which sums may be rerolled.
class SumLoop {
 public:
  SumLoop(Loop& loop, ScalarEvolution& evolution)
      : loop_(loop), evolution_(evolution), body_(*loop.getHeader()) {}

  /// Whether all of the loop is sums of terms that follow each other.
  bool isRerollable() {
    return hasShape() && findSums() && hasNoOtherUses() &&
           all_of(sums_, [&](Sum& sum) { return findTerms(sum); }) && canExpand();
  }

  void reroll();

 private:
  bool hasShape() {
    if (loop_.getNumBlocks() != 1 || !loop_.getLoopPreheader() || !loop_.getExitBlock())
      return false;
    trips_ = evolution_.getBackedgeTakenCount(&loop_);
    return !isa<SCEVCouldNotCompute>(trips_) && trips_->getType()->getScalarSizeInBits() <= 64 &&
           isa<BranchInst>(body_.getTerminator());
  }

  bool findSums() {
    for (PHINode& variable : body_.phis()) {
      if (evolution_.isSCEVable(variable.getType()) &&
          isa<SCEVAddRecExpr>(evolution_.getSCEV(&variable)))
        continue;
      if (!findSum(variable)) return false;
    }
    const auto terms = [&](const Sum& sum) { return sum.terms.size(); };
    if (sums_.empty()) return false;
    count_ = terms(sums_.front());
    return count_ >= 2 && all_of(sums_, [&](const Sum& sum) { return terms(sum) == count_; });
  }

  bool findSum(PHINode& variable) {
    auto* total = dyn_cast<BinaryOperator>(variable.getIncomingValueForBlock(&body_));
    if (!total || total->getParent() != &body_ || !isSumInAnyOrder(*total)) return false;
    Sum sum{{&variable}, {total}, {total}, {}};
    bool hasVariable = false;
    for (size_t i = 0; i < sum.additions.size(); ++i)
      for (Value* operand : sum.additions[i]->operands()) {
        auto* addition = dyn_cast<BinaryOperator>(operand);
        if (operand == &variable) {
          if (hasVariable) return false;
          hasVariable = true;
        } else if (addition && isLike(*addition, *total) && addition->hasOneUse() &&
                   addition->getParent() == &body_) {
          sum.additions.push_back(addition);
        } else {
          sum.terms.push_back(operand);
        }
      }
    if (!hasVariable || !variable.hasOneUse()) return false;
    addToSums(std::move(sum));
    return true;
  }

  /// Variables that nobody sees but the sum of all are one.
  void addToSums(Sum sum) {
    const Instruction* last = lastAdditionOf(*sum.totals.front());
    for (Sum& other : sums_)
      if (last && last == lastAdditionOf(*other.totals.front())) {
        other.variables.append(sum.variables);
        other.totals.append(sum.totals);
        other.additions.append(sum.additions);
        other.terms.append(sum.terms);
        return;
      }
    sums_.push_back(std::move(sum));
  }

  /// The last one behind the loop of additions that are all there is to see of `total`.
  const Instruction* lastAdditionOf(const BinaryOperator& total) const {
    const Instruction* last = nullptr;
    for (const User* user : total.users()) {
      const auto* outside = cast<Instruction>(user);
      if (outside->getParent() == &body_) continue;
      if (last || !isa<PHINode>(outside)) return nullptr;
      last = outside;
    }
    while (last && last->hasOneUse()) {
      const auto* addition = dyn_cast<BinaryOperator>(*last->user_begin());
      if (!addition || !isLike(*addition, total)) break;
      last = addition;
    }
    return last;
  }

  /// What else there is computes addresses and ends the loop, and nobody sees it.
  bool hasNoOtherUses() const {
    return none_of(body_, [&](const Instruction& instruction) {
      if (instruction.mayHaveSideEffects()) return true;
      if (any_of(sums_, [&](const Sum& sum) { return is_contained(sum.totals, &instruction); }))
        return false;
      return any_of(instruction.users(), [&](const User* user) {
        return cast<Instruction>(user)->getParent() != &body_;
      });
    });
  }

  bool canExpand() {
    const SCEVExpander expander(evolution_, body_.getDataLayout(), "");
    const Instruction* place = loop_.getLoopPreheader()->getTerminator();
    return expander.isSafeToExpandAt(trips_, place) && all_of(rows_, [&](const Row& row) {
             return expander.isSafeToExpandAt(startOf(row), place);
           });
  }

  /// Where its first element is, for what comes before the loop.
  const SCEV* startOf(const Row& row) {
    Value* address = row.loads.front()->getPointerOperand();
    return cast<SCEVAddRecExpr>(evolution_.getSCEV(address))->getStart();
  }

  bool findTerms(Sum& sum);
  std::optional<int64_t> strideOf(LoadInst& load);
  std::optional<int64_t> stepsBetween(Value* first, Value* other, unsigned& budget);
  void collect(ArrayRef<Value*> terms);
  void rerollLoad(const Row& row, PHINode& index, SCEVExpander& expander);
  void endAt(Value& end, PHINode& index);
  void dropUnused();

  Loop& loop_;
  ScalarEvolution& evolution_;
  BasicBlock& body_;
  const SCEV* trips_ = nullptr;
  uint64_t count_ = 0;  ///< terms of each sum in an iteration
  SmallVector<Sum, 2> sums_;
  SmallVector<Row, 4> rows_;
  SmallVector<SmallVector<Instruction*, 4>, 8> operations_;  ///< alike, of each term
};

/// From term to term, in bytes.
std::optional<int64_t> SumLoop::strideOf(LoadInst& load) {
  if (!load.isSimple() || load.getParent() != &body_) return std::nullopt;
  const auto* address = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(load.getPointerOperand()));
  if (!address || address->getLoop() != &loop_ || !address->isAffine()) return std::nullopt;
  const auto* step = dyn_cast<SCEVConstant>(address->getStepRecurrence(evolution_));
  if (!step || step->getAPInt().getSignificantBits() > 32) return std::nullopt;
  const int64_t bytes = step->getAPInt().getSExtValue();
  const auto count = static_cast<int64_t>(count_);
  return bytes > 0 && bytes % count == 0 ? std::optional(bytes / count) : std::nullopt;
}

/// For values that are the same in all terms.
constexpr int64_t kAnywhere = std::numeric_limits<int64_t>::max();

/// How many terms after `first` the value `other` is the same of another term; nothing if it is
/// another function, or its loads do not agree on that.
std::optional<int64_t> SumLoop::stepsBetween(Value* first, Value* other, unsigned& budget) {
  if (loop_.isLoopInvariant(first)) return first == other ? std::optional(kAnywhere) : std::nullopt;
  auto* one = dyn_cast<Instruction>(first);
  auto* two = dyn_cast<Instruction>(other);
  if (!one || !two || one->getType() != two->getType() || budget == 0) return std::nullopt;
  --budget;
  if (auto* load = dyn_cast<LoadInst>(one)) {
    auto* second = dyn_cast<LoadInst>(two);
    const std::optional<int64_t> stride = strideOf(*load);
    if (!second || !stride || strideOf(*second) != stride) return std::nullopt;
    const auto* distance = dyn_cast<SCEVConstant>(
        evolution_.getMinusSCEV(evolution_.getSCEV(second->getPointerOperand()),
                                evolution_.getSCEV(load->getPointerOperand())));
    if (!distance || distance->getAPInt().getSignificantBits() > 32) return std::nullopt;
    const int64_t bytes = distance->getAPInt().getSExtValue();
    return bytes % *stride == 0 ? std::optional(bytes / *stride) : std::nullopt;
  }
  if (!isElementwise(*one) || !isAlike(*one, *two)) return std::nullopt;
  int64_t steps = kAnywhere;
  for (unsigned i = 0; i < operandCount(*one); ++i) {
    const auto found = stepsBetween(one->getOperand(i), two->getOperand(i), budget);
    if (!found) return std::nullopt;
    if (*found == kAnywhere) continue;
    if (steps != kAnywhere && steps != *found) return std::nullopt;
    steps = *found;
  }
  return steps;
}

/// Whether the terms of `sum` follow each other; then their loads and operations are collected.
bool SumLoop::findTerms(Sum& sum) {
  SmallVector<std::pair<int64_t, Value*>, 4> terms;
  for (Value* term : sum.terms) {
    unsigned budget = kMostInstructionsOfTerm;
    const auto steps = stepsBetween(sum.terms.front(), term, budget);
    if (!steps || *steps == kAnywhere) return false;
    terms.emplace_back(*steps, term);
  }
  sort(terms, less_first());
  for (size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].first != terms.front().first + static_cast<int64_t>(i)) return false;
    sum.terms[i] = terms[i].second;
  }
  collect(sum.terms);
  return true;
}

void SumLoop::collect(ArrayRef<Value*> terms) {
  auto* first = dyn_cast<Instruction>(terms.front());
  if (!first || loop_.isLoopInvariant(first)) return;
  if (isa<LoadInst>(first)) {
    Row row{{}, *strideOf(*cast<LoadInst>(first))};
    for (Value* term : terms) row.loads.push_back(cast<LoadInst>(term));
    rows_.push_back(std::move(row));
    return;
  }
  auto& operations = operations_.emplace_back();
  for (Value* term : terms) operations.push_back(cast<Instruction>(term));
  for (unsigned i = 0; i < operandCount(*first); ++i) {
    SmallVector<Value*, 4> operands;
    for (Value* term : terms) operands.push_back(cast<Instruction>(term)->getOperand(i));
    collect(operands);
  }
}

/// Leaves `made` with what all of its like promise.
void promiseAsAll(Instruction& made, ArrayRef<Instruction*> like) {
  for (const Instruction* each : like) {
    made.andIRFlags(each);
    if (!made.hasSameSubclassOptionalData(each)) made.dropPoisonGeneratingFlags();
  }
  SmallVector<std::pair<unsigned, MDNode*>, 4> facts;
  made.getAllMetadataOtherThanDebugLoc(facts);
  for (const auto& [kind, fact] : facts)
    if (any_of(like, [&](const Instruction* each) { return each->getMetadata(kind) != fact; }))
      made.setMetadata(kind, nullptr);
}

void SumLoop::rerollLoad(const Row& row, PHINode& index, SCEVExpander& expander) {
  LoadInst& load = *row.loads.front();
  Value* start = expander.expandCodeFor(startOf(row), load.getPointerOperandType(),
                                        loop_.getLoopPreheader()->getTerminator());
  IRBuilder<> builder(&load);
  const auto stride = static_cast<uint64_t>(row.stride);
  Type* element = load.getType();
  if (load.getDataLayout().getTypeAllocSize(element) != stride)
    element = ArrayType::get(builder.getInt8Ty(), stride);
  load.setOperand(LoadInst::getPointerOperandIndex(),
                  builder.CreateGEP(element, start, &index, "element"));
  for (LoadInst* other : row.loads) load.setAlignment(std::min(load.getAlign(), other->getAlign()));
  promiseAsAll(load, SmallVector<Instruction*, 4>(row.loads.begin(), row.loads.end()));
}

/// Has the loop end when `index`, the number of the term, is `end`.
void SumLoop::endAt(Value& end, PHINode& index) {
  auto* branch = cast<BranchInst>(body_.getTerminator());
  IRBuilder<> builder(branch);
  Value* next = builder.CreateAdd(&index, builder.getInt64(1), "index.next", true, true);
  branch->setCondition(branch->getSuccessor(0) == &body_ ? builder.CreateICmpNE(next, &end)
                                                         : builder.CreateICmpEQ(next, &end));
  index.addIncoming(builder.getInt64(0), loop_.getLoopPreheader());
  index.addIncoming(next, &body_);
}

void SumLoop::dropUnused() {
  for (Instruction& instruction : make_early_inc_range(reverse(body_)))
    if (isInstructionTriviallyDead(&instruction)) instruction.eraseFromParent();
  DeleteDeadPHIs(&body_);
}

/// Terms are counted by a number of 64 bits, which they cannot exceed: each is at another address.
void SumLoop::reroll() {
  SCEVExpander expander(evolution_, body_.getDataLayout(), "sum");
  Type* const type = Type::getInt64Ty(body_.getContext());
  const SCEV* iterations =
      evolution_.getAddExpr(evolution_.getNoopOrZeroExtend(trips_, type), evolution_.getOne(type));
  Value* end = expander.expandCodeFor(
      evolution_.getMulExpr(iterations, evolution_.getConstant(type, count_)), type,
      loop_.getLoopPreheader()->getTerminator());
  PHINode* index = PHINode::Create(type, 2, "index", body_.begin());
  SmallPtrSet<LoadInst*, 8> done;
  for (const Row& row : rows_)
    if (done.insert(row.loads.front()).second) rerollLoad(row, *index, expander);
  for (const auto& operations : operations_) promiseAsAll(*operations.front(), operations);
  for (const Sum& sum : sums_) {
    const BinaryOperator& total = *sum.totals.front();
    auto* addition = BinaryOperator::Create(total.getOpcode(), sum.variables.front(),
                                            sum.terms.front(), "sum", body_.getTerminator());
    addition->copyIRFlags(&total);
    addition->dropPoisonGeneratingFlags();
    for (const BinaryOperator* each : sum.additions) addition->andIRFlags(each);
    sum.totals.front()->replaceAllUsesWith(addition);
    for (size_t i = 1; i < sum.totals.size(); ++i)
      sum.totals[i]->replaceAllUsesWith(
          sum.variables[i]->getIncomingValueForBlock(loop_.getLoopPreheader()));
  }
  evolution_.forgetLoop(&loop_);
  endAt(*end, *index);
  dropUnused();
}

}  // namespace

PreservedAnalyses RerollSumsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  bool hasChanged = false;
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    SumLoop sums(*loop, analyses.getResult<ScalarEvolutionAnalysis>(function));
    if (!sums.isRerollable()) continue;
    sums.reroll();
    hasChanged = true;
  }
  if (!hasChanged) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace weft::compiler
