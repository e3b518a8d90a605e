// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/unsign_divisions.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

namespace weft::compiler {

using namespace llvm;

/// The same as `division`, of numbers without signs.
static Value* unsignedOf(BinaryOperator& division) {
  IRBuilder<> builder(&division);
  Value* dividend = division.getOperand(0);
  Value* divisor = division.getOperand(1);
  const bool isQuotient = division.getOpcode() == Instruction::SDiv;
  const APInt* power = nullptr;
  if (PatternMatch::match(divisor, PatternMatch::m_Power2(power))) {
    Type* type = division.getType();
    return isQuotient ? builder.CreateLShr(dividend, ConstantInt::get(type, power->logBase2()))
                      : builder.CreateAnd(dividend, ConstantInt::get(type, *power - 1));
  }
  return isQuotient ? builder.CreateUDiv(dividend, divisor) : builder.CreateURem(dividend, divisor);
}

PreservedAnalyses UnsignDivisionsPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* division = dyn_cast<BinaryOperator>(&instruction);
    if (!division ||
        (division->getOpcode() != Instruction::SDiv && division->getOpcode() != Instruction::SRem))
      continue;
    const SimplifyQuery query(function.getDataLayout(), division);
    if (!isKnownNonNegative(division->getOperand(1), query) ||
        !isKnownNonNegative(division->getOperand(0), query))
      continue;
    Value* made = unsignedOf(*division);
    made->takeName(division);
    division->replaceAllUsesWith(made);
    division->eraseFromParent();
    changed = true;
  }
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
