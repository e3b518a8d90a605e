// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/mask_plan.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>

namespace weft::compiler {

using namespace llvm;

MaskPlan::MaskPlan(const Loop& loop, const LoopInfo& loops, const PostDominatorTree& postDominators,
                   const LaneUniformity& uniformity)
    : loops_(loops), loop_(loop), postDominators_(postDominators) {
  findOrder(loop);
  if (isSound_) findMasked(loop, uniformity);
  if (isSound_) chain();
}

/// Reverse post-order, except that a loop's blocks follow its header without gaps.
void MaskPlan::findOrder(const Loop& loop) {
  SmallPtrSet<const BasicBlock*, 32> seen;
  SmallVector<BasicBlock*> postOrder;
  // The walk stays in the loop and never takes its back edge.
  SmallVector<std::pair<BasicBlock*, succ_iterator>> stack;
  auto push = [&](BasicBlock* block) {
    if (seen.insert(block).second) stack.emplace_back(block, succ_begin(block));
  };
  push(loop.getHeader());
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    if (next == succ_end(block)) {
      postOrder.push_back(block);
      stack.pop_back();
      continue;
    }
    BasicBlock* successor = *next++;
    if (loop.contains(successor))
      push(successor);
    else if (block != loop.getLoopLatch())
      isSound_ = false;
  }
  if (seen.size() != loop.getNumBlocks()) isSound_ = false;
  if (!isSound_) return;
  SmallPtrSet<const BasicBlock*, 32> done;
  appendLoop(loop, postOrder, done);
  for (unsigned i = 0; i < order_.size(); ++i) positions_[order_[i]] = i;
}

void MaskPlan::appendLoop(const Loop& loop, ArrayRef<BasicBlock*> postOrder,
                          SmallPtrSetImpl<const BasicBlock*>& done) {
  for (BasicBlock* block : reverse(postOrder)) {
    if (!loop.contains(block) || done.contains(block)) continue;
    const Loop* inner = loops_.getLoopFor(block);
    if (inner == &loop) {
      done.insert(block);
      order_.push_back(block);
      continue;
    }
    while (inner->getParentLoop() != &loop) inner = inner->getParentLoop();
    appendLoop(*inner, postOrder, done);
  }
}

void MaskPlan::findMasked(const Loop& loop, const LaneUniformity& uniformity) {
  for (BasicBlock* branch : order_) {
    if (branch == loop.getLoopLatch() || uniformity.endsUniformly(*branch)) continue;
    const DomTreeNode* node = postDominators_.getNode(branch);
    const DomTreeNode* joinNode = node ? node->getIDom() : nullptr;
    BasicBlock* join = joinNode ? joinNode->getBlock() : nullptr;
    if (!join || !loop.contains(join)) {
      isSound_ = false;
      return;
    }
    SmallVector<BasicBlock*> influence;
    SmallPtrSet<BasicBlock*, 16> seen{join};
    SmallVector<BasicBlock*> work(successors(branch));
    while (!work.empty()) {
      BasicBlock* block = work.pop_back_val();
      if (!seen.insert(block).second) continue;
      if (!loop.contains(block) || block == loop.getHeader()) {
        isSound_ = false;
        return;
      }
      influence.push_back(block);
      masked_.insert(block);
      append_range(work, successors(block));
    }
    sort(influence, [&](BasicBlock* a, BasicBlock* b) { return positionOf(*a) < positionOf(*b); });
    if (!influence.empty()) {
      firsts_[branch] = influence.front();
      influences_.push_back(std::move(influence));
    }
  }
  if (masked_.contains(loop.getLoopLatch())) isSound_ = false;
}

/// Blocks that one branch decides over run in one sequence, and sequences with a common block are
/// one.
void MaskPlan::chain() {
  EquivalenceClasses<const BasicBlock*> runs;
  for (const auto& influence : influences_)
    for (BasicBlock* block : influence) runs.unionSets(influence.front(), block);
  DenseMap<const BasicBlock*, BasicBlock*> last;  // of each run, by its leader
  for (BasicBlock* block : order_) {
    if (!isMasked(*block)) continue;
    const BasicBlock* leader = runs.getLeaderValue(block);
    if (BasicBlock* before = last.lookup(leader)) next_[before] = block;
    last[leader] = block;
  }
  for (auto& [leader, block] : last) {
    const DomTreeNode* node = postDominators_.getNode(block);
    // Not past what another branch decides over: lanes that come from here enter it too.
    auto isInRun = [&, run = leader](const BasicBlock* other) {
      return isMasked(*other) && runs.getLeaderValue(other) == run;
    };
    while (node && node->getBlock() && isInRun(node->getBlock())) node = node->getIDom();
    if (!node || !node->getBlock() || !loop_.contains(node->getBlock())) {
      isSound_ = false;
      return;
    }
    next_[block] = node->getBlock();
  }
}

const Loop* MaskPlan::innerLoopHeadedBy(const BasicBlock& block) const {
  const Loop* inner = loops_.getLoopFor(&block);
  return inner != &loop_ && inner->getHeader() == &block ? inner : nullptr;
}

BasicBlock* MaskPlan::nextAfterLoop(const BasicBlock& header) const {
  const Loop* inner = innerLoopHeadedBy(header);
  return next(*order_[positionOf(header) + inner->getNumBlocks() - 1]);
}

}  // namespace weft::compiler
