// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/widen_half.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft::compiler {

using namespace llvm;

PreservedAnalyses WidenHalfPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call || !call->getType()->getScalarType()->isHalfTy()) continue;
    const Intrinsic::ID id = call->getIntrinsicID();
    if (id != Intrinsic::minnum && id != Intrinsic::maxnum) continue;
    IRBuilder<> builder(call);
    Type* wide = call->getType()->getWithNewType(builder.getFloatTy());
    Value* result =
        builder.CreateBinaryIntrinsic(id, builder.CreateFPExt(call->getArgOperand(0), wide),
                                      builder.CreateFPExt(call->getArgOperand(1), wide), call);
    call->replaceAllUsesWith(builder.CreateFPTrunc(result, call->getType()));
    call->eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
