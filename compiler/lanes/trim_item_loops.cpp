// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/trim_item_loops.h"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

#include "ir/item_loop.h"
#include "ir/item_loops.h"
#include "lanes/id_limits.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// A branch at the start of an iteration that lets no ids through but those below a limit.
struct Limit {
  BranchInst* branch;
  bool isTrue;  ///< the test, for those that it lets through
  ICmpInst* test;
  IdLimit ids;
};

/// A limit on ids among all that has to be true, or false, for `condition` to be so.
std::optional<std::pair<ICmpInst*, IdLimit>> limitIn(Value& condition, bool isTrue,
                                                     const ItemLoop& items) {
  if (const auto parts = partsOf(condition, isTrue)) {
    const auto found = limitIn(*parts->first, isTrue, items);
    return found ? found : limitIn(*parts->second, isTrue, items);
  }
  auto* test = dyn_cast<ICmpInst>(&condition);
  const auto ids = test ? IdLimit::of(*test, items, isTrue) : std::nullopt;
  if (!ids || !ids->isBelow()) return std::nullopt;
  return std::pair(test, *ids);
}

/// Whether anybody notices that `block` is not run, by more than the values it computes.
bool hasEffects(const BasicBlock& block) {
  return any_of(block, [](const Instruction& instruction) {
    const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    const bool onlySays = intrinsic && intrinsic->isAssumeLikeIntrinsic();
    return !onlySays && instruction.mayHaveSideEffects();
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

std::optional<Limit> findLimit(const ItemLoop& items) {
  Loop& loop = *items.loop;
  BasicBlock& header = *loop.getHeader();
  BasicBlock& latch = *loop.getLoopLatch();
  auto* branch = dyn_cast<BranchInst>(header.getTerminator());
  if (&header == &latch || !branch || !branch->isConditional()) return std::nullopt;
  if (hasEffects(header)) return std::nullopt;
  for (const unsigned inside : {0u, 1u}) {
    const auto found = limitIn(*branch->getCondition(), /*isTrue=*/inside == 0, items);
    if (found && isOver(branch->getSuccessor(1 - inside), latch))
      return Limit{branch, inside == 0, found->first, found->second};
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

bool trim(Loop& loop) {
  auto items = ItemLoop::recognise(loop);
  if (!items) return false;
  BasicBlock* after = loop.getUniqueExitBlock();
  if (!after->phis().empty()) return false;
  auto limit = findLimit(*items);
  if (!limit) return false;
  if (!hoistWhatOthersUse(loop) || !hoist(limit->ids.limit, loop)) return false;
  BasicBlock* before = loop.getLoopPreheader();

  BasicBlock* entry =
      BasicBlock::Create(before->getContext(), "items", before->getParent(), loop.getHeader());
  FoldingBuilder builder(before, before->getTerminator()->getIterator(),
                         InstSimplifyFolder(before->getDataLayout()));
  // What is asked after something else may be undefined where that does not hold.
  if (limit->branch->getCondition() != limit->test &&
      !isGuaranteedNotToBeUndefOrPoison(limit->ids.limit))
    limit->ids.limit = builder.CreateFreeze(limit->ids.limit);
  Value* count = countBelow(limit->ids, items->count, builder);
  builder.CreateCondBr(builder.CreateICmpEQ(count, ConstantInt::get(count->getType(), 0)), after,
                       entry);
  before->getTerminator()->eraseFromParent();
  BranchInst::Create(loop.getHeader(), entry);
  loop.getHeader()->replacePhiUsesWith(before, entry);
  auto* branch = cast<BranchInst>(loop.getLoopLatch()->getTerminator());
  cast<ICmpInst>(branch->getCondition())->replaceUsesOfWith(items->count, count);
  // All ids are below the limit by now.
  replaceAndRecursivelySimplify(limit->test,
                                ConstantInt::getBool(before->getContext(), limit->isTrue));
  ConstantFoldTerminator(loop.getHeader());
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
