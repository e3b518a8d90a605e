// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/jam_rows.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>

#include "analysis/vector_registers.h"
#include "base/tuning.h"
#include "finish/loop_jam.h"
#include "ir/item_loops.h"
#include "ir/loop_size.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// What the inner loop of a row computes.
class RowCode {
 public:
  RowCode(const Loop& rows, const TargetTransformInfo& target)
      : rows_(rows), inner_(*rows.getSubLoops().front()), registers_(VectorRegisters::of(target)) {
    findOwn();
  }

  /// Rows to run at once, of so many; one to leave them as they are.
  unsigned rowsAtOnce(unsigned count) const {
    if (!sharesLoads()) return 1;
    const uint64_t size = instructionsIn(rows_);
    const unsigned each = registersOfEach(), shared = sharedRegisters();
    for (unsigned rows = std::min(tuning::kMostJammedRows, count); rows > 1; --rows)
      if (count % rows == 0 && rows * size <= tuning::kJammedSize &&
          rows * each + shared + tuning::kSpareRegisters <= registers_.count)
        return rows;
    return 1;
  }

 private:
  /// Finds what differs from row to row, or may: what is read or chosen outside the inner loop.
  void findOwn() {
    for (bool hasChanged = true; hasChanged;) {
      hasChanged = false;
      for (const BasicBlock* block : rows_.blocks())
        for (const Instruction& instruction : *block)
          if (!own_.contains(&instruction) && mayDiffer(instruction))
            hasChanged |= own_.insert(&instruction).second;
    }
  }

  bool mayDiffer(const Instruction& instruction) const {
    if (!inner_.contains(&instruction) &&
        (isa<PHINode>(instruction) || instruction.mayReadFromMemory()))
      return true;
    return any_of(instruction.operands(), [&](const Value* operand) { return isOwn(*operand); });
  }

  bool isOwn(const Value& value) const {
    const auto* instruction = dyn_cast<Instruction>(&value);
    return instruction && own_.contains(instruction);
  }

  bool sharesLoads() const {
    bool hasShared = false, hasStores = false;
    for (const BasicBlock* block : inner_.blocks())
      for (const Instruction& instruction : *block) {
        hasStores |= instruction.mayWriteToMemory() && !LoopJam::isNote(instruction);
        hasShared |= isa<LoadInst>(instruction) && !own_.contains(&instruction);
      }
    return hasShared && !hasStores;
  }

  /// For what one row carries from iteration to iteration.
  unsigned registersOfEach() const {
    unsigned sum = 0;
    for (const PHINode& phi : inner_.getHeader()->phis())
      if (own_.contains(&phi)) sum += registers_.neededFor(phi);
    return sum;
  }

  /// For what all rows compute with: what is carried round the loop, and of the rest those values
  /// at a time that come of the same loads, such as blocks that are transposed.
  unsigned sharedRegisters() const {
    EquivalenceClasses<const Instruction*> together;
    for (const BasicBlock* block : inner_.blocks())
      for (const Instruction& instruction : *block) {
        if (!isShared(instruction)) continue;
        together.insert(&instruction);
        for (const Value* operand : instruction.operands())
          if (operand->getType()->isVectorTy() && isShared(*operand))
            together.unionSets(&instruction, cast<Instruction>(operand));
      }
    unsigned carried = 0, most = 0;
    DenseMap<const Instruction*, unsigned> sums;
    for (const auto& shared : together) {
      const Instruction& value = *shared.getData();
      if (none_of(value.users(), [&](const User* user) { return isOwn(*user); })) continue;
      if (isa<PHINode>(value))
        carried += registers_.neededFor(value);
      else
        most = std::max(most, sums[together.getLeaderValue(&value)] += registers_.neededFor(value));
    }
    return carried + most;
  }

  bool isShared(const Value& value) const {
    const auto* instruction = dyn_cast<Instruction>(&value);
    return instruction && inner_.contains(instruction) && !isOwn(value);
  }

  const Loop& rows_;
  const Loop& inner_;
  const VectorRegisters registers_;
  SmallPtrSet<const Instruction*, 32> own_;
};

bool isCandidate(const Loop* loop) {
  return ItemLoops::isRowLoop(*loop) && loop->getSubLoops().size() == 1 &&
         loop->getSubLoops().front()->isInnermost();
}

unsigned rowsAtOnce(const Loop& rows, ScalarEvolution& evolution,
                    const TargetTransformInfo& target) {
  const unsigned count = evolution.getSmallConstantTripCount(&rows);
  if (count < 2 || !LoopJam::isIndependent(rows)) return 1;
  return RowCode(rows, target).rowsAtOnce(count);
}

bool jamAll(Function& function, FunctionAnalysisManager& analyses) {
  const auto& target = analyses.getResult<TargetIRAnalysis>(function);
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  SmallVector<Loop*> candidates;
  copy_if(analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder(),
          std::back_inserter(candidates), isCandidate);
  LoopJam jam(function, analyses);
  bool hasChanged = false;
  for (Loop* rows : candidates) {
    const unsigned atOnce = rowsAtOnce(*rows, evolution, target);
    if (atOnce == 1) continue;
    jam.run(*rows, atOnce, evolution.getSmallConstantTripCount(rows));
    hasChanged = true;
  }
  return hasChanged;
}

}  // namespace

PreservedAnalyses JamRowsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  if (none_of(analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder(), isCandidate))
    return PreservedAnalyses::all();
  askBefore(function, analyses, [](const Loop& loop, const LoopStandardAnalysisResults& known) {
    return isCandidate(&loop) && rowsAtOnce(loop, known.SE, known.TTI) > 1;
  });
  if (!jamAll(function, analyses)) return PreservedAnalyses::none();
  analyses.invalidate(function, PreservedAnalyses::none());
  EarlyCSEPass().run(function, analyses);  // what the rows share is one from here on
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
