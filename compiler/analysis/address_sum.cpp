// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/address_sum.h"

#include <llvm/IR/Operator.h>

#include "analysis/index_steps.h"
#include "ir/names.h"

namespace weft::compiler {

using namespace llvm;

namespace {

/// Sums within sums, and addresses of addresses, that are looked into.
constexpr unsigned kMaxSteps = 8;

}  // namespace

AddressSum AddressSum::of(const Value* pointer, const DataLayout& layout) {
  AddressSum sum;
  const bool isLocal = pointer->getType()->getPointerAddressSpace() == names::kLocal;
  for (unsigned step = 0; step < kMaxSteps; ++step) {
    const auto* address = dyn_cast<GEPOperator>(pointer);
    if (!address || address->getType()->isVectorTy()) break;
    sum.offset += forEachIndex(*address, layout, [&](const Value& index, uint64_t bytes) {
      sum.addIndex(&index, bytes, isLocal);
    });
    pointer = address->getPointerOperand();
  }
  sum.base = pointer;
  return sum;
}

void AddressSum::addIndex(const Value* index, uint64_t scale, bool isLocal) {
  // Indices of an address's size wrap in the same way, narrower ones are extended as signed
  // numbers.
  bool mayWrap = index->getType()->getIntegerBitWidth() >= 64;
  unsigned extension = mayWrap ? 0 : Instruction::SExt;
  if (const auto* cast = dyn_cast<CastInst>(index); cast && isa<SExtInst, ZExtInst>(cast)) {
    extension = cast->getOpcode();
    index = cast->getOperand(0);
    // Both sides of a wrap are not in local memory (LaneShapes::ofIndex).
    mayWrap = isLocal && extension == Instruction::ZExt && index->getType()->isIntegerTy(32);
  }
  unsigned steps = kMaxSteps;
  addSum(index, {nullptr, extension, scale}, mayWrap, steps);
}

/// Adds a number, extended and scaled as `kind` says; a sum by its parts, since the constant by
/// which neighbours differ may be in any of them, and a multiple by what it is one of.
void AddressSum::addSum(const Value* number, const Term& kind, bool mayWrap, unsigned& steps) {
  const auto* constant = dyn_cast<ConstantInt>(number);
  if (constant && constant->getValue().getSignificantBits() <= 64 &&
      (mayWrap || kind.extension != Instruction::ZExt || !constant->isNegative())) {
    offset += constant->getSExtValue() * static_cast<int64_t>(kind.scale);
    return;
  }
  const auto* operation = dyn_cast<BinaryOperator>(number);
  const auto linear = operation ? LinearOperation::of(*operation) : std::nullopt;
  const bool keeps =
      linear && (mayWrap || (kind.extension == Instruction::SExt ? linear->isSignedExact
                                                                 : linear->isUnsignedExact));
  if (!keeps || steps == 0) {
    terms.push_back({number, kind.extension, kind.scale});
    return;
  }
  --steps;
  const auto addPart = [&](unsigned operand, int64_t factor) {
    if (factor == 0) return;
    const Term part{nullptr, kind.extension, kind.scale * static_cast<uint64_t>(factor)};
    addSum(operation->getOperand(operand), part, mayWrap, steps);
  };
  addPart(0, linear->left);
  addPart(1, linear->right);
}

}  // namespace weft::compiler
