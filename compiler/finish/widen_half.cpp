// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/widen_half.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft::compiler {

using namespace llvm;

namespace {

Value* widen(IRBuilder<>& builder, Value* half) {
  return builder.CreateFPExt(half, half->getType()->getWithNewType(builder.getFloatTy()));
}

bool widenMinimum(IntrinsicInst& call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  if (id != Intrinsic::minnum && id != Intrinsic::maxnum) return false;
  IRBuilder<> builder(&call);
  Value* left = widen(builder, call.getArgOperand(0));
  Value* result =
      builder.CreateBinaryIntrinsic(id, left, widen(builder, call.getArgOperand(1)), &call);
  call.replaceAllUsesWith(builder.CreateFPTrunc(result, call.getType()));
  call.eraseFromParent();
  return true;
}

/// A comparison by size, which may be one half of a choice that code generation makes a minimum or
/// maximum of.
bool widenComparison(FCmpInst& comparison) {
  if (comparison.isCommutative()) return false;
  IRBuilder<> builder(&comparison);
  for (Use& operand : comparison.operands()) operand.set(widen(builder, operand.get()));
  return true;
}

bool isHalf(const Value& value) { return value.getType()->getScalarType()->isHalfTy(); }

}  // namespace

PreservedAnalyses WidenHalfPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (auto* call = dyn_cast<IntrinsicInst>(&instruction); call && isHalf(*call))
      changed |= widenMinimum(*call);  // which may end its life
    else if (auto* comparison = dyn_cast<FCmpInst>(&instruction);
             comparison && isHalf(*comparison->getOperand(0)))
      changed |= widenComparison(*comparison);
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
