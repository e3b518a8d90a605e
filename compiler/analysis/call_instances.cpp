// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/call_instances.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

namespace weft::compiler {
namespace {

using namespace llvm;

/// Orders blocks so that those of a loop follow each other, and all come after those that lead to
/// them.
class BlockOrder {
 public:
  explicit BlockOrder(const LoopInfo& loops) : loops_(loops) {}

  SmallVector<BasicBlock*> take(BasicBlock& entry) {
    addRegion(entry, nullptr);
    return std::move(order_);
  }

 private:
  /// The loop directly in `within` that `block` is in, if any.
  const Loop* childOf(const Loop* within, const BasicBlock& block) const {
    const Loop* loop = loops_.getLoopFor(&block);
    if (loop == within) return nullptr;
    while (loop->getParentLoop() != within) loop = loop->getParentLoop();
    return loop;
  }

  /// Adds the blocks of `within`, or of the function, that are reached from its header.
  void addRegion(BasicBlock& header, const Loop* within) {
    struct Frame {
      BasicBlock* node;
      SmallVector<BasicBlock*> next;
    };
    SmallVector<BasicBlock*> finished;
    SmallVector<Frame> path;
    DenseSet<const BasicBlock*> seen;
    auto enter = [&](BasicBlock* block) {
      const Loop* child = childOf(within, *block);
      BasicBlock* node = child ? child->getHeader() : block;
      if (!seen.insert(node).second) return;
      Frame frame{node, {}};
      if (child) {
        SmallVector<BasicBlock*> exits;
        child->getExitBlocks(exits);
        frame.next = exits;
      } else {
        append_range(frame.next, successors(node));
      }
      erase_if(frame.next, [&](BasicBlock* next) {
        return next == &header || (within && !within->contains(next));
      });
      path.push_back(std::move(frame));
    };
    enter(&header);
    while (!path.empty()) {
      if (path.back().next.empty()) {
        finished.push_back(path.pop_back_val().node);
        continue;
      }
      enter(path.back().next.pop_back_val());
    }
    for (BasicBlock* node : reverse(finished)) {
      if (const Loop* child = childOf(within, *node))
        addRegion(*node, child);
      else
        order_.push_back(node);
    }
  }

  const LoopInfo& loops_;
  SmallVector<BasicBlock*> order_;
};

}  // namespace

CallInstances::CallInstances(Function& function, ArrayRef<CallInst*> calls) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  const SmallPtrSet<const Instruction*, 8> wanted(calls.begin(), calls.end());
  DenseMap<const Loop*, unsigned> numbers;
  unsigned next = 0;
  Type* i32 = Type::getInt32Ty(function.getContext());
  auto number = [&](unsigned n) { return ConstantInt::get(i32, n); };
  for (BasicBlock* block : BlockOrder(loops).take(function.getEntryBlock())) {
    SmallVector<const Loop*> around;
    for (const Loop* loop = loops.getLoopFor(block); loop; loop = loop->getParentLoop())
      around.push_back(loop);
    for (const Loop* loop : reverse(around))
      if (numbers.try_emplace(loop, next).second) ++next;
    for (Instruction& instruction : *block) {
      if (!wanted.contains(&instruction)) continue;
      auto& words = instances_[cast<CallInst>(&instruction)];
      for (const Loop* loop : reverse(around)) {
        words.push_back(number(numbers.lookup(loop)));
        words.push_back(counterOf(*loop));
      }
      words.push_back(number(next++));
      mostWords_ = std::max(mostWords_, static_cast<unsigned>(words.size()));
    }
  }
  // What is never reached is told from the rest by nothing but a number.
  for (CallInst* call : calls)
    if (auto& words = instances_[call]; words.empty()) words.push_back(number(next++));
}

PHINode* CallInstances::counterOf(const Loop& loop) {
  PHINode*& counter = counters_[&loop];
  if (counter) return counter;
  BasicBlock* header = loop.getHeader();
  IRBuilder<> builder(header, header->begin());
  counter = builder.CreatePHI(builder.getInt32Ty(), pred_size(header), "iteration");
  builder.SetInsertPoint(header, header->getFirstInsertionPt());
  Value* next = builder.CreateAdd(counter, builder.getInt32(1));
  for (BasicBlock* before : predecessors(header))
    counter->addIncoming(loop.contains(before) ? next : builder.getInt32(0), before);
  return counter;
}

}  // namespace weft::compiler
