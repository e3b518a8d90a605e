// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/mark_lockstep.h"

#include <llvm/ADT/Sequence.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <array>

#include "analysis/index_steps.h"
#include "analysis/row_steps.h"
#include "base/tuning.h"
#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

class LockstepCandidates {
 public:
  LockstepCandidates(unsigned along, const LoopInfo& loops, ScalarEvolution& evolution)
      : along_(along), loops_(loops), evolution_(evolution) {}

  /// After how many iterations of `loop` a group had better wait for all of its rows; 0 for never.
  unsigned turnOf(const Loop& loop) {
    if (!loop.getLoopLatch() || hasEffects(loop) || !readsMuchForColumns(loop)) return 0;
    const uint64_t work = workIn(loop);
    const uint64_t kept = keptBy(loop);
    if (work >= kept * tuning::kWorkInLockstep) return 1;
    const uint64_t least = std::max(kept * tuning::kWorkOfTurn, tuning::kLeastTurn);
    const uint64_t turn = PowerOf2Ceil(divideCeil(least, work));
    return loop.isInnermost() && turn <= tuning::kLongLoop ? static_cast<unsigned>(turn) : 0;
  }

 private:
  /// Whether others than its work-item may see what `loop` does.
  static bool hasEffects(const Loop& loop) {
    return any_of(loop.blocks(), [](const BasicBlock* block) {
      return any_of(*block, [](const Instruction& each) { return hasEffect(each); });
    });
  }

  static bool hasEffect(const Instruction& instruction) {
    if (const auto* store = dyn_cast<StoreInst>(&instruction))
      return !store->isSimple() || store->getPointerAddressSpace() != names::kPrivate;
    if (const auto* call = dyn_cast<CallBase>(&instruction)) {
      const auto* intrinsic = dyn_cast<IntrinsicInst>(call);
      const Function* callee = call->getCalledFunction();
      if ((intrinsic && intrinsic->isAssumeLikeIntrinsic()) ||
          (callee && names::workItemFunction(*callee)))
        return false;
    }
    return instruction.mayHaveSideEffects();
  }

  /// Whether the loop reads what work-items of a column have in common, and those of a row have
  /// not, and so much of it that the next row of work-items would not find it in the first cache.
  bool readsMuchForColumns(const Loop& loop) {
    uint64_t lines = 0;
    for (const BasicBlock* block : loop.blocks())
      for (const Instruction& instruction : *block) {
        const auto* load = dyn_cast<LoadInst>(&instruction);
        if (load && isForColumn(*load) && goesOn(*load->getPointerOperand(), loop))
          lines = SaturatingAdd(lines, timesIn(loop, *block, tuning::kLongLoop));
      }
    lines = SaturatingMultiply(lines, tripCountOf(loop, tuning::kLongLoop));
    return lines > tuning::kFirstCacheBytes / (tuning::kLineBits / 8);
  }

  bool isForColumn(const LoadInst& load) {
    const unsigned space = load.getPointerAddressSpace();
    if (space != names::kGlobal && space != names::kConstant) return false;
    const Value& place = *load.getPointerOperand();
    return all_of(seq(3u),
                  [&](unsigned d) { return steps_[d].of(place).isUniform() == (d != along_); });
  }

  /// Whether `place` is computed of what changes from one iteration of `loop` to the next.
  static bool goesOn(const Value& place, const Loop& loop) {
    SmallPtrSet<const Value*, 16> seen;
    SmallVector<const Value*> left{&place};
    while (!left.empty()) {
      const auto* inside = dyn_cast<Instruction>(left.pop_back_val());
      if (!inside || !loop.contains(inside) || !seen.insert(inside).second) continue;
      if (isa<PHINode>(inside) && inside->getParent() == loop.getHeader()) return true;
      left.append(inside->value_op_begin(), inside->value_op_end());
    }
    return false;
  }

  /// As far as it is known.
  uint64_t tripCountOf(const Loop& loop, uint64_t unknown) const {
    const unsigned known = evolution_.getSmallConstantTripCount(&loop);
    return known != 0 ? known : unknown;
  }

  /// How often `block` is run in an iteration of `loop`, with inner loops of so many iterations
  /// where that is not known.
  uint64_t timesIn(const Loop& loop, const BasicBlock& block, uint64_t unknown) const {
    uint64_t times = 1;
    for (const Loop* inner = loops_.getLoopFor(&block); inner != &loop;
         inner = inner->getParentLoop())
      times = SaturatingMultiply(times, tripCountOf(*inner, unknown));
    return times;
  }

  /// Instructions in an iteration.
  uint64_t workIn(const Loop& loop) const {
    uint64_t work = 0;
    for (const BasicBlock* block : loop.blocks())
      work = SaturatingMultiplyAdd<uint64_t>(timesIn(loop, *block, tuning::kLoopWeight),
                                             block->sizeWithoutDebug(), work);
    return work;
  }

  /// Values that each work-item keeps from one iteration to the next.
  uint64_t keptBy(const Loop& loop) {
    uint64_t kept = 0;
    for (const PHINode& phi : loop.getHeader()->phis())
      kept += any_of(steps_, [&](GuessedSteps& steps) { return !steps.of(phi).isUniform(); });
    return kept;
  }

  const unsigned along_;  ///< the dimension of rows
  const LoopInfo& loops_;
  ScalarEvolution& evolution_;
  std::array<GuessedSteps, 3> steps_{GuessedSteps::alongDimension(0),
                                     GuessedSteps::alongDimension(1),
                                     GuessedSteps::alongDimension(2)};
};

}  // namespace

PreservedAnalyses MarkLockstepPass::run(Function& function, FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<LoopAnalysis>(function);
  if (!names::isKernel(function) || loops.empty()) return PreservedAnalyses::all();
  LockstepCandidates candidates(guessRows(function).dimension, loops,
                                analyses.getResult<ScalarEvolutionAnalysis>(function));
  SmallPtrSet<const Loop*, 4> marked;
  for (Loop* loop : reverse(loops.getLoopsInPreorder())) {
    // Those inside come first.
    const bool isAround = any_of(marked, [&](const Loop* one) { return loop->contains(one); });
    const unsigned turn = isAround ? 0 : candidates.turnOf(*loop);
    if (turn == 0) continue;
    addStringMetadataToLoop(loop, names::kLockstepLoop, turn);
    marked.insert(loop);
  }
  return PreservedAnalyses::all();
}

}  // namespace weft::compiler
