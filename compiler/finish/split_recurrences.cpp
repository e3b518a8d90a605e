// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/split_recurrences.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "analysis/vector_registers.h"
#include "base/tuning.h"

namespace weft::compiler {
namespace {

using namespace llvm;

using Needed = SmallPtrSet<const Instruction*, 16>;

/// The recurrences of a loop of one block, and what it hands on.
class Recurrences {
 public:
  Recurrences(BasicBlock& body, const VectorRegisters& registers)
      : body_(body), registersOfHost_(registers) {}

  /// Whether the loop is one whose recurrences can be told apart.
  bool find() {
    if (any_of(body_, [](const Instruction& instruction) {
          return instruction.mayReadOrWriteMemory() || instruction.mayThrow() ||
                 !instruction.willReturn();
        }))
      return false;
    add(*body_.getTerminator(), control_);
    for (PHINode& phi : body_.phis()) {
      if (control_.contains(&phi)) {
        if (phi.getType()->isVectorTy()) return false;
        continue;
      }
      join(phi);
    }
    for (Instruction& instruction : body_)
      if (any_of(instruction.users(), [&](const User* user) {
            return cast<Instruction>(user)->getParent() != &body_;
          })) {
        results_.push_back(&instruction);
        join(instruction);
      }
    return true;
  }

  /// Registers that hold what goes round the loop.
  unsigned registers() const {
    unsigned needed = 0;
    for (const PHINode& phi : body_.phis()) needed += registersOf(phi);
    return needed;
  }

  /// Parts that each need some `registers` at most; none where there is nothing to gain.
  SmallVector<Needed> parts(unsigned registers) const {
    MapVector<const Instruction*, SmallVector<const Instruction*>> groups;
    for (PHINode& phi : body_.phis())
      if (!control_.contains(&phi)) groups[classes_.getLeaderValue(&phi)].push_back(&phi);
    const unsigned needed = this->registers();
    const unsigned count = divideCeil(needed, registers);
    if (count < 2 || groups.size() / count < tuning::kEnoughChains) return {};
    SmallVector<Needed> parts(count, control_);
    unsigned taken = 0;
    DenseMap<const Instruction*, unsigned> partOf;
    for (const auto& [leader, phis] : groups) {
      const unsigned part = std::min(taken * count / needed, count - 1);
      partOf[leader] = part;
      for (const Instruction* phi : phis) {
        taken += registersOf(*phi);
        add(*phi, parts[part]);
      }
    }
    for (const Instruction* result : results_) {
      const Instruction* leader = leaderOf(*result);
      add(*result, parts[leader ? partOf.lookup(leader) : 0]);
    }
    return parts;
  }

  ArrayRef<Instruction*> results() const { return results_; }

 private:
  const Instruction* inside(const Value* value) const {
    const auto* instruction = dyn_cast<Instruction>(value);
    return instruction && instruction->getParent() == &body_ ? instruction : nullptr;
  }

  unsigned registersOf(const Instruction& phi) const {
    return phi.getType()->isVectorTy() ? registersOfHost_.neededFor(phi) : 0;
  }

  /// Adds an instruction with all that it is computed from, round the loop.
  void add(const Instruction& instruction, Needed& needed) const {
    SmallVector<const Instruction*> left{&instruction};
    while (!left.empty()) {
      const Instruction* next = left.pop_back_val();
      if (!needed.insert(next).second) continue;
      for (const Value* operand : next->operand_values())
        if (const Instruction* from = inside(operand)) left.push_back(from);
    }
  }

  /// The phis that an instruction is computed from, but for those that decide how often.
  SmallVector<const PHINode*> phisOf(const Instruction& instruction) const {
    Needed needed = control_;
    add(instruction, needed);
    SmallVector<const PHINode*> phis;
    for (PHINode& phi : body_.phis())
      if (needed.contains(&phi) && !control_.contains(&phi)) phis.push_back(&phi);
    return phis;
  }

  /// Makes one recurrence of all that an instruction is computed from.
  void join(const Instruction& instruction) {
    const SmallVector<const PHINode*> phis = phisOf(instruction);
    for (const PHINode* phi : phis) classes_.unionSets(phis.front(), phi);
  }

  /// Of the recurrence that an instruction belongs to; null if to none.
  const Instruction* leaderOf(const Instruction& instruction) const {
    const SmallVector<const PHINode*> phis = phisOf(instruction);
    return phis.empty() ? nullptr : classes_.getLeaderValue(phis.front());
  }

  BasicBlock& body_;
  const VectorRegisters& registersOfHost_;
  Needed control_;  ///< what decides how often it goes round
  EquivalenceClasses<const Instruction*> classes_;
  SmallVector<Instruction*> results_;  ///< what others use
};

/// Removes from a copy of the loop what its part does not need.
void keep(BasicBlock& copy, const Needed& needed) {
  for (Instruction& instruction : make_early_inc_range(reverse(copy))) {
    if (needed.contains(&instruction)) continue;
    instruction.replaceAllUsesWith(PoisonValue::get(instruction.getType()));
    instruction.eraseFromParent();
  }
}

/// Puts a copy of the loop behind `last` for each part but the first, which the loop itself keeps.
void split(BasicBlock& body, ArrayRef<Needed> parts, ArrayRef<Instruction*> results) {
  auto* branch = cast<BranchInst>(body.getTerminator());
  const unsigned toExit = branch->getSuccessor(0) == &body ? 1 : 0;
  BasicBlock* exit = branch->getSuccessor(toExit);
  BasicBlock* last = &body;
  for (const Needed& part : parts.drop_front()) {
    ValueToValueMapTy map;
    BasicBlock* copy = CloneBasicBlock(&body, map, ".part", body.getParent());
    copy->moveAfter(last);
    map[&body] = copy;
    remapInstructionsInBlocks(copy, map);
    for (PHINode& phi : copy->phis())
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
        if (phi.getIncomingBlock(i) != copy) phi.setIncomingBlock(i, last);
    last->getTerminator()->setSuccessor(toExit, copy);
    for (Instruction* result : results)
      if (part.contains(result) && !parts.front().contains(result))
        result->replaceUsesWithIf(map[result], [&](const Use& use) {
          const BasicBlock* user = cast<Instruction>(use.getUser())->getParent();
          return user != &body;
        });
    Needed needed;
    for (const Instruction* instruction : part) needed.insert(cast<Instruction>(map[instruction]));
    keep(*copy, needed);
    last = copy;
  }
  exit->replacePhiUsesWith(&body, last);
  keep(body, parts.front());
}

}  // namespace

PreservedAnalyses SplitRecurrencesPass::run(Function& function, FunctionAnalysisManager& analyses) {
  const VectorRegisters registers =
      VectorRegisters::of(analyses.getResult<TargetIRAnalysis>(function));
  if (registers.bits == 0) return PreservedAnalyses::all();
  SmallVector<BasicBlock*> bodies;
  for (const Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (loop->getNumBlocks() == 1 && loop->getLoopPredecessor() && loop->getExitBlock() &&
        isa<BranchInst>(loop->getHeader()->getTerminator()))
      bodies.push_back(loop->getHeader());
  bool changed = false;
  for (BasicBlock* body : bodies) {
    Recurrences recurrences(*body, registers);
    if (recurrences.registers() <= registers.count || !recurrences.find()) continue;
    const SmallVector<Needed> parts = recurrences.parts(registers.count);
    if (parts.empty()) continue;
    split(*body, parts, recurrences.results());
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
