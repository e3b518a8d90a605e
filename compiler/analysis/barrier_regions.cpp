// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/barrier_regions.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/Analysis/IteratedDominanceFrontier.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "ir/barriers.h"
#include "ir/sub_groups.h"

namespace weft::compiler {

using namespace llvm;

std::expected<BarrierRegions, BarrierObjection> BarrierRegions::find(Function& function,
                                                                     BasicBlock& first, Ids ids,
                                                                     Unproven unproven) {
  BarrierRegions result;
  if (Objection why = result.checkInstructions(function)) return std::unexpected(*why);
  result.dominators_ = std::make_unique<DominatorTree>(function);
  result.uniformity_ = std::make_unique<GroupUniformity>(function, *result.dominators_, ids);
  if (Objection why = result.findSkeleton(function, unproven)) return std::unexpected(*why);
  result.findHeads(first);
  result.assign(function, first);
  if (Objection why = result.findExits()) return std::unexpected(*why);
  result.findSuccessors();
  result.findRepeats();
  return result;
}

BarrierRegions::Objection BarrierRegions::checkInstructions(Function& function) {
  for (BasicBlock& block : function)
    if (barrierIn(block)) barriers_.insert(&block);
  for (const Instruction& instruction : instructions(function)) {
    if (const auto* call = dyn_cast<CallBase>(&instruction)) {
      if (!isa<CallInst>(call)) return BarrierObjection{"it has an unusual call", call};
      if (call->isConvergent() && !barriers_.contains(call->getParent()) &&
          !subGroupOperation(*call))
        return BarrierObjection{"a function that is not inlined reaches a barrier", call};
    }
    if (const auto* variable = dyn_cast<AllocaInst>(&instruction);
        variable && !variable->isStaticAlloca())
      return BarrierObjection{"it has a variable of varying size", variable};
    if (instruction.isTerminator() &&
        !isa<BranchInst, SwitchInst, ReturnInst, UnreachableInst>(instruction))
      return BarrierObjection{"it has unusual control flow", &instruction};
  }
  return std::nullopt;
}

/// Work-items may take different ways at the end of `block`.
BarrierObjection BarrierRegions::divergesAt(BasicBlock& block, PostDominatorTree& postDominators) {
  BarrierObjection objection{"work-items may disagree on the way to a barrier",
                             block.getTerminator()};
  for (BasicBlock& candidate : *block.getParent()) {
    if (!barriers_.contains(&candidate)) continue;
    Blocks only{&candidate};
    ReverseIDFCalculator frontier(postDominators);
    frontier.setDefiningBlocks(only);
    SmallVector<BasicBlock*> deciding;
    frontier.calculate(deciding);
    if (!is_contained(deciding, &block)) continue;
    objection.barrier = barrierIn(candidate);
    break;
  }
  return objection;
}

BarrierRegions::Objection BarrierRegions::findSkeleton(Function& function, Unproven unproven) {
  PostDominatorTree postDominators(function);
  ReverseIDFCalculator frontier(postDominators);
  frontier.setDefiningBlocks(barriers_);
  SmallVector<BasicBlock*> deciding;
  frontier.calculate(deciding);
  branches_.insert(deciding.begin(), deciding.end());
  for (BasicBlock* block : branches_) {
    if (!uniformity_->endsUniformly(*block)) {
      if (unproven == Unproven::Refused) return divergesAt(*block, postDominators);
      asking_.insert(block);
    }
    for (BasicBlock* successor : successors(block))
      if (!successor->getUniquePredecessor())
        return BarrierObjection{"its branches are not in normal form", block->getTerminator()};
  }
  return std::nullopt;
}

bool BarrierRegions::isSkeletonBlock(const BasicBlock& block) const {
  // A bare return needs nobody to run it.
  return barriers_.contains(&block) || isa<ReturnInst>(block.front());
}

void BarrierRegions::findHeads(BasicBlock& first) {
  heads_.insert(&first);
  for (BasicBlock* barrier : barriers_) heads_.insert(barrier->getSingleSuccessor());
  for (BasicBlock* block : branches_) heads_.insert(succ_begin(block), succ_end(block));
  // Where two regions meet, neither holds what follows.
  ForwardIDFCalculator frontier(*dominators_);
  frontier.setDefiningBlocks(heads_);
  SmallVector<BasicBlock*> joins;
  frontier.calculate(joins);
  heads_.insert(joins.begin(), joins.end());
  heads_.remove_if([this](BasicBlock* block) { return isSkeletonBlock(*block); });
}

void BarrierRegions::assign(Function& function, const BasicBlock& first) {
  // In an order in which a block comes after its dominator.
  for (DomTreeNode* node : depth_first(dominators_->getNode(&first))) {
    BasicBlock* block = node->getBlock();
    if (isSkeletonBlock(*block)) continue;
    unsigned region;
    if (heads_.contains(block)) {
      region = regions_.size();
      regions_.emplace_back().head = block;
    } else {
      region = regionOf_.at(node->getIDom()->getBlock());
    }
    regionOf_[block] = region;
    regions_[region].blocks.push_back(block);
  }
}

BarrierRegions::Objection BarrierRegions::findExits() {
  const char* const twoEnds = "a region between its barriers has two ends";
  for (unsigned index = 0; index < regions_.size(); ++index) {
    BarrierRegion& region = regions_[index];
    SmallPtrSet<BasicBlock*, 4> targets;
    for (BasicBlock* block : region.blocks) {
      if (branches_.contains(block)) {
        if (region.branch) return BarrierObjection{twoEnds, block->getTerminator()};
        region.branch = block->getTerminator();
        region.asks = asking_.contains(block);
        continue;
      }
      for (BasicBlock* successor : successors(block))
        if (successor == region.head || regionOf(*successor) != index) targets.insert(successor);
    }
    if (targets.size() + (region.branch ? 1 : 0) > 1)
      return BarrierObjection{twoEnds, region.blocks.back()->getTerminator()};
    if (!targets.empty()) region.next = *targets.begin();
  }
  return std::nullopt;
}

void BarrierRegions::findSuccessors() {
  for (BarrierRegion& region : regions_) {
    SmallVector<BasicBlock*> ahead;
    if (region.next) ahead.push_back(region.next);
    if (region.branch) append_range(ahead, llvm::successors(region.branch->getParent()));
    SmallPtrSet<BasicBlock*, 8> seen;
    while (!ahead.empty()) {
      BasicBlock* block = ahead.pop_back_val();
      if (!seen.insert(block).second) continue;
      if (const unsigned next = regionOf(*block); next == kNone)
        append_range(ahead, llvm::successors(block));
      else if (!is_contained(region.successors, next))
        region.successors.push_back(next);
    }
  }
}

void BarrierRegions::findRepeats() {
  for (unsigned index = 0; index < regions_.size(); ++index) {
    SmallVector<unsigned> ahead(regions_[index].successors);
    SmallDenseSet<unsigned> seen;
    while (!ahead.empty() && !regions_[index].repeats) {
      const unsigned next = ahead.pop_back_val();
      if (!seen.insert(next).second) continue;
      regions_[index].repeats = next == index;
      append_range(ahead, regions_[next].successors);
    }
  }
}

}  // namespace weft::compiler
