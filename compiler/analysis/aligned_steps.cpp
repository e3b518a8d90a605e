// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/aligned_steps.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/bit.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

namespace weft::compiler {

using namespace llvm;

namespace {

constexpr unsigned kMaxDepth = 8;
constexpr unsigned kMostBits = 63;  ///< of what is followed: differences are signed

/// An operation on bits of one number, as a mask, a shift or a change of bits.
struct BitOperation {
  enum Kind { Mask, Shift, Set, Flip } kind;
  uint64_t bits;          ///< as many places for a shift
  bool isSigned = false;  ///< it is this one of numbers that are not negative

  uint64_t operator()(uint64_t number) const {
    switch (kind) {
      case Mask:
        return number & bits;
      case Shift:
        return bits < 64 ? number >> bits : 0;
      case Set:
        return number | bits;
      case Flip:
        return number ^ bits;
    }
    return number;
  }
};

std::optional<BitOperation> bitOperation(const Instruction& operation) {
  const auto* constant =
      operation.getNumOperands() == 2 ? dyn_cast<ConstantInt>(operation.getOperand(1)) : nullptr;
  if (!constant || constant->getBitWidth() > 64) return std::nullopt;
  const uint64_t number = constant->getZExtValue();
  const bool isPower = isPowerOf2_64(number) && !constant->isNegative();
  switch (operation.getOpcode()) {
    case Instruction::And:
      return BitOperation{BitOperation::Mask, number};
    case Instruction::Or:
      return BitOperation{BitOperation::Set, number};
    case Instruction::Xor:
      return BitOperation{BitOperation::Flip, number};
    case Instruction::LShr:
    case Instruction::AShr:
      return BitOperation{BitOperation::Shift, number, operation.getOpcode() == Instruction::AShr};
    case Instruction::UDiv:
    case Instruction::SDiv:
      if (!isPower) return std::nullopt;
      return BitOperation{BitOperation::Shift, Log2_64(number),
                          operation.getOpcode() == Instruction::SDiv};
    case Instruction::URem:
    case Instruction::SRem:
      if (!isPower) return std::nullopt;
      return BitOperation{BitOperation::Mask, number - 1,
                          operation.getOpcode() == Instruction::SRem};
    default:
      return std::nullopt;
  }
}

}  // namespace

AlignedSteps::AlignedSteps(const PHINode& index, unsigned lanes, uint64_t count)
    : index_(index), lanes_(lanes), most_(count == 0 ? 0 : alignTo(count, lanes) - 1) {}

bool AlignedSteps::changesBits(const Instruction& operation) {
  return bitOperation(operation).has_value();
}

KnownBits AlignedSteps::ofOperation(const Instruction& operation, unsigned depth) const {
  const unsigned width = operation.getType()->getIntegerBitWidth();
  const auto operand = [&](unsigned i) { return inFirstLane(*operation.getOperand(i), depth + 1); };
  switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
      return KnownBits::computeForAddSub(operation.getOpcode() == Instruction::Add, /*NSW=*/false,
                                         /*NUW=*/false, operand(0), operand(1));
    case Instruction::Mul:
      return KnownBits::mul(operand(0), operand(1));
    case Instruction::Shl:
      return KnownBits::shl(operand(0), operand(1));
    case Instruction::LShr:
      return KnownBits::lshr(operand(0), operand(1));
    case Instruction::AShr:
      return KnownBits::ashr(operand(0), operand(1));
    case Instruction::And:
      return operand(0) & operand(1);
    case Instruction::Or:
      return operand(0) | operand(1);
    case Instruction::Xor:
      return operand(0) ^ operand(1);
    case Instruction::UDiv:
      return KnownBits::udiv(operand(0), operand(1));
    case Instruction::SDiv:
      return KnownBits::sdiv(operand(0), operand(1));
    case Instruction::URem:
      return KnownBits::urem(operand(0), operand(1));
    case Instruction::SRem:
      return KnownBits::srem(operand(0), operand(1));
    case Instruction::Trunc:
      return operand(0).trunc(width);
    case Instruction::ZExt:
      return operand(0).zext(width);
    case Instruction::SExt:
      return operand(0).sext(width);
    case Instruction::Freeze:
      return operand(0);
    case Instruction::PHI:
      return ofPhi(cast<PHINode>(operation), depth);
    default:
      return computeKnownBits(&operation, operation.getDataLayout());
  }
}

/// What all values of a phi have in common: where a loop begins as one or the other before it has
/// ended.
KnownBits AlignedSteps::ofAny(const PHINode& phi, unsigned depth) const {
  std::optional<KnownBits> common;
  for (const Use& incoming : phi.incoming_values()) {
    const KnownBits known = inFirstLane(*incoming, depth + 1);
    common = common ? common->intersectWith(known) : known;
    if (common->isUnknown()) break;
  }
  return *common;
}

