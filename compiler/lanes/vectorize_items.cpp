// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/vectorize_items.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <optional>

#include "analysis/private_variables.h"
#include "analysis/waiting_loops.h"
#include "ir/barriers.h"
#include "ir/item_loop.h"
#include "ir/item_loops.h"
#include "ir/loop_marks.h"
#include "ir/names.h"
#include "ir/sub_groups.h"
#include "lanes/choose_width.h"
#include "lanes/join_scalars.h"
#include "lanes/loop_widener.h"

namespace weft::compiler {
namespace {

using namespace llvm;

bool isSupported(Type* type) {
  if (type->isVoidTy() || type->isLabelTy()) return true;
  if (auto* vector = dyn_cast<FixedVectorType>(type)) return isSupported(vector->getElementType());
  if (auto* aggregate = dyn_cast<StructType>(type))
    return all_of(aggregate->elements(), [](Type* element) {
      return element->isSingleValueType() && !element->isVectorTy() && isSupported(element);
    });
  return (type->isIntegerTy() && type->getIntegerBitWidth() <= 128) || type->isPointerTy() ||
         type->isHalfTy() || type->isFloatTy() || type->isDoubleTy();
}

/// Whether lanes access integers of more than 64 bits, which copies of structures may be: only
/// products have vectors of these.
bool isWideAccess(const Instruction& instruction, const LaneShapes& shapes) {
  const auto* store = dyn_cast<StoreInst>(&instruction);
  const Value* value = store ? store->getValueOperand() : &instruction;
  return (store || isa<LoadInst>(instruction)) && !shapes.of(value).isUniform() &&
         value->getType()->getScalarSizeInBits() > 64;
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
      if (isWideAccess(instruction, shapes)) return "an access has no vector type";
      if (isa<AllocaInst>(instruction)) return "private memory of variable size";
      if (!sharesMemorySafely(instruction, shapes, privates))
        return "work-items hand their state to a function";
    }
  }
  return "";
}

/// Why a loop over the work-items of a fiber has to have one iteration for one of them.
std::string objectionToLanes(const Loop& loop) {
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block)
      if (const auto* call = dyn_cast<CallBase>(&instruction);
          call && call->isConvergent() && !isBarrier(*call) && !subGroupOperation(*call))
        return "a function that is not inlined reaches a barrier";
  return "";
}

bool hasSubGroups(const Loop& loop) {
  return any_of(loop.blocks(), [](const BasicBlock* block) {
    return any_of(*block, [](const Instruction& instruction) {
      return subGroupOperation(instruction).has_value();
    });
  });
}

/// Whether `value` is the number of lanes that nobody knows yet.
bool isLaneCount(const Value* value) {
  const auto* call = dyn_cast<CallInst>(value);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == names::kLaneCount;
}

/// Settles what is left of the loop over the work-items of a fiber, now that it is lanes or is not.
void settleLaneGroup(Function& function) {
  unsigned lanes = 1;
  function.getFnAttribute(names::kLanesAttribute).getValueAsString().getAsInteger(10, lanes);
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (!isLaneCount(&instruction)) continue;
    instruction.replaceAllUsesWith(ConstantInt::get(instruction.getType(), lanes));
    instruction.eraseFromParent();
  }
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Loop* loop : loops.getLoopsInPreorder())
    if (ItemLoops::isLaneGroup(*loop)) {
      runOnce(*loop);
      break;  // there is one
    }
}

/// Keeps LLVM from vectorising what already is as wide as it should be, and from unrolling it, or
/// asks for just that; and says how many lane groups should run at once.
void markDone(Instruction& branch, bool isShort, unsigned groupsAtOnce) {
  LLVMContext& context = branch.getContext();
  SmallVector<Metadata*> facts{
      loopFact(context, kVectorizedLoop, 1),
      loopFact(context, isShort ? "llvm.loop.unroll.full" : "llvm.loop.unroll.disable")};
  if (groupsAtOnce > 1) facts.push_back(loopFact(context, kGroupsAtOnce, groupsAtOnce));
  nameLoop(branch, facts);
}

constexpr uint64_t kRegisterBytes = 16;

