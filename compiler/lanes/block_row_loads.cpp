// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/block_row_loads.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "base/tuning.h"
#include "ir/item_loops.h"
#include "ir/names.h"
#include "lanes/counted_loop.h"
#include "lanes/inner_loads.h"
#include "lanes/lane_code.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Whether `number` is the same for all work-items.
bool isUniform(const SCEV& number, const Loop& items) {
  return !SCEVExprContains(&number, [&](const SCEV* part) {
    if (const auto* steps = dyn_cast<SCEVAddRecExpr>(part)) return steps->getLoop() == &items;
    const auto* unknown = dyn_cast<SCEVUnknown>(part);
    const auto* value = unknown ? dyn_cast<Instruction>(unknown->getValue()) : nullptr;
    return value && items.contains(value);
  });
}

/// Whether work-items side by side may have one place in common, where ids have been divided: that
/// is for lanes to find out, which read it once.
bool isInBlocks(const SCEV& place, const Loop& items) {
  return SCEVExprContains(&place, [&](const SCEV* part) {
    if (isa<SCEVUDivExpr>(part)) return !isUniform(*part, items);
    const auto* unknown = dyn_cast<SCEVUnknown>(part);
    return unknown && !isa<LoadInst>(unknown->getValue()) && !isUniform(*part, items);
  });
}

/// An inner loop of a work-item, and what it reads along rows.
class RowLoop {
 public:
  RowLoop(Loop& loop, const Loop& items, LoopAnalyses& analyses)
      : loop_(loop), items_(items), analyses_(analyses), evolution_(analyses.evolution) {}

  bool find() {
    const BasicBlock* latch = loop_.getLoopLatch();
    if (!loop_.isLoopSimplifyForm() || loop_.getExitingBlock() != latch || !isLong()) return false;
    size_t size = 0;
    for (BasicBlock* block : loop_.blocks()) {
      size += block->sizeWithoutDebug();
      for (Instruction& instruction : *block) {
        if (instruction.mayHaveSideEffects()) return false;
        auto* load = dyn_cast<LoadInst>(&instruction);
        if (load && isAlongRow(*load) && analyses_.dominators.dominates(block, latch))
          rows_.push_back(load);
      }
    }
    return !rows_.empty() && size <= tuning::kBlockedBody * rows_.size() && !isRowInVectors(loop_);
  }

  /// Whether the loop has been changed.
  bool apply(const TargetTransformInfo& target) {
    Function& function = *loop_.getHeader()->getParent();
    const unsigned mark = function.getContext().getMDKindID("weft.row");
    for (LoadInst* row : rows_) {
      MDNode* name = MDNode::getDistinct(function.getContext(), {});
      if (stepOf(*row).isNegative()) downwards_.insert(name);
      giveBase(*row);
      row->setMetadata(mark, name);
    }
    UnrollLoopOptions options{};
    options.Count = tuning::kBlockOfRow;
    options.Runtime = !isMultiple();
    options.AllowExpensiveTripCount = true;
    OptimizationRemarkEmitter remarks(&function);
    const LoopUnrollResult result =
        UnrollLoop(&loop_, options, &analyses_.loops, &evolution_, &analyses_.dominators,
                   &analyses_.assumptions, &target, &remarks, /*PreserveLCSSA=*/true);
    joinRows(function, mark);
    return result != LoopUnrollResult::Unmodified;
  }

 private:
  /// Whether there is a block to read, as far as the number of iterations is known. A loop that
  /// never has more than a block, but may have less, would be unrolled with its exits.
  bool isLong() const {
    if (isa<SCEVCouldNotCompute>(evolution_.getBackedgeTakenCount(&loop_))) return false;
    const unsigned known = evolution_.getSmallConstantTripCount(&loop_);
    if (known != 0) return known >= tuning::kBlockOfRow;
    const unsigned most = evolution_.getSmallConstantMaxTripCount(&loop_);
    return most == 0 || most > tuning::kBlockOfRow;
  }

  bool isMultiple() const {
    return evolution_.getSmallConstantTripMultiple(&loop_) % tuning::kBlockOfRow == 0;
  }

