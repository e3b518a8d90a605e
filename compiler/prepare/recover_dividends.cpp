// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/recover_dividends.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

#include "prepare/total_division.h"

namespace weft::compiler {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

/// Sums are looked into this far: what indices are, not what unrolled loops add up.
constexpr unsigned kMostTerms = 8;

/// A value of a wider type than it was computed in.
struct Extended {
  Value* value;
  std::optional<Instruction::CastOps> by;

  bool isSigned(bool ifPlain) const { return by ? *by == Instruction::SExt : ifPlain; }
};

/// Quotients that are divided again are frozen first; where one is poison, so is the remainder.
Value* withoutFreeze(Value* value) {
  auto* freeze = dyn_cast<FreezeInst>(value);
  return freeze ? freeze->getOperand(0) : value;
}

Extended withoutExtension(Value* value) {
  if (auto* cast = dyn_cast<CastInst>(value); cast && isa<SExtInst, ZExtInst>(cast))
    return {cast->getOperand(0), cast->getOpcode()};
  return {value, std::nullopt};
}

/// Terms of a sum; with constants that are taken away, negative ones.
class Sum {
 public:
  explicit Sum(Value* value) { add(value); }

  SmallVector<Value*, kMostTerms> terms;

 private:
  void add(Value* value) {
    Value *left, *right;
    const APInt* less;
    if (terms.size() + 2 <= kMostTerms && match(value, m_Add(m_Value(left), m_Value(right)))) {
      add(left);
      add(right);
    } else if (terms.size() + 2 <= kMostTerms &&
               match(value, m_Sub(m_Value(left), m_APInt(less)))) {
      add(left);
      terms.push_back(ConstantInt::get(value->getType(), -*less));
    } else {
      terms.push_back(value);
    }
  }
};

/// Of a sum, what comes to the dividend: a remainder, and the product in which its quotient is
/// multiplied by its divisor.
struct Parts {
  unsigned remainder, product;     ///< indices of terms
  Value* dividend;                 ///< extended as they are
  SmallVector<Value*> otherTerms;  ///< of the factor that has the quotient
  Value* divisor;                  ///< the other factor
};

class Recovery {
 public:
  explicit Recovery(Function& function) : function_(function) {}

  bool run() {
    bool changed = false;
    // Sums of sums: the inner ones first.
    for (BasicBlock* block : ReversePostOrderTraversal(&function_))
      for (Instruction& instruction : make_early_inc_range(*block))
        if (instruction.getOpcode() == Instruction::Add) changed |= recover(instruction);
    return changed;
  }

 private:
  /// Whether `value` is the quotient or, of which `opcode` tells, the remainder of the same
  /// division.
  static bool isOf(const Value* value, const BinaryOperator& division, unsigned opcode) {
    const auto* other = dyn_cast<BinaryOperator>(value);
    return other && other->getOpcode() == opcode &&
           other->getOperand(0) == division.getOperand(0) &&
           other->getOperand(1) == division.getOperand(1);
  }

  static unsigned quotientOf(const BinaryOperator& remainder) {
    return remainder.getOpcode() == Instruction::SRem ? Instruction::SDiv : Instruction::UDiv;
  }

  /// Whether `term` multiplies the quotient of `remainder`, both extended by `by`, by its divisor.
  static bool isProduct(Value* term, const BinaryOperator& remainder,
                        std::optional<Instruction::CastOps> by, Parts& parts) {
    auto* product = dyn_cast<BinaryOperator>(term);
    if (!product || product->getOpcode() != Instruction::Mul) return false;
    for (unsigned i = 0; i < 2; ++i) {
      Value* divisor = product->getOperand(1 - i);
      const Extended plain = withoutExtension(divisor);
      Value* const from = by ? plain.value : divisor;
      if (by && !isa<Constant>(divisor) && plain.by != by) continue;
      if (!isDivisor(remainder, *from, by)) continue;
      parts.otherTerms.clear();
      bool isFound = false;
      for (Value* factor : Sum(product->getOperand(i)).terms) {
        const Extended quotient = withoutExtension(withoutFreeze(factor));
        if (!isFound && (!by || quotient.by == by) &&
            isOf(withoutFreeze(by ? quotient.value : factor), remainder, quotientOf(remainder)))
          isFound = true;
        else
          parts.otherTerms.push_back(factor);
      }
      parts.divisor = divisor;
      if (isFound) return true;
    }
    return false;
  }

  /// Constants are there in the type of the sum.
  static bool isDivisor(const BinaryOperator& remainder, const Value& value,
                        std::optional<Instruction::CastOps> by) {
    const Value* divisor = divisorBefore(remainder);
    const APInt *one, *other;
    if (!match(divisor, m_APInt(one)) || !match(&value, m_APInt(other))) return divisor == &value;
    if (by != Instruction::SExt) return one->zext(other->getBitWidth()) == *other;
    return one->sext(other->getBitWidth()) == *other;
  }

  static std::optional<Parts> partsOf(ArrayRef<Value*> terms) {
    for (unsigned i = 0; i < terms.size(); ++i) {
      const Extended term = withoutExtension(terms[i]);
      auto* remainder = dyn_cast<BinaryOperator>(term.value);
      if (!remainder || (remainder->getOpcode() != Instruction::SRem &&
                         remainder->getOpcode() != Instruction::URem))
        continue;
      // Quotients times divisors are no larger than dividends, read as they were divided.
      const bool isSigned = remainder->getOpcode() == Instruction::SRem;
      if (term.isSigned(isSigned) != isSigned) continue;
      Parts parts{
          .remainder = i, .product = 0, .dividend = nullptr, .otherTerms = {}, .divisor = nullptr};
      for (; parts.product < terms.size(); ++parts.product)
        if (isProduct(terms[parts.product], *remainder, term.by, parts)) {
          parts.dividend = remainder->getOperand(0);
          return parts;
        }
    }
    return std::nullopt;
  }

  bool recover(Instruction& whole) {
    SmallVector<Value*, kMostTerms> terms = Sum(&whole).terms;
    bool changed = false;
    IRBuilder<> builder(&whole);
    while (const auto parts = partsOf(terms)) {
      Value* dividend = parts->dividend;
      if (const auto by = withoutExtension(terms[parts->remainder]).by)
        dividend = builder.CreateCast(*by, dividend, whole.getType());
      Value* rest = nullptr;
      for (Value* term : parts->otherTerms) rest = rest ? builder.CreateAdd(rest, term) : term;
      terms[parts->remainder] = dividend;
      if (rest)
        terms[parts->product] = builder.CreateMul(rest, parts->divisor);
      else
        terms.erase(terms.begin() + parts->product);
      changed = true;
    }
    if (!changed) return false;
    Value* sum = terms.front();
    for (Value* term : drop_begin(terms)) sum = builder.CreateAdd(sum, term);
    whole.replaceAllUsesWith(sum);
    whole.eraseFromParent();
    return true;
  }

  Function& function_;
};

}  // namespace

PreservedAnalyses RecoverDividendsPass::run(Function& function, FunctionAnalysisManager&) {
  if (!Recovery(function).run()) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