/// Writes the new code, and keeps what the block behind the loop wants of it.
class Results {
 public:
  Results(Function& function, const WidenPlan& plan, const ItemLoop& items,
          Explanation* explanation)
      : builder(function.getContext(), InstSimplifyFolder(function.getParent()->getDataLayout())),
        function_(function),
        latch_(*items.loop->getLoopLatch()),
        after_(*items.loop->getUniqueExitBlock()),
        widener_(plan, function, after_, explanation) {
    for (PHINode& phi : after_.phis())
      results_.push_back(makeVariable(phi.getType(), phi.getName()));
  }

  LaneBuilder builder;

  BasicBlock& after() { return after_; }
  BasicBlock* newBlock(const char* name) { return newLaneBlock(name, after_); }
  AllocaInst* makeVariable(Type* type, const Twine& name) {
    IRBuilder<> entry(&*function_.getEntryBlock().begin());
    variables_.push_back(entry.CreateAlloca(type, nullptr, name));
    return variables_.back();
  }
  /// One iteration in `block`; goes on where the builder is then.
  void emitIteration(BasicBlock& block, Value* first, Value* active) {
    BasicBlock* done = widener_.emit(block, first, active);
    unsigned i = 0;
    for (PHINode& phi : after_.phis()) {
      Value* last = widener_.lastValueOf(phi.getIncomingValueForBlock(&latch_));
      builder.SetInsertPoint(done);
      builder.CreateStore(last, results_[i++]);
    }
    builder.SetInsertPoint(done);
  }
  /// Pre: nothing leads to the old loop any more.
  void finish() {
    unsigned i = 0;
    for (PHINode& phi : make_early_inc_range(after_.phis())) {
      phi.replaceAllUsesWith(
          new LoadInst(phi.getType(), results_[i++], "", after_.getFirstInsertionPt()));
      phi.eraseFromParent();
    }
    finishLaneBlocks(function_);
    EliminateUnreachableBlocks(function_);
    widener_.promote(function_, variables_);
  }

 private:
  Function& function_;
  BasicBlock& latch_;
  BasicBlock& after_;
  LoopWidener widener_;
  SmallVector<AllocaInst*> results_;
  SmallVector<AllocaInst*> variables_;
};

class LoopVectorizer {
 public:
  LoopVectorizer(Function& function, const TargetTransformInfo& target,
                 const VectorizeOptions& options, Explanation* explanation)
      : function_(function), target_(target), options_(options), explanation_(explanation) {}

