// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/split_offsets.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <map>
#include <optional>
#include <tuple>

namespace weft::compiler {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

/// A quotient or a remainder of an unsigned number and a power of two.
struct Part {
  Value* number;
  unsigned bits;  ///< of the remainder
  bool isQuotient;
};

std::optional<Part> partOf(Instruction& instruction) {
  Value* number;
  const APInt* constant;
  if (instruction.getType()->isVectorTy()) return std::nullopt;
  if (match(&instruction, m_UDiv(m_Value(number), m_Power2(constant))))
    return Part{number, constant->logBase2(), true};
  if (match(&instruction, m_LShr(m_Value(number), m_APInt(constant))) &&
      constant->ult(constant->getBitWidth()))
    return Part{number, static_cast<unsigned>(constant->getZExtValue()), true};
  if (match(&instruction, m_URem(m_Value(number), m_Power2(constant))))
    return Part{number, constant->logBase2(), false};
  if (match(&instruction, m_And(m_Value(number), m_LowBitMask(constant))))
    return Part{number, constant->countr_one(), false};
  return std::nullopt;
}

class Splitter {
 public:
  explicit Splitter(Function& function) : layout_(function.getDataLayout()) {}

  bool split(Instruction& instruction) {
    const auto part = partOf(instruction);
    Value* rest;
    const APInt* offset;
    if (!part || !isa<Instruction>(part->number) ||
        !match(part->number, m_AddLike(m_Value(rest), m_APInt(offset))))
      return false;
    auto* source = dyn_cast<Instruction>(rest);
    if (!source || !source->getInsertionPointAfterDef()) return false;
    const unsigned zeros = computeKnownBits(rest, layout_).countMinTrailingZeros();
    if (offset->getActiveBits() > zeros || part->bits < zeros) return false;
    Value* result = ofRest(*source, *part);
    if (!part->isQuotient) {
      IRBuilder<> builder(&instruction);
      result = builder.CreateAdd(result, ConstantInt::get(instruction.getType(), *offset), "",
                                 /*HasNUW=*/true, /*HasNSW=*/part->bits < width(*source));
    }
    instruction.replaceAllUsesWith(result);
    return true;
  }

  /// Takes what was made for sums in place of the same part of the number itself.
  void share(Instruction& instruction) {
    const auto part = partOf(instruction);
    auto* source = part ? dyn_cast<Instruction>(part->number) : nullptr;
    if (!source) return;
    const auto known = parts_.find({source, part->bits, part->isQuotient});
    if (known != parts_.end() && known->second != &instruction)
      instruction.replaceAllUsesWith(known->second);
  }

 private:
  static unsigned width(const Instruction& source) {
    return source.getType()->getIntegerBitWidth();
  }

  Value* ofRest(Instruction& source, const Part& part) {
    Value*& known = parts_[{&source, part.bits, part.isQuotient}];
    if (known) return known;
    IRBuilder<> builder(source.getParent(), *source.getInsertionPointAfterDef());
    builder.SetCurrentDebugLocation(source.getDebugLoc());
    return known = part.isQuotient
                       ? builder.CreateLShr(&source, part.bits)
                       : builder.CreateAnd(&source, APInt::getLowBitsSet(width(source), part.bits));
  }

  const DataLayout& layout_;
  std::map<std::tuple<Instruction*, unsigned, bool>, Value*> parts_;  ///< as Part has them
};

}  // namespace

PreservedAnalyses SplitOffsetsPass::run(Function& function, FunctionAnalysisManager&) {
  Splitter splitter(function);
  bool changed = false;
  for (Instruction& instruction : instructions(function)) changed |= splitter.split(instruction);
  if (!changed) return PreservedAnalyses::all();
  for (Instruction& instruction : instructions(function)) splitter.share(instruction);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