  /// Null unless it grows by as many bytes in each iteration.
  const SCEVAddRecExpr* addressOf(const LoadInst& load) const {
    const auto* address =
        dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(const_cast<Value*>(load.getPointerOperand())));
    return address && address->getLoop() == &loop_ && address->isAffine() &&
                   isa<SCEVConstant>(address->getStepRecurrence(evolution_))
               ? address
               : nullptr;
  }

  const APInt& stepOf(const LoadInst& row) const {
    return cast<SCEVConstant>(addressOf(row)->getStepRecurrence(evolution_))->getAPInt();
  }

  bool isAlongRow(const LoadInst& load) const {
    if (!load.isSimple() || !isLaneElement(*load.getType()) ||
        load.getPointerAddressSpace() == names::kPrivate)
      return false;
    const uint64_t bytes = load.getDataLayout().getTypeStoreSize(load.getType());
    const SCEVAddRecExpr* address = addressOf(load);
    if (!address || stepOf(load).abs() != bytes || !isFromCounters(*load.getPointerOperand()))
      return false;
    const SCEV& first = *address->getStart();
    if (isUniform(first, items_) || isInBlocks(first, items_)) return false;
    // Of rows that overlap, or nearly so, lanes read what lies side by side.
    const auto* rows = dyn_cast<SCEVAddRecExpr>(&first);
    const auto* apart = rows && rows->getLoop() == &items_
                            ? dyn_cast<SCEVConstant>(rows->getStepRecurrence(evolution_))
                            : nullptr;
    return !apart || apart->getAPInt().abs().ugt(tuning::kBlockOfRow * bytes);
  }

  /// Has the address of `row` be a pointer that does not change in the loop, and an offset that is
  /// the same for all work-items: lanes take pointers out of their vectors once.
  void giveBase(LoadInst& row) {
    Type* index = row.getDataLayout().getIndexType(row.getPointerOperandType());
    const SCEV* offset = evolution_.getAddRecExpr(evolution_.getZero(index),
                                                  addressOf(row)->getStepRecurrence(evolution_),
                                                  &loop_, SCEV::FlagAnyWrap);
    SCEVExpander expander(evolution_, row.getDataLayout(), "row");
    Value* after = expander.expandCodeFor(offset, index, &row);
    IRBuilder<> builder(&row);
    row.setOperand(
        LoadInst::getPointerOperandIndex(),
        builder.CreateGEP(builder.getInt8Ty(), atStart(*row.getPointerOperand()), after));
  }

  /// Whether `value` is computed from the loop's counters and from what does not change in it.
  bool isFromCounters(const Value& value) const {
    const auto* inside = dyn_cast<Instruction>(&value);
    if (!inside || !loop_.contains(inside)) return true;
    if (isa<PHINode>(inside)) return inside->getParent() == loop_.getHeader();
    return !inside->mayReadFromMemory() && all_of(inside->operands(), [&](const Use& operand) {
      return isFromCounters(*operand.get());
    });
  }

  /// `value` in the first iteration, before the loop. Pre: isFromCounters().
  Value* atStart(Value& value) {
    BasicBlock* before = loop_.getLoopPreheader();
    auto* inside = dyn_cast<Instruction>(&value);
    if (!inside || !loop_.contains(inside)) return &value;
    if (auto* phi = dyn_cast<PHINode>(inside)) return phi->getIncomingValueForBlock(before);
    Instruction* copy = inside->clone();
    for (Use& operand : copy->operands()) operand.set(atStart(*operand));
    copy->insertBefore(before->getTerminator());
    Value* known = simplifyInstruction(copy, copy->getDataLayout());
    if (!known) return copy;
    copy->eraseFromParent();
    return known;
  }

  /// Reads at once what the copies of a load read one after the other. Every iteration comes to all
  /// of them, and nothing is written.
  void joinRows(Function& function, unsigned mark) {
    MapVector<std::pair<const MDNode*, const Loop*>, SmallVector<LoadInst*>> rows;
    for (Instruction& instruction : instructions(function))
      if (auto* load = dyn_cast<LoadInst>(&instruction))
        if (const MDNode* row = load->getMetadata(mark)) {
          rows[{row, analyses_.loops.getLoopFor(load->getParent())}].push_back(load);
          load->setMetadata(mark, nullptr);
        }
    const PostDominatorTree after(function);
    for (auto& [row, loads] : rows) {
      sort(loads, [&](const LoadInst* one, const LoadInst* other) {
        return one != other && analyses_.dominators.dominates(one, other);
      });
      if (loads.size() == tuning::kBlockOfRow &&
          after.dominates(loads.back()->getParent(), loads.front()->getParent()))
        joinRow(loads, downwards_.contains(row.first));
    }
  }

  static void joinRow(SmallVectorImpl<LoadInst*>& loads, bool isDownwards) {
    LoadInst& first = *loads.front();
    IRBuilder<> builder(&first);
    auto* type = FixedVectorType::get(first.getType(), tuning::kBlockOfRow);
    Value* place = first.getPointerOperand();
    if (isDownwards) {
      place = builder.CreateConstGEP1_64(first.getType(), place, 1 - int64_t{tuning::kBlockOfRow});
      std::reverse(loads.begin(), loads.end());
    }
    LoadInst* all = builder.CreateAlignedLoad(type, place, first.getAlign(), "row");
    all->copyMetadata(first, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias,
                              LLVMContext::MD_access_group, LLVMContext::MD_invariant_load});
    for (auto [i, load] : enumerate(loads))
      load->replaceAllUsesWith(builder.CreateExtractElement(all, i));
    for (LoadInst* load : loads) load->eraseFromParent();
  }

  Loop& loop_;
  const Loop& items_;
  LoopAnalyses& analyses_;
  ScalarEvolution& evolution_;
  SmallVector<LoadInst*> rows_;
  SmallPtrSet<const MDNode*, 4> downwards_;  ///< those that are read from their ends
};

}  // namespace

PreservedAnalyses BlockRowLoadsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  const auto& target = analyses.getResult<TargetIRAnalysis>(function);
  LoopAnalyses own(function);
  // Loops come and go as these are unrolled.
  SmallVector<std::pair<Loop*, const Loop*>> all;
  for (Loop* items : own.loops.getLoopsInPreorder()) {
    if (!ItemLoops::isItemLoop(*items)) continue;
    for (Loop* each : items->getLoopsInPreorder())
      if (each != items && each->isInnermost()) all.emplace_back(each, items);
  }
  bool hasChanged = false;
  for (auto& [inner, items] : all) {
    RowLoop loop(*inner, *items, own);
    hasChanged |= loop.find() && loop.apply(target);
  }
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
