// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/vectorize_items.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

#include "analysis/item_loop.h"
#include "analysis/private_variables.h"
#include "passes/item_loops.h"
#include "passes/names.h"
#include "vectorize/choose_width.h"
#include "vectorize/loop_widener.h"

namespace weft::compiler {
namespace {

using namespace llvm;

bool isSupported(Type* type) {
  if (type->isVoidTy() || type->isLabelTy()) return true;
  if (auto* vector = dyn_cast<FixedVectorType>(type)) return isSupported(vector->getElementType());
  if (auto* aggregate = dyn_cast<StructType>(type))
    return all_of(aggregate->elements(), [](Type* element) {
      return element->isSingleValueType() && isSupported(element);
    });
  return (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) || type->isPointerTy() ||
         type->isHalfTy() || type->isFloatTy() || type->isDoubleTy();
}

/// The variable that holds the work-item, if `pointer` leads to it.
const AllocaInst* itemBehind(const Value* pointer) {
  const auto* variable = dyn_cast<AllocaInst>(pointer->stripInBoundsConstantOffsets());
  return variable && names::isItem(*variable) ? variable : nullptr;
}

/// Whether `instruction` writes the work-item for a call, or is such a call.
bool isItemForCall(const Instruction& instruction) {
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return itemBehind(store->getPointerOperand()) && store->isSimple();
  return isa<CallInst>(instruction);
}

/// Whether what an instruction does with variables of the function that all work-items share is
/// the same for all lanes at once: such a variable may hold the work-item itself.
bool sharesMemorySafely(const Instruction& instruction, const LaneShapes& shapes,
                        const PrivateLayouts& privates) {
  if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst>(instruction)) return true;  // its users
  auto isShared = [&](const Value* pointer) {
    SmallVector<const Value*> objects;
    getUnderlyingObjects(pointer, objects);
    return any_of(objects, [&](const Value* object) {
      const auto* variable = dyn_cast<AllocaInst>(object);
      return variable && !privates.contains(variable) && !ItemLoops::hasCells(*variable);
    });
  };
  for (const Use& use : instruction.operands()) {
    if (!use->getType()->isPointerTy() || !isShared(use.get())) continue;
    if (itemBehind(use.get())) {
      if (!isItemForCall(instruction)) return false;
      continue;
    }
    if (isa<LoadInst>(instruction) && shapes.of(use.get()).isUniform()) continue;
    const auto* store = dyn_cast<StoreInst>(&instruction);
    if (!store || use.getOperandNo() != StoreInst::getPointerOperandIndex() ||
        !shapes.of(use.get()).isUniform() || !shapes.of(store->getValueOperand()).isUniform())
      return false;
  }
  return true;
}

bool isIrreducible(const Loop& loop, const LoopInfo& loops) {
  LoopBlocksRPO blocks(const_cast<Loop*>(&loop));
  blocks.perform(&loops);
  return containsIrreducibleCFG<const BasicBlock*>(blocks, loops);
}

/// Why the loop has to stay as it is; empty when it need not.
std::string objection(const ItemLoop& items, const LaneShapes& shapes,
                      const PrivateLayouts& privates) {
  for (const BasicBlock* block : items.loop->blocks()) {
    if (!isa<BranchInst>(block->getTerminator())) return "a block does not end in a branch";
    for (const Instruction& instruction : *block) {
      if (!shapes.of(&instruction).isUniform() && !isSupported(instruction.getType()))
        return "a value has no vector type";
      if (isa<AllocaInst>(instruction)) return "private memory of variable size";
      if (!sharesMemorySafely(instruction, shapes, privates))
        return "work-items hand their state to a function";
    }
  }
  return "";
}

/// Keeps LLVM from vectorising what already is as wide as it should be, and from unrolling it, or
/// asks for just that.
void markDone(Instruction& turn, bool isShort) {
  LLVMContext& context = turn.getContext();
  auto flag = [&](const char* name) {
    return MDNode::get(context, {MDString::get(context, name)});
  };
  Metadata* one = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), 1));
  MDNode* vectorized =
      MDNode::get(context, {MDString::get(context, "llvm.loop.isvectorized"), one});
  MDNode* loop = MDNode::getDistinct(
      context,
      {nullptr, vectorized, flag(isShort ? "llvm.loop.unroll.full" : "llvm.loop.unroll.disable")});
  loop->replaceOperandWith(0, loop);
  turn.setMetadata(LLVMContext::MD_loop, loop);
}