  /// Turns the loop headed by `header`, if it can be. Returns whether it has only been made ready
  /// for that, and has to be looked at again.
  bool run(BasicBlock& header, AAResults& aliases) {
    DominatorTree dominators(function_);
    LoopInfo loops(dominators);
    const auto items = ItemLoop::recognise(*loops.getLoopFor(&header));
    if (!items) return refuse(*loops.getLoopFor(&header), "the loop has lost its shape");
    const bool isLaneGroup = ItemLoops::isLaneGroup(*items->loop);
    if (isLaneGroup)
      if (std::string reason = objectionToLanes(*items->loop); !reason.empty())
        return refuse(*items->loop, reason);
    // Where lanes are sub-groups, and no fibers, this was asked before the form was chosen.
    if (isLaneGroup || !hasSubGroups(*items->loop))
      if (const Instruction* wait = findWait(*items->loop, dominators))
        return refuse(*items->loop, "work-items may wait for each other by what is read" +
                                        Explanation::at(*wait));
    if (isIrreducible(*items->loop, loops))
      return refuse(*items->loop, "it has a loop that is entered in several places");
    const PostDominatorTree postDominators(function_);
    PrivateLayouts privates = findPrivateVariables(function_, *items->loop);
    LaneUniformity::Variables variables;
    for (const auto& entry : privates) variables.insert(entry.first);
    const LaneUniformity uniformity(function_, dominators, *items->loop, *items->index, variables);
    const MaskPlan masks(*items->loop, loops, postDominators, uniformity);
    if (!masks.isSound()) return refuse(*items->loop, "a work-item may not come to its end");
    const LaneShapes sketch(*items->loop, *items->index, uniformity, masks, privates, 16);
    if (std::string reason = objection(*items, sketch, privates); !reason.empty())
      return refuse(*items->loop, reason);
    const StridedGroups groups(*items->loop, sketch, aliases);
    const LikelyRows likelyRows(*items->loop, sketch, privates);
    const JoinedVectors joined(*items->loop, sketch, groups);
    const LaneBlocks blocks(*items, uniformity, masks, privates, sketch, aliases);
    const StridedGroups groupsApart(*items->loop, sketch, aliases, [&](const Instruction& access) {
      const Value* pointer = getLoadStorePointerOperand(&access);
      return sketch.isAnywhere(pointer) && !joined.contains(access) &&
             !likelyRows.contains(access) && !blocks.of(access, tuning::kMostLanes) &&
             !blocks.groupOf(access, tuning::kMostLanes);
    });
    const WidthChoice choice =
        chooseWidth({*items->loop, loops, sketch, groups, groupsApart, likelyRows, joined, blocks,
                     privates, items->count, isLaneGroup, hasSubGroups(*items->loop),
                     isLaneGroup ? options_.rowItems : 0, target_},
                    options_.width);
    const unsigned width = choice.width;
    if (choice.isEmpty) return false;
    if (width < 2) {
      if (!choice.isForLlvm) addStringMetadataToLoop(items->loop, "llvm.loop.vectorize.enable", 0);
      return refuse(*items->loop, choice.why);
    }
    if (joinScalars(*items->loop, sketch, groups)) return true;
    assert(isPowerOf2_32(width) && width <= 64 && "masks and counts are made of bits");
    // Elements that alternate are accessed under masks, of a whole register at least.
    for (auto& entry : privates)
      if (entry.second.elementBytes * width < kRegisterBytes) entry.second.elementBytes = 0;
    const LaneShapes shapes(*items->loop, *items->index, uniformity, masks, privates, width);
    if (explanation_) explanation_->outcome(*items->loop, width, describe(choice));
    const WidenPlan plan{*items->loop, *items->index, uniformity, masks,  shapes, privates, groups,
                         groupsApart,  likelyRows,    joined,     blocks, loops,  target_,  width};
    rewrite(*items, plan, choice);
    if (isLaneGroup) function_.addFnAttr(names::kLanesAttribute, std::to_string(width));
    return false;
  }

 private:
  /// False, which is what run() returns then.
  bool refuse(const Loop& loop, const std::string& why) {
    if (explanation_)
      explanation_->outcome(loop, 1, why.empty() ? "not vectorised" : "not vectorised: " + why);
    if (hasSubGroups(loop)) function_.addFnAttr(names::kNoSubGroupLanesAttribute, why);
    return false;
  }
  std::string describe(const WidthChoice& choice) const;
  void rewrite(const ItemLoop& items, const WidenPlan& plan, const WidthChoice& choice);
  void writeLoop(const ItemLoop& items, const WidenPlan& plan, const WidthChoice& choice,
                 Results& results);
  void writeLaneGroup(const ItemLoop& items, const WidenPlan& plan, Results& results);
  bool fillsLanes(const ItemLoop& items, unsigned width) const;

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
  if (choice.groupsAtOnce > 1)
    text += ", up to " + std::to_string(choice.groupsAtOnce) + " lane groups at once";
  return text;
}

void LoopVectorizer::rewrite(const ItemLoop& items, const WidenPlan& plan,
                             const WidthChoice& choice) {
  Results results(function_, plan, items, explanation_);
  Instruction* old = items.loop->getLoopPreheader()->getTerminator();
  results.builder.SetInsertPoint(old);
  if (ItemLoops::isLaneGroup(*items.loop))
    writeLaneGroup(items, plan, results);
  else
    writeLoop(items, plan, choice, results);
  old->eraseFromParent();
  results.finish();
}

