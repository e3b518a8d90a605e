// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/back_off.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/CodeGen/AtomicExpandUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "analysis/update_loops.h"
#include "base/tuning.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Makes loops of atomic operations on floats.
void expandFloats(Function& function) {
  SmallVector<AtomicRMWInst*> updates;
  for (Instruction& instruction : instructions(function))
    if (auto* update = dyn_cast<AtomicRMWInst>(&instruction);
        update && AtomicRMWInst::isFPOperation(update->getOperation()))
      updates.push_back(update);
  const auto exchange = [](IRBuilderBase& builder, Value* place, Value* expected, Value* wanted,
                           Align align, AtomicOrdering order, SyncScope::ID scope, Value*& success,
                           Value*& seen) {
    Type* type = wanted->getType();
    Type* number = builder.getIntNTy(type->getPrimitiveSizeInBits().getFixedValue());
    Value* pair = builder.CreateAtomicCmpXchg(
        place, builder.CreateBitCast(expected, number), builder.CreateBitCast(wanted, number),
        align, order, AtomicCmpXchgInst::getStrongestFailureOrdering(order), scope);
    success = builder.CreateExtractValue(pair, 1, "success");
    seen = builder.CreateBitCast(builder.CreateExtractValue(pair, 0), type);
  };
  for (AtomicRMWInst* update : updates) expandAtomicRMWToCmpXchg(update, exchange);
}

/// Puts a pause on the way back to the header.
void pauseBefore(BasicBlock& again, BasicBlock& header) {
  BasicBlock* wait = SplitEdge(&again, &header);
  wait->setName("wait");
  BasicBlock* onward = SplitBlock(wait, wait->getTerminator());
  wait->getTerminator()->eraseFromParent();
  IRBuilder<> builder(wait);
  PHINode* count = builder.CreatePHI(builder.getInt32Ty(), 2, "pauses");
  builder.CreateIntrinsic(Intrinsic::x86_sse2_pause, {}, {});
  Value* next = builder.CreateAdd(count, builder.getInt32(1));
  count->addIncoming(builder.getInt32(0), &again);
  count->addIncoming(next, wait);
  builder.CreateCondBr(builder.CreateICmpEQ(next, builder.getInt32(tuning::kPausesOfLosers)),
                       onward, wait);
}

}  // namespace

PreservedAnalyses BackOffPass::run(Function& function, FunctionAnalysisManager&) {
  expandFloats(function);
  if (none_of(instructions(function),
              [](const Instruction& instruction) { return isa<AtomicCmpXchgInst>(instruction); }))
    return PreservedAnalyses::all();
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  SmallVector<std::pair<BasicBlock*, BasicBlock*>> failures;
  for (const Loop* loop : loops.getLoopsInPreorder())
    if (BasicBlock* latch = loop->getLoopLatch(); latch && findUpdate(*loop, dominators))
      failures.emplace_back(latch, loop->getHeader());
  for (const auto [latch, header] : failures) pauseBefore(*latch, *header);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
