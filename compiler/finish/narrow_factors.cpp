// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/narrow_factors.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

namespace weft::compiler {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

enum class Extension : uint8_t { Zero, Sign };

/// How a value of vectors is extended from half of its bits; none where it is not.
std::optional<Extension> extensionOf(const Value& vector, const DataLayout& layout) {
  const unsigned half = vector.getType()->getScalarSizeInBits() / 2;
  const Value* same = getSplatValue(&vector);
  const Value& value = same ? *same : vector;
  if (computeKnownBits(&value, layout).countMinLeadingZeros() >= half) return Extension::Zero;
  if (ComputeNumSignBits(&value, layout) > half) return Extension::Sign;
  return std::nullopt;
}

/// A shift that leaves nothing but bits of a product's upper half, where nothing else is asked for.
struct UpperHalf {
  BinaryOperator* shift;
  TruncInst* cut;
  unsigned excess;  ///< bits of the upper half that are shifted out
};

std::optional<UpperHalf> upperHalfOf(BinaryOperator& product) {
  const unsigned half = product.getType()->getScalarSizeInBits() / 2;
  if (!product.hasOneUse()) return std::nullopt;
  auto* shift = dyn_cast<BinaryOperator>(product.user_back());
  const APInt* count = nullptr;
  if (!shift || !match(shift, m_Shr(m_Specific(&product), m_APInt(count))) || !shift->hasOneUse() ||
      count->ult(half) || count->uge(2 * uint64_t{half}))
    return std::nullopt;
  auto* cut = dyn_cast<TruncInst>(shift->user_back());
  if (!cut || cut->getType()->getScalarSizeInBits() > half) return std::nullopt;
  return UpperHalf{shift, cut, static_cast<unsigned>(count->getZExtValue()) - half};
}

class Factors {
 public:
  Factors(const LoopInfo& loops, const DataLayout& layout) : loops_(loops), layout_(layout) {}

  bool narrow(BinaryOperator& product) {
    const auto left = extensionOf(*product.getOperand(0), layout_);
    if (!left || left != extensionOf(*product.getOperand(1), layout_)) return false;
    const auto upper = upperHalfOf(product);
    const bool isLong = product.getType()->getScalarSizeInBits() == 64;
    bool changed = false;
    for (Use& factor : product.operands()) {
      auto* value = dyn_cast<Instruction>(factor);
      if (!value || value->getParent() == product.getParent()) continue;
      if (Value* near = upper ? extended(*value, product, *left)
                              : (isLong ? masked(*value, product, *left) : nullptr)) {
        factor.set(near);
        if (value->use_empty()) value->eraseFromParent();
        changed = true;
      }
    }
    if (upper && upper->excess != 0) {
      shiftLast(*upper);
      changed = true;
    }
    return changed;
  }

 private:
  /// The factor from its lower half, beside the product. Null where that half would have to be made
  /// as often as the product is.
  Value* extended(Instruction& value, BinaryOperator& product, Extension extension) {
    Type* type = value.getType()->getWithNewBitWidth(value.getType()->getScalarSizeInBits() / 2);
    Value* half = nullptr;
    if (!match(&value, m_ZExtOrSExt(m_Value(half))) || half->getType() != type) {
      const Loop* loop = loops_.getLoopFor(product.getParent());
      const auto after = value.getInsertionPointAfterDef();
      if (!loop || !loop->isLoopInvariant(&value) || !after) return nullptr;
      half = IRBuilder<>(value.getParent(), *after).CreateTrunc(&value, type);
    }
    IRBuilder<> builder(&product);
    return extension == Extension::Zero ? builder.CreateZExt(half, value.getType())
                                        : builder.CreateSExt(half, value.getType());
  }

  /// The factor again, with what its upper half is known to be: an operation that multiplications
  /// of halves make do without.
  static Value* masked(Instruction& value, BinaryOperator& product, Extension extension) {
    const unsigned half = value.getType()->getScalarSizeInBits() / 2;
    IRBuilder<> builder(&product);
    if (extension == Extension::Zero)
      return builder.CreateAnd(&value,
                               ConstantInt::get(value.getType(), maskTrailingOnes<uint64_t>(half)));
    return builder.CreateAShr(builder.CreateShl(&value, half), half);
  }

  /// Takes the whole upper half, and shifts that.
  static void shiftLast(const UpperHalf& upper) {
    const unsigned half = upper.shift->getType()->getScalarSizeInBits() / 2;
    IRBuilder<> builder(upper.cut);
    const bool isSigned = upper.shift->getOpcode() == Instruction::AShr;
    Value* whole = upper.shift->getOperand(0);
    whole = isSigned ? builder.CreateAShr(whole, half) : builder.CreateLShr(whole, half);
    Value* narrow = builder.CreateTrunc(whole, whole->getType()->getWithNewBitWidth(half));
    narrow = isSigned ? builder.CreateAShr(narrow, upper.excess)
                      : builder.CreateLShr(narrow, upper.excess);
    upper.cut->replaceAllUsesWith(builder.CreateTrunc(narrow, upper.cut->getType()));
    upper.cut->eraseFromParent();
    upper.shift->eraseFromParent();
  }

  const LoopInfo& loops_;
  const DataLayout& layout_;
};

}  // namespace

PreservedAnalyses NarrowFactorsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  SmallVector<BinaryOperator*> products;
  for (Instruction& instruction : instructions(function)) {
    const unsigned bits = instruction.getType()->getScalarSizeInBits();
    if (instruction.getOpcode() == Instruction::Mul && instruction.getType()->isVectorTy() &&
        (bits == 64 || bits == 32))
      products.push_back(cast<BinaryOperator>(&instruction));
  }
  if (products.empty()) return PreservedAnalyses::all();
  Factors factors(analyses.getResult<LoopAnalysis>(function), function.getDataLayout());
  bool changed = false;
  for (BinaryOperator* product : products) changed |= factors.narrow(*product);
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace weft::compiler
