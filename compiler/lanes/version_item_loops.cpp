// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/version_item_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

#include "base/tuning.h"
#include "ir/item_loop.h"
#include "ir/item_loops.h"
#include "ir/loop_size.h"
#include "lanes/copy_loops.h"
#include "lanes/id_limits.h"

namespace weft::compiler {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

/// Loops over the rows and the work-items of a group, from the outermost one in.
using Nest = SmallVector<ItemLoop, 3>;

/// The nest that `rows` is the outermost loop of; nothing where it is none of a known size, with
/// loops in its work-items.
std::optional<Nest> nestOf(Loop& rows) {
  const Loop* parent = rows.getParentLoop();
  if (!ItemLoops::isRowLoop(rows) || (parent && ItemLoops::isRowLoop(*parent))) return std::nullopt;
  Nest nest;
  for (Loop* loop = &rows;; loop = loop->getSubLoops().front()) {
    const auto items = ItemLoop::recognise(*loop);
    if (!items || !isa<ConstantInt>(items->count) || loop->isInnermost()) return std::nullopt;
    nest.push_back(*items);
    if (ItemLoops::isItemLoop(*loop)) break;
    if (!ItemLoops::isRowLoop(*loop) || loop->getSubLoops().size() != 1) return std::nullopt;
  }
  const BasicBlock* after = rows.getUniqueExitBlock();
  if (instructionsIn(rows) > tuning::kVersionedItem || !rows.getLoopPreheader() || !after ||
      !after->phis().empty())
    return std::nullopt;
  return nest;
}

/// A branch that all work-items of some groups take in one way.
struct Known {
  BranchInst* branch;
  bool isTaken;  ///< the first successor
};

class Versioning {
 public:
  explicit Versioning(Nest nest) : nest_(std::move(nest)), rows_(*nest_.front().loop) {}

  /// Finds the branches on the way to the inner loops that limits on ids decide; whether there are
  /// any.
  bool find(const DominatorTree& dominators, const LoopInfo& loops) {
    const Loop* items = nest_.back().loop;
    const BasicBlock* inner = items->getSubLoops().front()->getHeader();
    for (BasicBlock* block : items->blocks()) {
      auto* branch = dyn_cast<BranchInst>(block->getTerminator());
      if (loops.getLoopFor(block) != items || !branch || !branch->isConditional() ||
          block == items->getLoopLatch())
        continue;
      for (const unsigned side : {0u, 1u})
        if (dominators.dominates(BasicBlockEdge(block, branch->getSuccessor(side)), inner))
          add(*branch, side);
    }
    return !known_.empty();
  }

  void apply(DominatorTree& dominators, LoopInfo& loops) {
    IRBuilder<> builder(rows_.getLoopPreheader()->getTerminator());
    versionLoop(rows_, *whole(builder), ".some", dominators, loops);
    for (const Known& known : known_) {
      known.branch->setCondition(ConstantInt::getBool(known.branch->getContext(), known.isTaken));
      ConstantFoldTerminator(known.branch->getParent());
    }
  }

 private:
  /// Something that has to hold.
  struct Test {
    std::optional<IdLimit> limit = {};
    const ItemLoop* along = nullptr;  ///< of a limit
    Value* condition = nullptr;       ///< the same for the whole group
    bool holds = true;                ///< or must not hold
  };

  void add(BranchInst& branch, unsigned side) {
    SmallVector<Test, 4> tests;
    if (!collect(*branch.getCondition(), side == 0, tests) ||
        none_of(tests, [](const Test& test) { return test.limit.has_value(); }))
      return;
    known_.push_back({&branch, side == 0});
    append_range(tests_, tests);
  }

  /// What makes the condition true, or false. None if it is not all limits on ids, and conditions
  /// on the group.
  bool collect(Value& condition, bool isTrue, SmallVectorImpl<Test>& tests) {
    Value* opposite;
    if (match(&condition, m_Not(m_Value(opposite)))) return collect(*opposite, !isTrue, tests);
    if (const auto parts = partsOf(condition, isTrue))
      return collect(*parts->first, isTrue, tests) && collect(*parts->second, isTrue, tests);
    if (const auto* test = dyn_cast<ICmpInst>(&condition))
      for (const ItemLoop& loop : nest_)
        if (auto limit = IdLimit::of(*test, loop, isTrue);
            limit && isOutside(limit->base) && hoist(limit->limit, rows_)) {
          tests.push_back({.limit = limit, .along = &loop});
          return true;
        }
    if (!hoist(&condition, rows_) || !isOutside(&condition)) return false;
    tests.push_back({.condition = &condition, .holds = isTrue});
    return true;
  }

  bool isOutside(const Value* value) const { return !value || rows_.isLoopInvariant(value); }

  /// Whether all work-items pass.
  Value* whole(IRBuilder<>& builder) const {
    Value* all = nullptr;
    for (const Test& test : tests_) {
      Value* one = test.condition;
      if (test.limit)
        one = test.limit->allPass(*test.along, builder);
      else if (!test.holds)
        one = builder.CreateNot(one);
      // Conditions that are asked after others may be undefined where these do not hold.
      one = builder.CreateFreeze(one);
      all = all ? builder.CreateAnd(all, one) : one;
    }
    return all;
  }

  Nest nest_;
  Loop& rows_;
  SmallVector<Known, 4> known_;
  SmallVector<Test, 4> tests_;
};

bool versionOne(Function& function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    auto nest = nestOf(*loop);
    if (!nest) continue;
    Versioning versioning(std::move(*nest));
    if (!versioning.find(dominators, loops)) continue;
    versioning.apply(dominators, loops);
    return true;
  }
  return false;
}

}  // namespace

PreservedAnalyses VersionItemLoopsPass::run(Function& function, FunctionAnalysisManager&) {
  bool hasChanged = false;
  // Each time one less has conditions and is a loop over rows.
  while (versionOne(function)) hasChanged = true;
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  if (!hasChanged) return preserved;  // what conditions ask may have moved
  removeUnreachableBlocks(function);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
