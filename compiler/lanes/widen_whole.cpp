// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Masked blocks that are written twice: for all lanes, and for some of them.
#include <llvm/IR/MDBuilder.h>

#include "base/tuning.h"
#include "ir/names.h"
#include "ir/uses.h"
#include "lanes/loop_widener.h"
#include "lanes/loop_work.h"

namespace weft::compiler {

using namespace llvm;

namespace {

/// What the block computes that is asked for after it. What an index is for lane 0 may be told from
/// the numbers that it was put together from, and whether lanes follow each other is asked of the
/// index in an address: those are kept too.
SmallVector<Instruction*> findResults(BasicBlock& block) {
  SmallSetVector<Instruction*, 8> results;
  for (Instruction& instruction : block)
    if (!isa<PHINode>(instruction) && isUsedBehind(instruction, block))
      results.insert(&instruction);
  for (unsigned i = 0; i < results.size(); ++i) {
    if (!isa<BinaryOperator, CastInst, FreezeInst, GetElementPtrInst>(results[i])) continue;
    for (Value* operand : results[i]->operands()) {
      auto* part = dyn_cast<Instruction>(operand);
      const bool isKept = part && (part->getType()->isIntegerTy() || isa<GetElementPtrInst>(part));
      if (isKept && part->getParent() == &block && !isa<PHINode>(part)) results.insert(part);
    }
  }
  return results.takeVector();
}

}  // namespace

/// Whether ids and what all lanes share decide who runs the block. Lane groups next to each other
/// then mostly decide alike, and the host knows beforehand; with data, every question about the
/// lanes of a mask may be one too many.
bool LoopWidener::isDecidedByIds(const BasicBlock& block) const {
  SmallPtrSet<const BasicBlock*, 8> blocks{&block};
  SmallPtrSet<const Value*, 16> seen;
  SmallVector<const BasicBlock*> above{&block};
  SmallVector<const Value*> values;
  while (!above.empty())
    for (const BasicBlock* before : predecessors(above.pop_back_val())) {
      const auto* branch = dyn_cast<BranchInst>(before->getTerminator());
      if (branch && branch->isConditional() && !plan_.uniformity.endsUniformly(*before))
        values.push_back(branch->getCondition());
      if (plan_.masks.isMasked(*before) && blocks.insert(before).second) above.push_back(before);
    }
  while (!values.empty()) {
    const auto* value = dyn_cast<Instruction>(values.pop_back_val());
    if (!value || !plan_.loop.contains(value) || plan_.shapes.of(value).isUniform() ||
        !seen.insert(value).second)
      continue;
    if (value->mayReadFromMemory()) return false;
    values.append(value->value_op_begin(), value->value_op_end());
  }
  return true;
}

/// A masked access costs more than the same without a mask where it misses the cache: the host
/// neither looks ahead for masked loads, nor finds what they read among masked stores. So a block
/// that reads or writes rows of global memory asks whether all lanes are there, as they mostly are
/// where ids decide: only borders, and the ends of loops, need masks. So does one that counts in
/// local memory, lane by lane.
bool LoopWidener::isWorthTwice(const BasicBlock& block) const {
  if (LaneCode::isFull(mask_) || !LaneCode::isFull(active_)) return false;
  unsigned accesses = 0, counts = 0, count = 0;
  for (const Instruction& instruction : block) {
    if (instruction.isDebugOrPseudoInst()) continue;
    if (++count > tuning::kVersionedItem) return false;
    if (isa<CallInst>(instruction) && !isa<IntrinsicInst>(instruction)) return false;
    counts += isCount(instruction);
    const Value* pointer = getLoadStorePointerOperand(&instruction);
    if (!pointer) continue;
    // Who calls later finds the work-item in what was stored here.
    const auto* variable = dyn_cast<AllocaInst>(pointer->stripInBoundsConstantOffsets());
    if (variable && names::isItem(*variable)) return false;
    const unsigned space = pointer->getType()->getPointerAddressSpace();
    accesses += (space == names::kGlobal || space == names::kConstant) &&
                plan_.shapes.of(pointer).kind == LaneShape::Affine;
  }
  const bool isSmall = count <= tuning::kWholeBlock && accesses + counts != 0;
  return (isSmall || accesses * tuning::kWorkOfMasked >= count) && isDecidedByIds(block);
}

void LoopWidener::emitTwice(BasicBlock& block) {
  Value* const mask = mask_;
  const SmallVector<Instruction*> results = findResults(block);
  SmallVector<Variables> variables;
  for (const Instruction* result : results) variables.push_back(makeVariables(*result));
  BasicBlock* all = newBlock(block.getName() + ".all");
  BasicBlock* some = newBlock(block.getName() + ".few");
  BasicBlock* after = newBlock(block.getName() + ".done");
  builder_.CreateCondBr(code_.all(mask), all, some,
                        MDBuilder(block.getContext()).createLikelyBranchWeights());
  for (const auto& [version, lanes] :
       {std::pair<BasicBlock*, Value*>{all, code_.fullMask()}, {some, mask}}) {
    builder_.SetInsertPoint(version);
    mask_ = lanes;
    for (Instruction& instruction : block)
      if (!isa<PHINode>(instruction)) values_.erase(&instruction);
    emitInstructions(block);
    for (unsigned i = 0; i < results.size(); ++i)
      for (unsigned part = 0; part < variables[i].size(); ++part)
        builder_.CreateStore(heldBy(results[i], *results[i], part), variables[i][part]);
    builder_.CreateBr(after);
  }
  builder_.SetInsertPoint(after);
  mask_ = mask;
  for (unsigned i = 0; i < results.size(); ++i) {
    values_.erase(results[i]);
    defineFrom(*results[i], variables[i]);
  }
}

}  // namespace weft::compiler
