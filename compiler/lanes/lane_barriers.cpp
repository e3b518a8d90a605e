// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Barriers in the code of a lane group, where one call stands for all lanes.
///
/// Lanes that do not come to a barrier are taken for ended, which counts as arrival, as it does for
/// fibers. One that comes to a later barrier all the same was not: in the order of the work-items
/// it would have waited there while others waited here.

#include "ir/barriers.h"
#include "lanes/loop_widener.h"
#include "weft/abi/services.h"

namespace weft::compiler {

using namespace llvm;

/// Before `start` nobody has met a barrier.
void LoopWidener::beginBarriers(Instruction& start) {
  const bool someMayMiss = any_of(plan_.masks.order(), [&](BasicBlock* block) {
    return plan_.masks.isMasked(*block) && any_of(*block, isBarrier);
  });
  if (!someMayMiss) return;
  arrived_ = makeVariable(code_.maskType(), "arrived");
  lastBarrier_ = makeVariable(builder_.getInt32Ty(), "last.barrier");
  new StoreInst(active_, arrived_, start.getIterator());
  new StoreInst(builder_.getInt32(0), lastBarrier_, start.getIterator());
}

/// Pre: some lane comes here.
void LoopWidener::emitBarrier(CallInst& call) {
  if (arrived_) {
    Value* arrived = builder_.CreateLoad(code_.maskType(), arrived_);
    Value* strays = builder_.CreateAnd(mask_, builder_.CreateNot(arrived));
    BasicBlock* diverged = newBlock("diverged");
    BasicBlock* together = newBlock("together");
    builder_.CreateCondBr(code_.any(strays), diverged, together);
    builder_.SetInsertPoint(diverged);
    Module& module = *function_.getParent();
    FunctionCallee report = module.getOrInsertFunction(
        abi::kDivergenceService, builder_.getVoidTy(), builder_.getPtrTy(), builder_.getInt32Ty(),
        builder_.getInt32Ty());
    auto* service = cast<Function>(report.getCallee());
    for (const auto kind : {Attribute::NoReturn, Attribute::NoUnwind, Attribute::Cold})
      service->addFnAttr(kind);
    Value* first = builder_.CreateLoad(builder_.getInt32Ty(), lastBarrier_);
    builder_.CreateCall(report, {call.getArgOperand(0), first, call.getArgOperand(1)});
    builder_.CreateUnreachable();
    builder_.SetInsertPoint(together);
    builder_.CreateStore(mask_, arrived_);
    builder_.CreateStore(call.getArgOperand(1), lastBarrier_);
  }
  Instruction* made = builder_.Insert(call.clone());
  if (!call.getType()->isVoidTy()) define(call, made);
}

}  // namespace weft::compiler
