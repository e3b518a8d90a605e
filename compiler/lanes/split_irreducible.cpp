// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/split_irreducible.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <optional>

#include "base/tuning.h"

namespace weft::compiler {
namespace {

using namespace llvm;

using Blocks = SmallSetVector<BasicBlock*, 8>;

/// What lies between the entries of `cycle` but `stays`, and `stays`.
Blocks blocksBefore(const BasicBlock* stays, const Cycle& cycle) {
  Blocks found;
  for (BasicBlock* entry : cycle.getEntries())
    if (entry != stays) found.insert(entry);
  for (size_t i = 0; i < found.size(); ++i)
    for (BasicBlock* next : successors(found[i]))
      if (next != stays && cycle.contains(next)) found.insert(next);
  return found;
}

/// Instructions to copy; nothing when some may not be.
std::optional<size_t> costOf(const Blocks& blocks) {
  size_t cost = 0;
  for (const BasicBlock* block : blocks) {
    if (!isa<BranchInst>(block->getTerminator())) return std::nullopt;
    for (const Instruction& instruction : *block) {
      const auto* call = dyn_cast<CallBase>(&instruction);
      if (call && (call->isConvergent() || call->cannotDuplicate())) return std::nullopt;
      if (isa<AllocaInst>(instruction) || instruction.getType()->isTokenTy()) return std::nullopt;
    }
    cost += block->sizeWithoutDebug();
  }
  return cost;
}

struct Split {
  BasicBlock* stays = nullptr;  ///< the entry that is left
  Blocks copied;
  size_t cost = ~size_t{0};
};

Split cheapestSplit(const Cycle& cycle) {
  Split best;
  for (BasicBlock* entry : cycle.getEntries()) {
    Blocks copied = blocksBefore(entry, cycle);
    if (const auto cost = costOf(copied); cost && *cost < best.cost)
      best = {entry, std::move(copied), *cost};
  }
  return best;
}

/// Has everything that is handed on between blocks, from or to one of `blocks`, go through
/// variables, so that copies of the blocks need to know nothing of each other.
SmallVector<AllocaInst*> demote(const Blocks& blocks) {
  SmallVector<AllocaInst*> variables;
  SmallSetVector<PHINode*, 16> phis;
  for (BasicBlock* block : blocks) {
    for (PHINode& phi : block->phis()) phis.insert(&phi);
    for (BasicBlock* next : successors(block))
      for (PHINode& phi : next->phis()) phis.insert(&phi);
  }
  for (PHINode* phi : phis)
    if (AllocaInst* variable = DemotePHIToStack(phi)) variables.push_back(variable);
  SmallVector<Instruction*> handedOn;
  for (BasicBlock* block : blocks)
    for (Instruction& instruction : *block)
      if (any_of(instruction.users(),
                 [&](const User* user) { return cast<Instruction>(user)->getParent() != block; }))
        handedOn.push_back(&instruction);
  for (Instruction* instruction : handedOn)
    if (AllocaInst* variable = DemoteRegToStack(*instruction)) variables.push_back(variable);
  return variables;
}

void apply(const Cycle& cycle, const Split& split, Function& function) {
  // The cycle is gone once blocks change.
  SmallVector<std::pair<BasicBlock*, BasicBlock*>> comingIn;
  for (BasicBlock* entry : cycle.getEntries())
    if (entry != split.stays)
      for (BasicBlock* before : predecessors(entry))
        if (!cycle.contains(before)) comingIn.emplace_back(before, entry);
  const SmallVector<AllocaInst*> variables = demote(split.copied);
  SmallVector<MDNode*> scopes;
  identifyNoAliasScopesToClone(split.copied.getArrayRef(), scopes);
  ValueToValueMapTy copies;
  SmallVector<BasicBlock*> made;
  for (BasicBlock* block : split.copied) {
    made.push_back(CloneBasicBlock(block, copies, ".copy", &function));
    copies[block] = made.back();
  }
  remapInstructionsInBlocks(made, copies);
  cloneAndAdaptNoAliasScopes(scopes, made, function.getContext(), "copy");
  for (auto [before, entry] : comingIn)
    before->getTerminator()->replaceSuccessorWith(entry, cast<BasicBlock>(copies[entry]));
  DominatorTree dominators(function);
  PromoteMemToReg(variables, dominators);
}

}  // namespace

PreservedAnalyses SplitIrreduciblePass::run(Function& function, FunctionAnalysisManager&) {
  size_t left = tuning::kCopiedForEntries;
  bool changed = false;
  for (bool again = true; again;) {
    again = false;
    CycleInfo cycles;
    cycles.compute(function);
    for (const Cycle* outermost : cycles.toplevel_cycles()) {
      for (const Cycle* cycle : depth_first(outermost)) {
        if (cycle->isReducible()) continue;
        const Split split = cheapestSplit(*cycle);
        if (split.cost > left) continue;
        left -= split.cost;
        apply(*cycle, split, function);
        again = changed = true;
        break;
      }
      if (again) break;
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
