// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/mark_lockstep.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <array>

#include "analysis/index_steps.h"
#include "base/tuning.h"
#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

class LockstepCandidates {
 public:
  explicit LockstepCandidates(ScalarEvolution& evolution) : evolution_(evolution) {}

  bool isWorthwhile(const Loop& loop) {
    return loop.getLoopLatch() && !hasEffects(loop) && readsMuchForColumns(loop) &&
           keepsLittle(loop);
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
          lines = SaturatingAdd(lines, iterationsFor(*block, loop));
      }
    return lines * (tuning::kLineBits / 8) > tuning::kFirstCacheBytes;
  }

  bool isForColumn(const LoadInst& load) {
    const unsigned space = load.getPointerAddressSpace();
    if (space != names::kGlobal && space != names::kConstant) return false;
    const Value& place = *load.getPointerOperand();
    return !steps_[0].of(place).isUniform() && steps_[1].of(place).isUniform() &&
           steps_[2].of(place).isUniform();
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

  /// How often `block` is run while `outermost` is. Loops are long that nobody knows to be short.
  uint64_t iterationsFor(const BasicBlock& block, const Loop& outermost) const {
    uint64_t count = 1;
    for (const Loop* loop = innermostIn(outermost, block);; loop = loop->getParentLoop()) {
      const unsigned known = evolution_.getSmallConstantTripCount(loop);
      count = SaturatingMultiply<uint64_t>(count, known != 0 ? known : tuning::kLongLoop);
      if (loop == &outermost) return count;
    }
  }

  static const Loop* innermostIn(const Loop& loop, const BasicBlock& block) {
    for (const Loop* inner : loop)
      if (inner->contains(&block)) return innermostIn(*inner, block);
    return &loop;
  }

  /// Whether an iteration does so much that it does not count what work-items keep until the next.
  bool keepsLittle(const Loop& loop) {
    uint64_t work = 0;
    for (const BasicBlock* block : loop.blocks()) {
      uint64_t times = 1;
      for (const Loop* inner = innermostIn(loop, *block); inner != &loop;
           inner = inner->getParentLoop()) {
        const unsigned known = evolution_.getSmallConstantTripCount(inner);
        times = SaturatingMultiply<uint64_t>(times, known != 0 ? known : tuning::kLoopWeight);
      }
      work = SaturatingAdd(work, SaturatingMultiply<uint64_t>(times, block->sizeWithoutDebug()));
    }
    uint64_t kept = 0;
    for (const PHINode& phi : loop.getHeader()->phis())
      kept += any_of(steps_, [&](GuessedSteps& steps) { return !steps.of(phi).isUniform(); });
    return work >= kept * tuning::kWorkInLockstep;
  }

  ScalarEvolution& evolution_;
  std::array<GuessedSteps, 3> steps_{GuessedSteps::alongDimension(0),
                                     GuessedSteps::alongDimension(1),
                                     GuessedSteps::alongDimension(2)};
};

}  // namespace

PreservedAnalyses MarkLockstepPass::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!names::isKernel(function)) return PreservedAnalyses::all();
  LockstepCandidates candidates(analyses.getResult<ScalarEvolutionAnalysis>(function));
  SmallPtrSet<const Loop*, 4> marked;
  for (Loop* loop : reverse(analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())) {
    // Those inside come first.
    const bool isAround = any_of(marked, [&](const Loop* one) { return loop->contains(one); });
    if (isAround || !candidates.isWorthwhile(*loop)) continue;
    addStringMetadataToLoop(loop, names::kLockstepLoop, 1);
    marked.insert(loop);
  }
  return PreservedAnalyses::all();
}

}  // namespace weft::compiler