/// A loop over full lane groups, and a masked iteration for what is left.
void LoopVectorizer::writeLoop(const ItemLoop& items, const WidenPlan& plan,
                               const WidthChoice& choice, Results& results) {
  LaneBuilder& builder = results.builder;
  LaneCode code(builder, plan.width);
  BasicBlock* after = &results.after();
  Value* width = builder.getInt64(plan.width);
  // There is at least one work-item.
  const bool isWhole =
      computeKnownBits(items.count, function_.getDataLayout()).countMinTrailingZeros() >=
      Log2_32(plan.width);
  Value* full = isWhole ? items.count
                        : builder.CreateAnd(items.count, builder.getInt64(-uint64_t{plan.width}));
  Value* isNone = isWhole ? builder.getFalse() : builder.CreateICmpEQ(full, builder.getInt64(0));
  Value* isAll = builder.CreateICmpEQ(full, items.count);
  BasicBlock* rest = results.newBlock("lanes.rest");
  if (match(isNone, PatternMatch::m_One())) {
    builder.CreateBr(rest);
  } else {
    BasicBlock* groups = results.newBlock("lanes.groups");
    // A variable: the builder would fold what depends on a phi that is not complete yet.
    AllocaInst* position = results.makeVariable(builder.getInt64Ty(), "lanes.first");
    builder.CreateStore(builder.getInt64(0), position);
    builder.CreateCondBr(isNone, rest, groups);
    builder.SetInsertPoint(groups);
    Value* first = builder.CreateLoad(builder.getInt64Ty(), position, "lanes.first");
    results.emitIteration(*groups, first, code.fullMask());
    Value* next = builder.CreateAdd(first, width, "", /*HasNUW=*/true, /*HasNSW=*/true);
    builder.CreateStore(next, position);
    BasicBlock* end = results.newBlock("lanes.end");
    Instruction* branch = builder.CreateCondBr(builder.CreateICmpEQ(next, full), end, groups);
    markDone(*branch, choice.isShort, choice.groupsAtOnce);
    builder.SetInsertPoint(end);
    builder.CreateCondBr(isAll, after, rest);
  }

  builder.SetInsertPoint(rest);
  if (match(isAll, PatternMatch::m_One())) {
    builder.CreateUnreachable();
  } else {
    Value* active = code.below(builder.CreateSub(items.count, full));
    results.emitIteration(*rest, full, active);
    builder.CreateBr(after);
  }
}

/// Whether no lane group has less work-items than lanes: rows are multiples of their number, and
/// the kernel has not cut the loop short.
bool LoopVectorizer::fillsLanes(const ItemLoop& items, unsigned width) const {
  const bool suits =
      options_.wholeRows || (options_.rowItems != 0 && options_.rowItems % width == 0);
  const auto* count = dyn_cast<IntrinsicInst>(items.count);
  if (!suits || !count || count->getIntrinsicID() != Intrinsic::umin) return false;
  const auto* left = dyn_cast<BinaryOperator>(count->getArgOperand(0));
  return left && left->getOpcode() == Instruction::Sub && isGroupIdOrSize(left->getOperand(1)) &&
         isLaneCount(count->getArgOperand(1));
}

/// One iteration for a full lane group or a masked one for the end of a row.
void LoopVectorizer::writeLaneGroup(const ItemLoop& items, const WidenPlan& plan,
                                    Results& results) {
  LaneBuilder& builder = results.builder;
  LaneCode code(builder, plan.width);
  BasicBlock* full = results.newBlock("lanes.group");
  if (fillsLanes(items, plan.width)) {
    builder.CreateBr(full);
  } else {
    BasicBlock* rest = results.newBlock("lanes.rest");
    Value* isFull = builder.CreateICmpUGE(items.count, builder.getInt64(plan.width));
    builder.CreateCondBr(isFull, full, rest);
    builder.SetInsertPoint(rest);
    results.emitIteration(*rest, builder.getInt64(0), code.below(items.count));
    builder.CreateBr(&results.after());
  }
  builder.SetInsertPoint(full);
  results.emitIteration(*full, builder.getInt64(0), code.fullMask());
  builder.CreateBr(&results.after());
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
  const bool isLaneGroup = function.hasFnAttribute(names::kLanesAttribute);
  if (headers.empty() && !isLaneGroup) return PreservedAnalyses::all();
  LoopVectorizer vectorizer(function, target, options_, explanation_);
  for (WeakVH& header : headers) {
    auto* block = cast_or_null<BasicBlock>(static_cast<Value*>(header));
    if (!block) continue;
    bool isAgain = true;
    while (isAgain) {
      isAgain = vectorizer.run(*block, analyses.getResult<AAManager>(function));
      analyses.invalidate(function, PreservedAnalyses::none());
    }
  }
  if (isLaneGroup) settleLaneGroup(function);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
