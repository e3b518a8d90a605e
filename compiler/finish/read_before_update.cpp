// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/read_before_update.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "analysis/update_loops.h"

namespace weft::compiler {
namespace {

using namespace llvm;

void readBefore(AtomicRMWInst& update) {
  IRBuilder<> builder(&update);
  LoadInst* seen = builder.CreateAlignedLoad(update.getType(), update.getPointerOperand(),
                                             update.getAlign(), "seen");
  seen->setAtomic(AtomicOrdering::Monotonic, update.getSyncScopeID());
  seen->copyMetadata(update, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  Value* result = buildAtomicRMWValue(update.getOperation(), builder, seen, update.getValOperand());
  Value* changes = builder.CreateICmpNE(result, seen);
  BasicBlock* before = update.getParent();
  BasicBlock* after = SplitBlockAndInsertIfThen(changes, &update, false)->getSuccessor(0);
  BasicBlock* change = cast<BranchInst>(before->getTerminator())->getSuccessor(0);
  if (!update.use_empty()) {
    PHINode* old = PHINode::Create(update.getType(), 2, "", after->begin());
    update.replaceAllUsesWith(old);
    old->addIncoming(seen, before);
    old->addIncoming(&update, change);
  }
  update.moveBefore(change->getTerminator());
}

}  // namespace

PreservedAnalyses ReadBeforeUpdatePass::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<AtomicRMWInst*> updates;
  for (Instruction& instruction : instructions(function))
    if (auto* update = dyn_cast<AtomicRMWInst>(&instruction); update && seldomChanges(*update))
      updates.push_back(update);
  if (updates.empty() || hasReleases(*function.getParent())) return PreservedAnalyses::all();
  for (AtomicRMWInst* update : updates) readBefore(*update);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
