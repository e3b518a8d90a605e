// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/split_products.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

namespace weft::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned kBits = 64;
constexpr unsigned kHalf = kBits / 2;

/// A factor of 128 bits that is the extension of one of 64 bits.
struct Factor {
  Value* bits;
  bool isSigned;
};

std::optional<Factor> factor(Value& wide, IRBuilderBase& builder) {
  Type* type = wide.getType()->getWithNewBitWidth(kBits);
  Value* narrow = nullptr;
  if (match(&wide, m_ZExt(m_Value(narrow))) && narrow->getType()->getScalarSizeInBits() <= kBits)
    return Factor{builder.CreateZExt(narrow, type), false};
  if (match(&wide, m_SExt(m_Value(narrow))) && narrow->getType()->getScalarSizeInBits() <= kBits)
    return Factor{builder.CreateSExt(narrow, type), true};
  const APInt* constant = nullptr;
  if (!match(&wide, m_APInt(constant))) return std::nullopt;
  const bool isSigned = constant->isNegative();
  if ((isSigned ? constant->getSignificantBits() : constant->getActiveBits()) > kBits)
    return std::nullopt;
  return Factor{ConstantInt::get(type, constant->trunc(kBits)), isSigned};
}

/// What a negative factor, as 64 bits without sign, has added to the product's upper half.
Value* excess(const Factor& negative, Value* other, IRBuilderBase& builder) {
  Constant* zero = Constant::getNullValue(other->getType());
  return builder.CreateSelect(builder.CreateICmpSLT(negative.bits, zero), other, zero);
}

Value* upperHalf(const Factor& left, const Factor& right, IRBuilderBase& builder) {
  Constant* low = ConstantInt::get(left.bits->getType(), maskTrailingOnes<uint64_t>(kHalf));
  const auto lower = [&](Value* value) { return builder.CreateAnd(value, low); };
  const auto upper = [&](Value* value) { return builder.CreateLShr(value, kHalf); };
  Value* x[] = {lower(left.bits), upper(left.bits)};
  Value* y[] = {lower(right.bits), upper(right.bits)};
  // No sum wraps: a product of 32 bits leaves room for two numbers of 32 bits.
  Value* middle =
      builder.CreateAdd(builder.CreateMul(x[1], y[0]), upper(builder.CreateMul(x[0], y[0])));
  Value* carried = builder.CreateAdd(builder.CreateMul(x[0], y[1]), lower(middle));
  Value* result = builder.CreateAdd(builder.CreateAdd(builder.CreateMul(x[1], y[1]), upper(middle)),
                                    upper(carried));
  if (left.isSigned) result = builder.CreateSub(result, excess(left, right.bits, builder));
  if (right.isSigned) result = builder.CreateSub(result, excess(right, left.bits, builder));
  return result;
}

/// The value of `cut` from operations on 64 bits; null where it is something else.
Value* split(TruncInst& cut) {
  if (!cut.getType()->isVectorTy() || cut.getSrcTy()->getScalarSizeInBits() != 2 * kBits ||
      cut.getType()->getScalarSizeInBits() > kBits)
    return nullptr;
  Value* left = nullptr;
  Value* right = nullptr;
  const APInt* count = nullptr;
  if (!match(cut.getOperand(0), m_Shr(m_Mul(m_Value(left), m_Value(right)), m_APInt(count))) ||
      count->ult(kBits) || count->uge(2 * kBits))
    return nullptr;
  IRBuilder<> builder(&cut);
  const auto x = factor(*left, builder);
  const auto y = factor(*right, builder);
  if (!x || !y) return nullptr;
  Value* result = upperHalf(*x, *y, builder);
  const uint64_t rest = count->getZExtValue() - kBits;
  result = match(cut.getOperand(0), m_AShr(m_Value(), m_Value()))
               ? builder.CreateAShr(result, rest)
               : builder.CreateLShr(result, rest);
  return builder.CreateTrunc(result, cut.getType());
}

}  // namespace

PreservedAnalyses SplitProductsPass::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<WeakTrackingVH> dead;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* cut = dyn_cast<TruncInst>(&instruction);
    Value* value = cut ? split(*cut) : nullptr;
    if (!value) continue;
    cut->replaceAllUsesWith(value);
    dead.emplace_back(cut);
  }
  if (dead.empty()) return PreservedAnalyses::all();
  RecursivelyDeleteTriviallyDeadInstructions(dead);
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace weft::compiler