/// A number that a loop counts by multiples of a power of two keeps its lowest bits.
KnownBits AlignedSteps::ofPhi(const PHINode& phi, unsigned depth) const {
  KnownBits known(phi.getType()->getIntegerBitWidth());
  BinaryOperator* next = nullptr;
  Value* start = nullptr;
  Value* step = nullptr;
  if (!matchSimpleRecurrence(&phi, next, start, step)) return ofAny(phi, depth);
  if ((next->getOpcode() != Instruction::Add && next->getOpcode() != Instruction::Sub) ||
      (next->getOpcode() == Instruction::Sub && next->getOperand(0) != &phi))
    return known;
  const KnownBits first = inFirstLane(*start, depth + 1);
  const unsigned bits = std::min((first.Zero | first.One).countr_one(),
                                 inFirstLane(*step, depth + 1).countMinTrailingZeros());
  const APInt kept = APInt::getLowBitsSet(known.getBitWidth(), bits);
  known.Zero = first.Zero & kept;
  known.One = first.One & kept;
  return known;
}

KnownBits AlignedSteps::inFirstLane(const Value& number, unsigned depth) const {
  const unsigned width = number.getType()->getIntegerBitWidth();
  if (&number == &index_) {
    KnownBits known(width);
    known.Zero.setLowBits(Log2_32(lanes_));
    if (most_ != 0) known.Zero.setBitsFrom(std::min(width, unsigned(llvm::bit_width(most_))));
    return known;
  }
  if (const auto* constant = dyn_cast<ConstantInt>(&number))
    return KnownBits::makeConstant(constant->getValue());
  const auto* operation = dyn_cast<Instruction>(&number);
  if (!operation || depth > kMaxDepth) return KnownBits(width);
  return ofOperation(*operation, depth);
}

AlignedSteps::Low AlignedSteps::lowOf(const Value& number) const {
  if (number.getType()->getIntegerBitWidth() > 64) return {0, 0};
  const KnownBits known = inFirstLane(number);
  const unsigned bits = std::min((known.Zero | known.One).countr_one(), kMostBits);
  return {bits, known.One.getZExtValue() & maskTrailingOnes<uint64_t>(bits)};
}

bool AlignedSteps::isContained(const Value& number, IndexStep step) const {
  if (!number.getType()->isIntegerTy()) return false;
  if (step.isUniform()) return true;
  const Low low = lowOf(number);
  const int64_t last = static_cast<int64_t>(low.value) + step.stride * (lanes_ - 1);
  return last >= 0 && (last >> low.bits) == 0;
}

bool AlignedSteps::comparesAlike(const ICmpInst& comparison, StepOf of) const {
  const bool isSwapped = of(*comparison.getOperand(0)).isUniform();
  const Value& number = *comparison.getOperand(isSwapped ? 1 : 0);
  const Value& bound = *comparison.getOperand(isSwapped ? 0 : 1);
  const IndexStep step = of(number);
  if (!number.getType()->isIntegerTy() || !step.isAffine() || !of(bound).isUniform() ||
      !isContained(number, step))
    return false;
  const Low low = lowOf(number);
  const Low limit = lowOf(bound);
  if (limit.bits < low.bits || low.bits >= number.getType()->getIntegerBitWidth()) return false;
  const auto at = static_cast<int64_t>(limit.value & maskTrailingOnes<uint64_t>(low.bits));
  const auto first = static_cast<int64_t>(low.value);
  const auto [least, most] = std::minmax({first, first + step.stride * (lanes_ - 1)});
  const CmpInst::Predicate predicate =
      isSwapped ? comparison.getSwappedPredicate() : comparison.getPredicate();
  switch (predicate) {
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_SLT:
    case CmpInst::ICMP_UGE:
    case CmpInst::ICMP_SGE:
      return at <= least || at > most;
    case CmpInst::ICMP_ULE:
    case CmpInst::ICMP_SLE:
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_SGT:
      return at < least || at >= most;
    default:
      return at < least || at > most;
  }
}

IndexStep AlignedSteps::after(const Instruction& operation, StepOf of) const {
  const bool isPure = isa<BinaryOperator, CastInst, FreezeInst, MinMaxIntrinsic>(operation);
  if (isPure && all_of(operation.operand_values(),
                       [&](const Value* operand) { return of(*operand).isUniform(); }))
    return IndexStep::uniform();
  const auto change = bitOperation(operation);
  if (!change) return IndexStep::varying();
  const Value& number = *operation.getOperand(0);
  const IndexStep step = of(number);
  if (!step.isAffine()) return IndexStep::varying();
  const Low low = lowOf(number);
  // Of numbers that differ in more, a mask of the lowest bits still keeps what is known.
  const bool isLowMask =
      change->kind == BitOperation::Mask && !change->isSigned && (change->bits >> low.bits) == 0;
  if (!isLowMask && !isContained(number, step)) return IndexStep::varying();
  if (change->isSigned && !inFirstLane(number).isNonNegative()) return IndexStep::varying();
  const auto inLane = [&](unsigned lane) {
    return static_cast<int64_t>((*change)(low.value + static_cast<uint64_t>(step.stride * lane)));
  };
  const int64_t stride = inLane(1) - inLane(0);
  for (unsigned lane = 2; lane < lanes_; ++lane)
    if (inLane(lane) - inLane(0) != stride * lane) return IndexStep::varying();
  return IndexStep::affine(stride);
}

}  // namespace weft::compiler