constexpr uint64_t kRegisterBytes = 16;

class LoopVectorizer {
 public:
  LoopVectorizer(Function& function, const TargetTransformInfo& target,
                 const VectorizeOptions& options, Explanation* explanation)
      : function_(function), target_(target), options_(options), explanation_(explanation) {}

  /// Turns the loop headed by `header`, if it can be.
  void run(BasicBlock& header, AAResults& aliases) {
    DominatorTree dominators(function_);
    LoopInfo loops(dominators);
    const auto items = ItemLoop::recognise(*loops.getLoopFor(&header));
    if (!items) return refuse(*loops.getLoopFor(&header), "the loop has lost its shape");
    if (isIrreducible(*items->loop, loops))
      return refuse(*items->loop, "it has a loop that is entered in several places");
    const PostDominatorTree postDominators(function_);
    PrivateLayouts privates = findPrivateVariables(function_, *items->loop);
    LaneUniformity::Variables variables;
    for (const auto& entry : privates) variables.insert(entry.first);
    const LaneUniformity uniformity(function_, dominators, *items->loop, *items->index, variables);
    const MaskPlan masks(*items->loop, loops, postDominators, uniformity);
    if (!masks.isSound()) return refuse(*items->loop, "a work-item may not come to its end");
    const LaneShapes sketch(*items->loop, *items->index, uniformity, masks, privates, 16,
                            options_.reach);
    if (std::string reason = objection(*items, sketch, privates); !reason.empty())
      return refuse(*items->loop, reason);
    const StridedGroups groups(*items->loop, sketch, aliases);
    const LikelyRows likelyRows(*items->loop, sketch, privates);
    const WidthChoice choice = chooseWidth({*items->loop, loops, sketch, groups, likelyRows,
                                            privates, items->count, masks.maskedBlocks(), target_},
                                           options_.width);
    const unsigned width = choice.width;
    if (choice.isEmpty) return;
    if (width < 2) return refuse(*items->loop, choice.why);
    // Elements that alternate are accessed under masks, of a whole register at least.
    for (auto& entry : privates)
      if (entry.second.elementBytes * width < kRegisterBytes) entry.second.elementBytes = 0;
    const LaneShapes shapes(*items->loop, *items->index, uniformity, masks, privates, width,
                            options_.reach);
    if (explanation_) explanation_->outcome(*items->loop, width, describe(choice));
    const WidenPlan plan{*items->loop, *items->index, uniformity, masks,   shapes, privates,
                         groups,       likelyRows,    loops,      target_, width};
    rewrite(*items, plan, choice.isShort);
  }

 private:
  void refuse(const Loop& loop, const std::string& why) {
    if (explanation_)
      explanation_->outcome(loop, 1, why.empty() ? "not vectorised" : "not vectorised: " + why);
  }
  std::string describe(const WidthChoice& choice) const;
  void rewrite(const ItemLoop& items, const WidenPlan& plan, bool isShort);

  Function& function_;
  const TargetTransformInfo& target_;
  const VectorizeOptions& options_;
  Explanation* explanation_;
};

std::string LoopVectorizer::describe(const WidthChoice& choice) const {
  const unsigned inRegister =
      target_.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue() /
      choice.bits;
  std::string text = "vectorised (" + std::to_string(choice.width) + ")";
  if (choice.width > inRegister)
    text += ", " + std::to_string(choice.width / inRegister) + " registers of " +
            std::to_string(inRegister) + " x " + std::to_string(choice.bits) + " bits at a time";
  return text;
}

