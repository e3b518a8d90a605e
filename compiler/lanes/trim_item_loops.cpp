// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/trim_item_loops.h"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

#include "base/tuning.h"
#include "ir/item_loop.h"
#include "ir/item_loops.h"
#include "ir/names.h"
#include "lanes/id_limits.h"
#include "lanes/item_table.h"

namespace weft::compiler {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

/// Ids are below it.
constexpr uint64_t kMostStep = uint64_t{1} << 31;

/// All items of a loop that pass a test: those below a limit, each `step`th from `first` on, or
/// `halves` of them after each as many that do not.
struct Visited {
  ICmpInst* test;
  std::optional<IdLimit> limit;
  uint64_t step = 1, first = 0;
  uint64_t halves = 0;
};

/// The items that a branch at the start of an iteration lets through.
struct Condition {
  BranchInst* branch;
  bool isTrue;  ///< the test, for those that it lets through
  Visited visited;
};

std::optional<Visited> limitOf(ICmpInst& test, bool isTrue, const ItemLoop& items) {
  auto ids = IdLimit::of(test, items, isTrue);
  if (!ids) ids = IdLimit::ofMultiple(test, items, isTrue);
  if (!ids || !ids->isBelow()) return std::nullopt;
  return Visited{&test, ids};
}

bool onlySays(const Instruction& instruction) {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->isAssumeLikeIntrinsic();
}

/// Whether lanes that have nothing to do are worth lanes that are apart. Local memory of a thread's
/// own is loaded and stored as it lies; other stores go element by element, so that there have to
/// be fewer of them than registers of lanes.
bool paysToStep(const Loop& loop, uint64_t step) {
  if (step >= tuning::kLeastStep) return true;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      const Value* pointer = getLoadStorePointerOperand(&instruction);
      const bool isLocal = pointer && pointer->getType()->getPointerAddressSpace() == names::kLocal;
      if (instruction.mayReadOrWriteMemory() && !isLocal && !onlySays(instruction) &&
          !instruction.hasMetadata(LLVMContext::MD_invariant_load))
        return false;
    }
  return true;
}

std::optional<Visited> stepOf(ICmpInst& test, bool isTrue, const ItemLoop& items) {
  const auto wanted = isTrue ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE;
  const APInt *rest = nullptr, *divisor = nullptr;
  Value* id = nullptr;
  if (test.getPredicate() != wanted || !match(test.getOperand(1), m_APInt(rest)))
    return std::nullopt;
  uint64_t step = 0;
  if (match(test.getOperand(0), m_And(m_Value(id), m_LowBitMask(divisor))))
    step = divisor->getLimitedValue(kMostStep) + 1;
  else if (match(test.getOperand(0), m_URem(m_Value(id), m_APInt(divisor))) ||
           (match(test.getOperand(0), m_SRem(m_Value(id), m_APInt(divisor))) &&
            divisor->isStrictlyPositive()))
    step = divisor->getLimitedValue(kMostStep);
  if (step < 2 || step >= kMostStep || rest->uge(step) || !paysToStep(*items.loop, step))
    return std::nullopt;
  const auto multiple = IdMultiple::of(*id, items);
  if (!multiple || multiple->factor != 1 || multiple->offset < 0) return std::nullopt;
  const uint64_t before = static_cast<uint64_t>(multiple->offset) % step;
  return Visited{&test, std::nullopt, step, (rest->getZExtValue() + step - before) % step};
}

/// Whether they are those whose ids lack a bit, as `(lid ^ s) > lid` says of a power of two: the
/// first s of each 2 s.
std::optional<Visited> halvesOf(ICmpInst& test, bool isTrue, const ItemLoop& items) {
  if (!ItemTable::isPossible(items) || !paysToStep(*items.loop, 2)) return std::nullopt;
  const auto passing = ItemTable(items).thatPass(test, isTrue);
  if (!passing || passing->empty() ||
      2 * passing->size() != cast<ConstantInt>(items.count)->getZExtValue())
    return std::nullopt;
  uint64_t run = 1;
  while (run < passing->size() && (*passing)[run] == run) ++run;
  if (!isPowerOf2_64(run) || run == passing->size() || passing->size() % run != 0)
    return std::nullopt;
  for (uint64_t i = 0; i < passing->size(); ++i)
    if ((*passing)[i] != 2 * i - i % run) return std::nullopt;
  return Visited{&test, std::nullopt, 1, 0, run};
}

/// A test on ids among all that has to be true, or false, for `condition` to be so.
std::optional<Visited> visitedBy(Value& condition, bool isTrue, const ItemLoop& items) {
  if (const auto parts = partsOf(condition, isTrue)) {
    const auto found = visitedBy(*parts->first, isTrue, items);
    return found ? found : visitedBy(*parts->second, isTrue, items);
  }
  auto* test = dyn_cast<ICmpInst>(&condition);
  if (!test) return std::nullopt;
  // Lanes that are sub-groups have their work-items side by side.
  if (!items.index->getFunction()->hasFnAttribute(names::kSubGroupLanesAttribute)) {
    if (const auto step = stepOf(*test, isTrue, items)) return step;
    // What is computed of the id is no limit for it, though it is compared with it.
    if (const auto halves = halvesOf(*test, isTrue, items)) return halves;
  }
  return limitOf(*test, isTrue, items);
}

/// Whether anybody notices that `block` is not run, by more than the values it computes.
bool hasEffects(const BasicBlock& block) {
  return any_of(block, [](const Instruction& instruction) {
    return !onlySays(instruction) && instruction.mayHaveSideEffects();
  });
}

