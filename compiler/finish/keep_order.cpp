// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/keep_order.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopAccessAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace weft::compiler {
namespace {

using namespace llvm;

constexpr const char* kParallel = "llvm.loop.parallel_accesses";
/// More elements from iteration to iteration than this are in no group.
constexpr int64_t kMaxFactor = 8;
/// Pairs of accesses to look at before the promise is taken back unseen.
constexpr unsigned kMaxPairs = 4096;

/// A load or store of a loop, as the vectoriser sees it.
struct Access {
  Instruction* instruction;
  const SCEV* pointer;
  uint64_t bytes;
  std::optional<int64_t> stride;  ///< in elements; nothing where it is known at run time only
  bool isStore;
  bool isGrouped;    ///< may be in a group, with others
  size_t moves = 0;  ///< where it may go to: the place of another access
};

/// The accesses of one loop, in the order of the program.
class IterationOrder {
 public:
  IterationOrder(Loop& loop, LoopInfo& loops, ScalarEvolution& evolution, AAResults& aliases)
      : loop_(loop), evolution_(evolution), predicated_(evolution, loop), aliases_(aliases) {
    LoopBlocksDFS blocks(&loop);
    blocks.perform(&loops);
    for (BasicBlock* block : make_range(blocks.beginRPO(), blocks.endRPO()))
      for (Instruction& instruction : *block)
        if (getLoadStorePointerOperand(&instruction)) add(instruction);
    for (size_t i = 0; i < accesses_.size(); ++i) accesses_[i].moves = destination(i);
  }

  /// The accesses that groups may exchange with others which touch the same place.
  SmallVector<Instruction*> exchanged() {
    SmallSetVector<Instruction*, 8> found;
    unsigned pairs = 0;
    for (size_t j = 0; j < accesses_.size(); ++j)
      for (size_t i = 0; i < j; ++i) {
        const Access& store = accesses_[i];
        const Access& later = accesses_[j];
        if (!store.isStore || store.moves <= (later.isStore ? j : later.moves)) continue;
        if (++pairs <= kMaxPairs && !mayOverlap(store, later)) continue;
        if (store.moves != i) found.insert(store.instruction);
        if (!later.isStore && later.moves != j) found.insert(later.instruction);
      }
    return found.takeVector();
  }

 private:
  void add(Instruction& instruction) {
    Value* pointer = getLoadStorePointerOperand(&instruction);
    Type* type = getLoadStoreType(&instruction);
    Access access{.instruction = &instruction,
                  .pointer = evolution_.getSCEV(pointer),
                  .bytes = loop_.getHeader()->getDataLayout().getTypeStoreSize(type),
                  .stride = 0,
                  .isStore = isa<StoreInst>(instruction),
                  .isGrouped = false};
    if (const auto* recurrence = predicated_.getAsAddRec(pointer);
        recurrence && recurrence->getLoop() == &loop_) {
      const SCEV* step = recurrence->getStepRecurrence(evolution_);
      if (isa<SCEVConstant>(step)) {
        access.stride = getPtrStride(predicated_, type, pointer, &loop_, /*StridesMap=*/none_,
                                     /*Assume=*/true, /*ShouldCheckWrap=*/false)
                            .value_or(0);
        access.isGrouped = std::abs(*access.stride) >= 2 && std::abs(*access.stride) <= kMaxFactor;
      } else {
        access.stride = std::nullopt;
        access.isGrouped = !becomesOne(step, access.bytes);
      }
    }
    accesses_.push_back(access);
  }

  /// Whether a step that is not known is the size of an element times a number, which the
  /// vectoriser asks to be one. Of others it may then know more too.
  static bool becomesOne(const SCEV* step, uint64_t bytes) {
    if (bytes != 1) {
      const auto* product = dyn_cast<SCEVMulExpr>(step);
      const auto* size = product && product->getNumOperands() == 2
                             ? dyn_cast<SCEVConstant>(product->getOperand(0))
                             : nullptr;
      if (!size || size->getAPInt() != bytes) return false;
      step = product->getOperand(1);
    }
    while (const auto* cast = dyn_cast<SCEVIntegralCastExpr>(step)) step = cast->getOperand();
    return isa<SCEVUnknown>(step);
  }

  bool mayBeTogether(const Access& a, const Access& b) const {
    if (!a.isGrouped || !b.isGrouped || a.isStore != b.isStore || a.bytes != b.bytes) return false;
    if (!a.stride || !b.stride) return true;
    if (*a.stride != *b.stride) return false;
    const SCEV* distance = distanceOf(a, b);
    return !distance || isa<SCEVConstant>(distance);
  }

  /// Stores go down to the last one of their group, and loads up to the first one.
  size_t destination(size_t i) const {
    if (!accesses_[i].isGrouped) return i;
    if (accesses_[i].isStore) {
      for (size_t j = accesses_.size() - 1; j > i; --j)
        if (mayBeTogether(accesses_[i], accesses_[j])) return j;
    } else {
      for (size_t j = 0; j < i; ++j)
        if (mayBeTogether(accesses_[i], accesses_[j])) return j;
    }
    return i;
  }

  /// From `a` to `b`, under whatever the vectoriser may ask at run time; null if it has no number.
  const SCEV* distanceOf(const Access& a, const Access& b) const {
    auto pointer = [&](const Access& access) {
      return predicated_.getSCEV(getLoadStorePointerOperand(access.instruction));
    };
    const SCEV* distance = evolution_.getMinusSCEV(pointer(b), pointer(a));
    return isa<SCEVCouldNotCompute>(distance) ? nullptr : distance;
  }

  bool mayOverlap(const Access& a, const Access& b) {
    if (aliases_.alias(MemoryLocation::get(a.instruction), MemoryLocation::get(b.instruction)) ==
        AliasResult::NoAlias)
      return false;
    const SCEV* distance = evolution_.getMinusSCEV(b.pointer, a.pointer);
    if (const auto* constant = dyn_cast<SCEVConstant>(distance)) {
      const int64_t bytes = constant->getAPInt().getSExtValue();
      return bytes < static_cast<int64_t>(a.bytes) && -bytes < static_cast<int64_t>(b.bytes);
    }
    return true;
  }

  Loop& loop_;
  ScalarEvolution& evolution_;
  mutable PredicatedScalarEvolution predicated_;
  BatchAAResults aliases_;
  const DenseMap<Value*, const SCEV*> none_;
  SmallVector<Access> accesses_;
};

void takeBack(Loop& loop) {
  loop.setLoopID(makePostTransformationMetadata(loop.getHeader()->getContext(), loop.getLoopID(),
                                                {kParallel}, {}));
}

}  // namespace

PreservedAnalyses KeepOrderPass::run(Function& function, FunctionAnalysisManager& analyses) {
  LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || !findOptionMDForLoop(loop, kParallel) ||
        !loop->isAnnotatedParallel())
      continue;
    IterationOrder order(*loop, loops, analyses.getResult<ScalarEvolutionAnalysis>(function),
                         analyses.getResult<AAManager>(function));
    if (!order.exchanged().empty()) takeBack(*loop);
  }
  return PreservedAnalyses::all();
}

}  // namespace weft::compiler
