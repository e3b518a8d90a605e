// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/jam_rows.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/DependenceAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "analysis/vector_registers.h"
#include "base/tuning.h"
#include "ir/item_loops.h"
#include "ir/loop_size.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// What tells LLVM that no two accesses of a loop over rows meet: within a work-item they stay in
/// their order all the same.
class RowAccesses : public AAResultBase {
 public:
  AliasResult alias(const MemoryLocation&, const MemoryLocation&, AAQueryInfo&,
                    const Instruction*) {
    return AliasResult::NoAlias;
  }
};

/// Whether it only tells optimisers or the host something, which LLVM takes for an access. Rows
/// that are run at once come back to a line so seldom that nobody needs to fetch it before.
bool isNote(const Instruction& instruction) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call && (isa<AssumeInst, NoAliasScopeDeclInst>(call) ||
                  call->getIntrinsicID() == Intrinsic::prefetch);
}

/// Whether rows can be run at once as far as memory goes.
bool isIndependent(const Loop& rows) {
  return all_of(rows.blocks(), [&](const BasicBlock* block) {
    return all_of(*block, [&](const Instruction& instruction) {
      if (isNote(instruction)) return true;
      if (!instruction.mayReadOrWriteMemory()) return !instruction.mayHaveSideEffects();
      return instruction.hasMetadata(LLVMContext::MD_invariant_load) ||
             ItemLoops::isIndependent(instruction);
    });
  });
}

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
        hasStores |= instruction.mayWriteToMemory() && !isNote(instruction);
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

/// Whether something that is the same in all rows decides which way they take, whether the inner
/// loop runs at all for the most part.
bool isGuarded(const Loop& rows) {
  return any_of(rows.blocks(), [&](const BasicBlock* block) {
    const auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    return branch && branch->isConditional() && !rows.getSubLoops().front()->contains(block) &&
           rows.isLoopInvariant(branch->getCondition());
  });
}

/// Asks that before the rows.
///
/// Does:    has LLVM unswitch loops over rows that would be joined but for what guards the loop
///          inside.
/// Assumes: loops are in simplified form, as LLVM's loop pass managers make them.
/// Leaves:  such a loop twice.
/// Reads:   trip counts that scalar evolution knows.
class UnswitchGuards : public PassInfoMixin<UnswitchGuards> {
 public:
  PreservedAnalyses run(Loop& loop, LoopAnalysisManager& analyses,
                        LoopStandardAnalysisResults& results, LPMUpdater& updater) {
    if (!isCandidate(&loop) || !isGuarded(loop) || !isIndependent(loop) ||
        RowCode(loop, results.TTI).rowsAtOnce(results.SE.getSmallConstantTripCount(&loop)) < 2)
      return PreservedAnalyses::all();
    return SimpleLoopUnswitchPass(/*NonTrivial=*/true).run(loop, analyses, results, updater);
  }
};

/// Brings candidates into the shape that LLVM joins: the way from the loop inside to the next row
/// is one block.
void prepare(Function& function, FunctionAnalysisManager& analyses) {
  FunctionPassManager passes;
  passes.addPass(createFunctionToLoopPassAdaptor(UnswitchGuards(), /*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  analyses.invalidate(function, passes.run(function, analyses));
}

class Jam {
 public:
  Jam(Function& function, FunctionAnalysisManager& analyses)
      : function_(function),
        loops_(analyses.getResult<LoopAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        assumptions_(analyses.getResult<AssumptionAnalysis>(function)),
        target_(analyses.getResult<TargetIRAnalysis>(function)),
        aliases_(analyses.getResult<TargetLibraryAnalysis>(function)) {
    aliases_.addAAResult(accesses_);
  }

  bool run() {
    SmallVector<Loop*> candidates;
    copy_if(loops_.getLoopsInPreorder(), std::back_inserter(candidates), isCandidate);
    bool hasChanged = false;
    for (Loop* rows : candidates) hasChanged |= jam(*rows);
    return hasChanged;
  }

 private:
  bool jam(Loop& rows) {
    const unsigned count = evolution_.getSmallConstantTripCount(&rows);
    if (count < 2 || !isIndependent(rows)) return false;
    const unsigned atOnce = RowCode(rows, target_).rowsAtOnce(count);
    if (atOnce == 1) return false;
    Loop& inner = *rows.getSubLoops().front();
    for (BasicBlock* block : rows.blocks())
      for (Instruction& instruction : make_early_inc_range(*block))
        if (isNote(instruction)) instruction.eraseFromParent();
    simplifyLoop(&rows, &dominators_, &loops_, &evolution_, &assumptions_, nullptr,
                 /*PreserveLCSSA=*/false);
    formLCSSARecursively(rows, dominators_, &loops_, &evolution_);
    DependenceInfo dependences(&function_, &aliases_, &evolution_, &loops_);
    if (!isSafeToUnrollAndJam(&rows, evolution_, dominators_, dependences, loops_)) return true;
    OptimizationRemarkEmitter remarks(&function_);
    const LoopUnrollResult result =
        UnrollAndJamLoop(&rows, atOnce, count, count, /*UnrollRemainder=*/false, &loops_,
                         &evolution_, &dominators_, &assumptions_, &target_, &remarks);
    if (result == LoopUnrollResult::Unmodified) return true;
    if (result == LoopUnrollResult::PartiallyUnrolled) markDone(rows);
    joinCounters(inner);
    return true;
  }

  /// What is left counts through numbers of rows, of which no more can be run at once.
  static void markDone(Loop& rows) {
    LLVMContext& context = rows.getHeader()->getContext();
    MDNode* whole = MDNode::get(context, MDString::get(context, "llvm.loop.unroll.disable"));
    MDNode* loop = MDNode::getDistinct(context, {nullptr, whole});
    loop->replaceOperandWith(0, loop);
    rows.setLoopID(loop);
  }

  /// Each row has brought its own.
  void joinCounters(Loop& inner) {
    const DataLayout& layout = function_.getParent()->getDataLayout();
    SCEVExpander expander(evolution_, layout, "jam");
    SmallVector<WeakTrackingVH, 8> dead;
    expander.replaceCongruentIVs(&inner, &dominators_, dead, &target_);
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
  }

  Function& function_;
  LoopInfo& loops_;
  DominatorTree& dominators_;
  ScalarEvolution& evolution_;
  AssumptionCache& assumptions_;
  TargetTransformInfo& target_;
  RowAccesses accesses_;
  AAResults aliases_;
};

}  // namespace

PreservedAnalyses JamRowsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  if (none_of(analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder(), isCandidate))
    return PreservedAnalyses::all();
  prepare(function, analyses);
  if (!Jam(function, analyses).run()) return PreservedAnalyses::none();
  analyses.invalidate(function, PreservedAnalyses::none());
  EarlyCSEPass().run(function, analyses);  // what the rows share is one from here on
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
