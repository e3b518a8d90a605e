// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/fuse_products.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "ir/host_target.h"

namespace weft::compiler {

using namespace llvm;

PreservedAnalyses FuseProductsPass::run(Function& function, FunctionAnalysisManager&) {
  if (!hostHas("+fma")) return PreservedAnalyses::all();
  bool isChanged = false;
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call || call->getIntrinsicID() != Intrinsic::fmuladd || call->hasAllowReassoc()) continue;
    const Type* type = call->getType()->getScalarType();
    if (!type->isFloatTy() && !type->isDoubleTy()) continue;
    call->setCalledFunction(
        Intrinsic::getDeclaration(function.getParent(), Intrinsic::fma, {call->getType()}));
    isChanged = true;
  }
  if (!isChanged) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
