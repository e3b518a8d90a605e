// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/arithmetic.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>

#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Intrinsics of one type, and the question what kind of number an element is.
bool isElementwise(const IntrinsicInst& call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  if (id == Intrinsic::is_fpclass) return true;
  if (!isTriviallyVectorizable(id)) return false;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (isVectorIntrinsicWithScalarOpAtArg(id, i) ||
        call.getArgOperand(i)->getType() != call.getType())
      return false;
  return true;
}

bool isElementwise(const Instruction& instruction) {
  if (const auto* call = dyn_cast<CallInst>(&instruction)) {
    const Function* callee = call->getCalledFunction();
    if (callee && callee->hasFnAttribute(names::kEstimateAttribute)) return true;
    const auto* intrinsic = dyn_cast<IntrinsicInst>(call);
    return intrinsic && isElementwise(*intrinsic);
  }
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst, FreezeInst>(instruction);
}

}  // namespace

bool isArithmetic(const Function& scalar) {
  if (scalar.size() != 1) return false;
  for (const Instruction& instruction : scalar.front().instructionsWithoutDebug()) {
    if (isa<ReturnInst>(instruction)) continue;
    if (!VectorType::isValidElementType(instruction.getType()) || !isElementwise(instruction))
      return false;
    for (const Value* operand : instruction.operands())
      if (!isa<Function>(operand) && !VectorType::isValidElementType(operand->getType()))
        return false;
  }
  return true;
}

bool isOfScalars(const Function& function) {
  return VectorType::isValidElementType(function.getReturnType()) &&
         all_of(function.args(), [](const Argument& argument) {
           return VectorType::isValidElementType(argument.getType());
         });
}

}  // namespace weft::compiler
