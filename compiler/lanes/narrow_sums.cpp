// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/narrow_sums.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace weft::compiler {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr unsigned kMaxDepth = 6;

/// An operation of which the low bits of the operands give the low bits of the result, and which
/// goes away when its only user does.
BinaryOperator* sumIn(Value& value) {
  auto* operation = dyn_cast<BinaryOperator>(&value);
  if (!operation || !operation->hasOneUse()) return nullptr;
  switch (operation->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
      return operation;
    default:
      return nullptr;
  }
}

/// Whether what was extended from `type` is a part of the sum.
bool hasNarrowPart(Value& value, Type* type, unsigned depth) {
  Value* narrow = nullptr;
  if (match(&value, m_ZExtOrSExt(m_Value(narrow)))) return narrow->getType() == type;
  const BinaryOperator* operation = sumIn(value);
  return operation && depth < kMaxDepth &&
         any_of(
             operation->operands(),
             [&](const Use& use) { return hasNarrowPart(*use.get(), type, depth + 1); });
}

Value* cut(IRBuilder<>& builder, Value& value, Type* type, unsigned depth) {
  Value* narrow = nullptr;
  if (match(&value, m_ZExtOrSExt(m_Value(narrow))) && narrow->getType() == type) return narrow;
  if (const BinaryOperator* operation = sumIn(value); operation && depth < kMaxDepth)
    return builder.CreateBinOp(operation->getOpcode(),
                               cut(builder, *operation->getOperand(0), type, depth + 1),
                               cut(builder, *operation->getOperand(1), type, depth + 1));
  return builder.CreateTrunc(&value, type);
}

}  // namespace

PreservedAnalyses NarrowSumsPass::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<TruncInst*> found;
  for (Instruction& instruction : instructions(function))
    if (auto* trunc = dyn_cast<TruncInst>(&instruction))
      if (Value& sum = *trunc->getOperand(0); sumIn(sum) && hasNarrowPart(sum, trunc->getType(), 0))
        found.push_back(trunc);
  for (TruncInst* trunc : found) {
    IRBuilder<> builder(trunc);
    Value* narrow = cut(builder, *trunc->getOperand(0), trunc->getType(), 0);
    narrow->takeName(trunc);
    trunc->replaceAllUsesWith(narrow);
    RecursivelyDeleteTriviallyDeadInstructions(trunc);
  }
  if (found.empty()) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace weft::compiler