/// Replaces the loop by one over full lane groups and a masked turn for what is left.
void LoopVectorizer::rewrite(const ItemLoop& items, const WidenPlan& plan, bool isShort) {
  BasicBlock* before = items.loop->getLoopPreheader();
  BasicBlock* after = items.loop->getUniqueExitBlock();
  BasicBlock* latch = items.loop->getLoopLatch();
  const DataLayout& layout = function_.getParent()->getDataLayout();
  LaneBuilder builder(function_.getContext(), InstSimplifyFolder(layout));
  LaneCode code(builder, plan.width);
  LoopWidener widener(plan, function_, *after, explanation_);
  auto newBlock = [&](const char* name) {
    return BasicBlock::Create(function_.getContext(), name, &function_, after);
  };
  SmallVector<AllocaInst*> results;
  IRBuilder<> entry(&*function_.getEntryBlock().begin());
  for (PHINode& phi : after->phis())
    results.push_back(entry.CreateAlloca(phi.getType(), nullptr, phi.getName()));
  auto keepResults = [&](BasicBlock& done) {
    unsigned i = 0;
    for (PHINode& phi : after->phis()) {
      Value* last = widener.lastValueOf(phi.getIncomingValueForBlock(latch));
      builder.SetInsertPoint(&done);
      builder.CreateStore(last, results[i++]);
    }
    builder.SetInsertPoint(&done);
  };

  builder.SetInsertPoint(before->getTerminator());
  Value* width = builder.getInt64(plan.width);
  // There is at least one work-item.
  const bool isWhole =
      computeKnownBits(items.count, layout).countMinTrailingZeros() >= Log2_32(plan.width);
  Value* full = isWhole ? items.count
                        : builder.CreateAnd(items.count, builder.getInt64(-uint64_t{plan.width}));
  Value* isNone = isWhole ? builder.getFalse() : builder.CreateICmpEQ(full, builder.getInt64(0));
  Value* isAll = builder.CreateICmpEQ(full, items.count);
  BasicBlock* rest = newBlock("lanes.rest");
  Instruction* old = before->getTerminator();
  if (match(isNone, PatternMatch::m_One())) {
    builder.CreateBr(rest);
  } else {
    BasicBlock* groups = newBlock("lanes.groups");
    // A variable: the builder would fold what depends on a phi that is not complete yet.
    AllocaInst* position = entry.CreateAlloca(builder.getInt64Ty(), nullptr, "lanes.first");
    results.push_back(position);
    builder.CreateStore(builder.getInt64(0), position);
    builder.CreateCondBr(isNone, rest, groups);
    builder.SetInsertPoint(groups);
    Value* first = builder.CreateLoad(builder.getInt64Ty(), position, "lanes.first");
    BasicBlock* done = widener.emit(*groups, first, code.fullMask());
    keepResults(*done);
    Value* next = builder.CreateAdd(first, width, "", /*HasNUW=*/true, /*HasNSW=*/true);
    builder.CreateStore(next, position);
    BasicBlock* end = newBlock("lanes.end");
    Instruction* turn = builder.CreateCondBr(builder.CreateICmpEQ(next, full), end, groups);
    markDone(*turn, isShort);
    builder.SetInsertPoint(end);
    builder.CreateCondBr(isAll, after, rest);
  }
  old->eraseFromParent();

  builder.SetInsertPoint(rest);
  if (match(isAll, PatternMatch::m_One())) {
    builder.CreateUnreachable();
  } else {
    Value* active = code.below(builder.CreateSub(items.count, full));
    BasicBlock* done = widener.emit(*rest, full, active);
    keepResults(*done);
    builder.CreateBr(after);
  }

  unsigned i = 0;
  for (PHINode& phi : make_early_inc_range(after->phis())) {
    phi.replaceAllUsesWith(
        new LoadInst(phi.getType(), results[i++], "", after->getFirstInsertionPt()));
    phi.eraseFromParent();
  }
  EliminateUnreachableBlocks(function_);
  append_range(results, widener.variables());
  LoopWidener::promote(function_, results);
}

}  // namespace

PreservedAnalyses VectorizeItemsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  const TargetTransformInfo& target = analyses.getResult<TargetIRAnalysis>(function);
  // The loops are found again one by one, each in what the others have become.
  SmallVector<WeakVH> headers;
  {
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    for (Loop* loop : loops.getLoopsInPreorder())
      if (ItemLoops::isItemLoop(*loop)) headers.emplace_back(loop->getHeader());
  }
  if (headers.empty()) return PreservedAnalyses::all();
  LoopVectorizer vectorizer(function, target, options_, explanation_);
  for (WeakVH& header : headers) {
    auto* block = cast_or_null<BasicBlock>(static_cast<Value*>(header));
    if (!block) continue;
    vectorizer.run(*block, analyses.getResult<AAManager>(function));
    analyses.invalidate(function, PreservedAnalyses::none());
  }
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
