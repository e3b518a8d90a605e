// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/thread_cleanups.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace weft::compiler {
namespace {

using namespace llvm;

/// Blocks that are looked back through for what a variable holds.
constexpr unsigned kBlocksBack = 16;

/// The end of a scope, which asks a variable where to go on.
struct Cleanup {
  BasicBlock* block;
  LoadInst* asked;
  SwitchInst* choice;
  const AllocaInst* where;
};

/// Whether nothing but loads and stores of the whole variable knows of it.
bool isPlain(const AllocaInst& variable) {
  return all_of(variable.users(), [&](const User* user) {
    const auto* load = dyn_cast<LoadInst>(user);
    const auto* store = dyn_cast<StoreInst>(user);
    return (load && load->isSimple()) ||
           (store && store->isSimple() && store->getValueOperand() != &variable);
  });
}

std::optional<Cleanup> cleanupIn(BasicBlock& block) {
  auto* choice = dyn_cast<SwitchInst>(block.getTerminator());
  auto* asked = choice ? dyn_cast<LoadInst>(choice->getCondition()) : nullptr;
  if (!asked || asked->getParent() != &block || !asked->hasOneUse()) return std::nullopt;
  const auto* where = dyn_cast<AllocaInst>(asked->getPointerOperand());
  if (!where || where->getAllocatedType() != asked->getType() || !isPlain(*where))
    return std::nullopt;
  for (const Instruction& instruction : block)
    if (&instruction != asked && &instruction != choice && !isa<LifetimeIntrinsic>(instruction) &&
        !isa<DbgInfoIntrinsic>(instruction))
      return std::nullopt;
  return Cleanup{&block, asked, choice, where};
}

/// What the variable holds at the end of `block`, where only one way leads from a store of a
/// constant to there.
ConstantInt* heldAtEnd(const AllocaInst& variable, BasicBlock* block) {
  for (unsigned i = 0; block && i < kBlocksBack; ++i, block = block->getSinglePredecessor())
    for (Instruction& instruction : reverse(*block))
      if (auto* store = dyn_cast<StoreInst>(&instruction);
          store && store->getPointerOperand() == &variable)
        return dyn_cast<ConstantInt>(store->getValueOperand());
  return nullptr;
}

/// Has `from` go on to `to` by a copy of the cleanup.
void thread(const Cleanup& cleanup, BasicBlock& from, BasicBlock& to) {
  BasicBlock& block = *cleanup.block;
  BasicBlock* copy = BasicBlock::Create(block.getContext(), "", block.getParent(), &block);
  IRBuilder<> builder(copy);
  for (const Instruction& instruction : block)
    if (isa<LifetimeIntrinsic>(instruction)) builder.Insert(instruction.clone());
  builder.CreateBr(&to);
  for (PHINode& phi : to.phis()) phi.addIncoming(phi.getIncomingValueForBlock(&block), copy);
  from.getTerminator()->replaceSuccessorWith(&block, copy);
}

}  // namespace

PreservedAnalyses ThreadCleanupsPass::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<Cleanup> cleanups;
  for (BasicBlock& block : function)
    if (const auto cleanup = cleanupIn(block)) cleanups.push_back(*cleanup);
  bool hasChanged = false;
  // A way may lead through the ends of several scopes, which follow each other in the function.
  for (const Cleanup& cleanup : cleanups) {
    const SmallSetVector<BasicBlock*, 8> ways(pred_begin(cleanup.block), pred_end(cleanup.block));
    for (BasicBlock* from : ways) {
      ConstantInt* next = heldAtEnd(*cleanup.where, from);
      if (!next) continue;
      thread(cleanup, *from, *cleanup.choice->findCaseValue(next)->getCaseSuccessor());
      hasChanged = true;
    }
  }
  if (!hasChanged) return PreservedAnalyses::all();
  EliminateUnreachableBlocks(function);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
