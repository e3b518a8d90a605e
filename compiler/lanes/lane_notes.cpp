// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What people are told about code that is slower in lanes than it might be.
#include "ir/names.h"
#include "lanes/loop_widener.h"
#include "weft/abi/services.h"

namespace weft::compiler {

using namespace llvm;

/// Why `instruction`, which is not an access to places that do not follow each other, is run for
/// one lane after the other.
std::string LoopWidener::laneReason(const Instruction& instruction) const {
  if (instruction.isAtomic()) return "an atomic operation";
  if (const auto* call = dyn_cast<CallBase>(&instruction)) {
    const Function* callee = call->getCalledFunction();
    if (!callee) return "a call";
    const bool prints = callee->getName() == abi::kPrintfService;
    return "a call of '" + (prints ? "printf" : names::displayName(*callee)) + "'";
  }
  if (instruction.isVolatile()) return "a volatile access";
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  if (!pointer) return std::string("no form for lanes of '") + instruction.getOpcodeName() + "'";
  return "an access under a mask to less than a register";
}

void LoopWidener::noteLaneByLane(const Instruction& instruction) {
  if (!explanation_) return;
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  if (pointer && !instruction.isAtomic() && !instruction.isVolatile() && isScattered(instruction))
    return noteScattered(instruction, ", one lane after the other");
  explanation_->note("lane by lane: " + laneReason(instruction), instruction);
}

bool LoopWidener::isScattered(const Instruction& access) const {
  const auto* store = dyn_cast<StoreInst>(&access);
  Type* type = store ? store->getValueOperand()->getType() : access.getType();
  const LaneShape shape = plan_.shapes.of(getLoadStorePointerOperand(&access));
  const auto size = static_cast<int64_t>(layout_.getTypeAllocSize(type->getScalarType()));
  return shape.isVarying() || std::abs(shape.stride) != size;
}

void LoopWidener::noteScattered(const Instruction& access, const char* how) {
  if (!explanation_) return;
  const LaneShape shape = plan_.shapes.of(getLoadStorePointerOperand(&access));
  std::string text = isa<StoreInst>(access) ? "scatter" : "gather";
  if (!shape.isVarying()) text += " with " + std::to_string(shape.stride) + " bytes between lanes";
  if (plan_.likelyRows.contains(access)) text += " where places do not follow each other";
  explanation_->note(text + how, access);
}

/// Branches that lanes leave in different directions.
void LoopWidener::noteBranches() {
  SmallVector<const BranchInst*> ways;
  SmallPtrSet<const DILocation*, 8> loops;
  for (const BasicBlock* block : plan_.loop.blocks()) {
    const auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || branch->isUnconditional() || plan_.uniformity.endsUniformly(*block) ||
        plan_.shapes.of(branch->getCondition()).isUniform())
      continue;
    const Loop* inner = plan_.innermost(*block);
    if (inner == &plan_.loop ||
        all_of(successors(block), [&](const BasicBlock* next) { return inner->contains(next); })) {
      ways.push_back(branch);
      continue;
    }
    loops.insert(branch->getDebugLoc().get());
    explanation_->note(
        "masks: work-items leave this loop at different times, the last of them ends it", *branch);
  }
  // The question whether to enter a loop at all has the loop's place.
  for (const BranchInst* branch : ways)
    if (!branch->getDebugLoc() || !loops.contains(branch->getDebugLoc().get()))
      explanation_->note("masks: work-items take both ways of this branch", *branch);
}

}  // namespace weft::compiler