/// Whether an iteration that goes to `block` has nothing more to do. What follows the condition may
/// have been merged into the latch.
bool isOver(const BasicBlock* block, const BasicBlock& latch) {
  while (block != &latch) {
    if (block->sizeWithoutDebug() != 1 || !block->getSingleSuccessor()) return false;
    block = block->getSingleSuccessor();
  }
  return latch.phis().empty() && !hasEffects(latch);
}

std::optional<Condition> findCondition(const ItemLoop& items) {
  Loop& loop = *items.loop;
  BasicBlock& header = *loop.getHeader();
  BasicBlock& latch = *loop.getLoopLatch();
  auto* branch = dyn_cast<BranchInst>(header.getTerminator());
  if (&header == &latch || !branch || !branch->isConditional()) return std::nullopt;
  if (hasEffects(header)) return std::nullopt;
  for (const unsigned inside : {0u, 1u}) {
    const auto found = visitedBy(*branch->getCondition(), /*isTrue=*/inside == 0, items);
    if (found && isOver(branch->getSuccessor(1 - inside), latch))
      return Condition{branch, inside == 0, *found};
  }
  return std::nullopt;
}

/// How many iterations of the loop have an id below the limit.
Value* countBelow(const IdLimit& limit, Value* count, FoldingBuilder& builder) {
  Type* type = count->getType();
  Value* wide = limit.wideLimit(builder, type);
  Value* base = limit.base ? limit.base : ConstantInt::get(type, 0);
  const Intrinsic::ID greater = limit.isSigned() ? Intrinsic::smax : Intrinsic::umax;
  Value* left = builder.CreateSub(builder.CreateBinaryIntrinsic(greater, wide, base), base);
  return builder.CreateBinaryIntrinsic(Intrinsic::umin, left, count);
}

/// How many there are of every `step`th one, or of halves.
Value* countSteps(const Visited& visited, Value* count, FoldingBuilder& builder) {
  if (visited.halves != 0) return builder.CreateLShr(count, uint64_t{1});
  Value* more = builder.CreateAdd(
      count, ConstantInt::get(count->getType(), visited.step - 1 - visited.first));
  return builder.CreateUDiv(more, ConstantInt::get(count->getType(), visited.step));
}

/// Has the index count the items that are visited: its users get theirs.
void stretch(const ItemLoop& items, const Visited& visited) {
  const SmallVector<Use*> uses = usesOfIndex(*items.index, *items.loop->getLoopLatch());
  IRBuilder<> builder(&*items.loop->getHeader()->getFirstInsertionPt());
  Type* type = items.index->getType();
  Value* id = nullptr;
  if (visited.halves != 0) {
    Value* twice =
        builder.CreateShl(items.index, uint64_t{1}, "", /*HasNUW=*/true, /*HasNSW=*/true);
    Value* inHalf = builder.CreateAnd(items.index, visited.halves - 1);
    id = builder.CreateSub(twice, inHalf, "", /*HasNUW=*/true, /*HasNSW=*/true);
  } else {
    Value* scaled = builder.CreateMul(items.index, ConstantInt::get(type, visited.step), "",
                                      /*HasNUW=*/true, /*HasNSW=*/true);
    id = builder.CreateAdd(scaled, ConstantInt::get(type, visited.first), "", /*HasNUW=*/true,
                           /*HasNSW=*/true);
  }
  for (Use* use : uses) use->set(id);
}

bool trim(Loop& loop) {
  auto items = ItemLoop::recognise(loop);
  if (!items) return false;
  BasicBlock* after = loop.getUniqueExitBlock();
  if (!after->phis().empty()) return false;
  auto condition = findCondition(*items);
  if (!condition) return false;
  Visited& visited = condition->visited;
  if (!hoistWhatOthersUse(loop)) return false;
  if (visited.limit && !hoist(visited.limit->limit, loop)) return false;
  BasicBlock* before = loop.getLoopPreheader();

  BasicBlock* entry =
      BasicBlock::Create(before->getContext(), "items", before->getParent(), loop.getHeader());
  FoldingBuilder builder(before, before->getTerminator()->getIterator(),
                         InstSimplifyFolder(before->getDataLayout()));
  // What is asked after something else may be undefined where that does not hold.
  if (visited.limit && condition->branch->getCondition() != visited.test &&
      !isGuaranteedNotToBeUndefOrPoison(visited.limit->limit))
    visited.limit->limit = builder.CreateFreeze(visited.limit->limit);
  Value* count = visited.limit ? countBelow(*visited.limit, items->count, builder)
                               : countSteps(visited, items->count, builder);
  builder.CreateCondBr(builder.CreateICmpEQ(count, ConstantInt::get(count->getType(), 0)), after,
                       entry);
  before->getTerminator()->eraseFromParent();
  BranchInst::Create(loop.getHeader(), entry);
  loop.getHeader()->replacePhiUsesWith(before, entry);
  auto* branch = cast<BranchInst>(loop.getLoopLatch()->getTerminator());
  cast<ICmpInst>(branch->getCondition())->replaceUsesOfWith(items->count, count);
  // All ids that are visited pass.
  replaceAndRecursivelySimplify(visited.test,
                                ConstantInt::getBool(before->getContext(), condition->isTrue));
  ConstantFoldTerminator(loop.getHeader());
  if (visited.step > 1 || visited.halves != 0) stretch(*items, visited);
  return true;
}

}  // namespace

PreservedAnalyses TrimItemLoopsPass::run(Function& function, FunctionAnalysisManager&) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  bool changed = false;
  for (Loop* loop : loops.getLoopsInPreorder())
    if (ItemLoops::isItemLoop(*loop)) changed |= trim(*loop);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
