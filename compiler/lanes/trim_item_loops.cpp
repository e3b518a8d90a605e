// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/trim_item_loops.h"

#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

#include "ir/item_loop.h"
#include "ir/item_loops.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// A number that is known stays one that is seen to be known.
using FoldingBuilder = IRBuilder<InstSimplifyFolder>;

/// A branch at the start of an iteration that lets the ids below a limit through.
struct Limit {
  BranchInst* branch;
  unsigned inside;  ///< the successor that they go to
  Value* base;      ///< what the index is added to; null for nothing
  Value* limit;     ///< of another integer type than the index, perhaps
  bool isSigned;
};

/// What is added to the index to give `value`, which may be cut to 32 bits: all ids fit.
std::optional<Value*> baseOf(Value* value, const PHINode& index, const Loop& loop) {
  while (isa<TruncInst, SExtInst, ZExtInst>(value)) {
    value = cast<CastInst>(value)->getOperand(0);
    if (value->getType()->getIntegerBitWidth() < 32) return std::nullopt;
  }
  if (value == &index) return nullptr;
  auto* sum = dyn_cast<BinaryOperator>(value);
  if (!sum || sum->getOpcode() != Instruction::Add || sum->getType() != index.getType())
    return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    // Anything else, an argument say, could make the sum wrap.
    Value* base = sum->getOperand(i);
    if (sum->getOperand(1 - i) == &index && isGroupIdOrSize(base) && loop.isLoopInvariant(base))
      return base;
  }
  return std::nullopt;
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
  auto* test = dyn_cast<ICmpInst>(branch->getCondition());
  if (!test || test->isEquality()) return std::nullopt;
  if (hasEffects(header)) return std::nullopt;
  CmpInst::Predicate predicate = test->getPredicate();
  Value* id = test->getOperand(0);
  Value* limit = test->getOperand(1);
  auto base = baseOf(id, *items.index, loop);
  if (!base) {
    std::swap(id, limit);
    predicate = CmpInst::getSwappedPredicate(predicate);
    base = baseOf(id, *items.index, loop);
  }
  if (!base || id->getType()->getIntegerBitWidth() < 32) return std::nullopt;
  const bool isSigned = CmpInst::isSigned(predicate);
  unsigned inside = 0;
  if (predicate == CmpInst::ICMP_UGE || predicate == CmpInst::ICMP_SGE)
    inside = 1;
  else if (predicate != CmpInst::ICMP_ULT && predicate != CmpInst::ICMP_SLT)
    return std::nullopt;
  if (!isOver(branch->getSuccessor(1 - inside), latch)) return std::nullopt;
  return Limit{branch, inside, *base, limit, isSigned};
}

/// How many iterations of the loop have an id below the limit.
Value* countBelow(const Limit& limit, Value* count, FoldingBuilder& builder) {
  Type* type = count->getType();
  Value* wide = limit.isSigned ? builder.CreateSExt(limit.limit, type)
                               : builder.CreateZExt(limit.limit, type);
  Value* base = limit.base ? limit.base : ConstantInt::get(type, 0);
  const Intrinsic::ID greater = limit.isSigned ? Intrinsic::smax : Intrinsic::umax;
  Value* left = builder.CreateSub(builder.CreateBinaryIntrinsic(greater, wide, base), base);
  return builder.CreateBinaryIntrinsic(Intrinsic::umin, left, count);
}

/// Moves `value` out of the loop, with what it is computed from; what cannot be moved stays, and
/// the answer is no.
bool hoist(Value* value, Loop& loop) {
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || !loop.contains(instruction)) return true;
  // The fields of a group can be read at any time.
  const bool isField =
      isa<LoadInst>(instruction) && instruction->hasMetadata(LLVMContext::MD_invariant_load);
  if (isa<PHINode>(instruction) || instruction->mayHaveSideEffects() ||
      (!isField &&
       (instruction->mayReadFromMemory() || !isSafeToSpeculativelyExecute(instruction))))
    return false;
  for (Value* operand : instruction->operands())
    if (!hoist(operand, loop)) return false;
  instruction->moveBefore(loop.getLoopPreheader()->getTerminator());
  return true;
}

/// Whether the loop, which until now always ran, computes nothing any more that others need.
bool hoistWhatOthersUse(Loop& loop) {
  SmallVector<Instruction*> used;
  for (BasicBlock* block : loop.blocks())
    for (Instruction& instruction : *block)
      if (any_of(instruction.users(),
                 [&](const User* user) { return !loop.contains(cast<Instruction>(user)); }))
        used.push_back(&instruction);
  return all_of(used, [&](Instruction* instruction) { return hoist(instruction, loop); });
}

bool trim(Loop& loop) {
  auto items = ItemLoop::recognise(loop);
  if (!items) return false;
  BasicBlock* after = loop.getUniqueExitBlock();
  if (!after->phis().empty()) return false;
  const auto limit = findLimit(*items);
  if (!limit) return false;
  if (!hoistWhatOthersUse(loop) || !hoist(limit->limit, loop)) return false;
  BasicBlock* before = loop.getLoopPreheader();

  BasicBlock* entry =
      BasicBlock::Create(before->getContext(), "items", before->getParent(), loop.getHeader());
  FoldingBuilder builder(before, before->getTerminator()->getIterator(),
                         InstSimplifyFolder(before->getDataLayout()));
  Value* count = countBelow(*limit, items->count, builder);
  builder.CreateCondBr(builder.CreateICmpEQ(count, ConstantInt::get(count->getType(), 0)), after,
                       entry);
  before->getTerminator()->eraseFromParent();
  BranchInst::Create(loop.getHeader(), entry);
  loop.getHeader()->replacePhiUsesWith(before, entry);
  auto* branch = cast<BranchInst>(loop.getLoopLatch()->getTerminator());
  cast<ICmpInst>(branch->getCondition())->replaceUsesOfWith(items->count, count);
  limit->branch->getSuccessor(1 - limit->inside)->removePredecessor(loop.getHeader());
  BranchInst::Create(limit->branch->getSuccessor(limit->inside), limit->branch->getIterator());
  limit->branch->eraseFromParent();
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
