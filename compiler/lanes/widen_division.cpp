// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Division of integers. No host divides vectors of them: one lane after the other, 16 take 100
/// cycles and more.
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/DivisionByConstantInfo.h>

#include <tuple>

#include "lanes/loop_widener.h"
#include "prepare/total_division.h"

namespace weft::compiler {

using namespace llvm;

namespace {

bool isSignedDivision(unsigned opcode) {
  return opcode == Instruction::SDiv || opcode == Instruction::SRem;
}

bool isQuotient(unsigned opcode) {
  return opcode == Instruction::SDiv || opcode == Instruction::UDiv;
}

/// Integers from -2^51 up to 2^51, added to 1.5 * 2^52, are the low bits of the double that comes
/// of it: the conversion is one addition, on hosts that have none for 64 bits too.
constexpr unsigned kDoubleBits = 51;
constexpr double kShift = 0x1.8p52;

/// Of dividends that are multiplied by a reciprocal that is 2^-49 too large: what that and three
/// roundings add to a quotient is less than 1/b.
constexpr unsigned kReciprocalBits = 48;
constexpr double kOverOne = 1 + 0x1p-49;

constexpr uint64_t kBitsOfShift = 0x4338000000000000;

/// By these, of either sign, hosts divide with shifts.
bool isPowerOfTwo(const Value* divisor) {
  using namespace PatternMatch;
  return match(divisor, m_Power2()) || match(divisor, m_NegatedPower2());
}

/// Whether bits of `value` have been mixed, as hashes and random numbers mix them: it is most
/// likely as large as its type allows.
bool isMixed(const Value& value) {
  SmallPtrSet<const Value*, 16> seen;
  SmallVector<const Value*, 16> left{&value};
  while (!left.empty()) {
    const auto* instruction = dyn_cast<Instruction>(left.pop_back_val());
    if (!instruction || !seen.insert(instruction).second) continue;
    switch (instruction->getOpcode()) {
      case Instruction::Xor:
        if (!isa<Constant>(instruction->getOperand(1))) return true;
        break;
      case Instruction::Call:
        if (const auto* call = dyn_cast<IntrinsicInst>(instruction);
            call && (call->getIntrinsicID() == Intrinsic::fshl ||
                     call->getIntrinsicID() == Intrinsic::fshr))
          return true;
        left.append(instruction->value_op_begin(), instruction->value_op_end());
        break;
      case Instruction::Trunc:  // the upper half of a product
        if (instruction->getOperand(0)->getType()->getScalarSizeInBits() > 64) return true;
        break;
      case Instruction::Select:
        left.append({instruction->getOperand(1), instruction->getOperand(2)});
        break;
      case Instruction::PHI:
      case Instruction::Add:
      case Instruction::Sub:
      case Instruction::Mul:
      case Instruction::Or:
        left.append(instruction->value_op_begin(), instruction->value_op_end());
        break;
      default:
        break;
    }
  }
  return false;
}

Value* negatedIf(IRBuilderBase& builder, Value* condition, Value* value) {
  return builder.CreateSelect(condition, builder.CreateNeg(value), value);
}

/// The divisor of a division whose dividend is not the least of all numbers.
Value* divisorOfOthers(BinaryOperator& division) {
  Value* divisor = division.getOperand(1);
  Value* fit = nullptr;
  return isSignedDivision(division.getOpcode()) &&
                 isFitForLeast(divisor, division.getOperand(0), fit)
             ? fit
             : divisor;
}

}  // namespace

/// Operands of idle lanes may be anything: what total-division did for the values that the program
/// computes is done again for all.
Value* LoopWidener::fitForAll(Value* left, Value* right, bool isSigned) {
  return LaneCode::isFull(mask_) ? right : fitDivisor(builder_, left, right, isSigned);
}

Value* LoopWidener::safeDivision(BinaryOperator& division, Value* left, Value* right) {
  const unsigned opcode = division.getOpcode();
  const unsigned bits = division.getType()->getScalarSizeInBits();
  const bool isSigned = isSignedDivision(opcode);
  if (bits == 64 && hasRounding() && !isPowerOfTwo(right)) return divideLong(division, left, right);
  if (isa<Constant>(right)) return builder_.CreateBinOp(division.getOpcode(), left, right);
  left = builder_.CreateFreeze(left);
  Value* others = divisorOfOthers(division);
  if (bits <= 32 && !others->getType()->isVectorTy() && plan_.shapes.of(others).isUniform())
    return divideByOne(opcode, left, builder_.CreateFreeze(scalarOf(others)));
  right = fitForAll(left, builder_.CreateFreeze(right), isSigned);
  if (bits <= 32) return divideInFloats(opcode, left, right);
  return builder_.CreateBinOp(division.getOpcode(), left, right);
}

Value* LoopWidener::LongDivision::result(unsigned opcode) const {
  return isQuotient(opcode) ? quotient : remainder;
}

/// In a floating-point type that is more precise than the numbers a and b are long, a / b is at
/// least 1/b below the next integer or on it, which is more than rounding can add.
Value* LoopWidener::divideInFloats(unsigned opcode, Value* left, Value* right) {
  const bool isSigned = isSignedDivision(opcode);
  const bool isShort = left->getType()->getScalarSizeInBits() <= 16;
  Type* floats = code_.vectorOf(isShort ? builder_.getFloatTy() : builder_.getDoubleTy());
  auto convert = [&](Value* value) {
    return isSigned ? builder_.CreateSIToFP(value, floats) : builder_.CreateUIToFP(value, floats);
  };
  Value* exact = builder_.CreateFDiv(convert(left), convert(right));
  Value* quotient = isSigned ? builder_.CreateFPToSI(exact, left->getType())
                             : builder_.CreateFPToUI(exact, left->getType());
  if (isQuotient(opcode)) return quotient;
  return builder_.CreateSub(left, builder_.CreateMul(quotient, right));
}

/// By what all lanes divide by, `divisor`: its reciprocal is computed once. A little more than
/// that, so that roundings leave no quotient below what it should be; what is added comes to less
/// than 1/b for all dividends. The least number by -1 is beyond what is converted, which gives it
/// back.
Value* LoopWidener::divideByOne(unsigned opcode, Value* left, Value* divisor) {
  const bool isSigned = isSignedDivision(opcode);
  const bool isShort = left->getType()->getScalarSizeInBits() <= 16;
  Type* number = isShort ? builder_.getFloatTy() : builder_.getDoubleTy();
  auto convert = [&](Value* value, Type* type) {
    return isSigned ? builder_.CreateSIToFP(value, type) : builder_.CreateUIToFP(value, type);
  };
  Value* overOne = ConstantFP::get(number, isShort ? 1 + 0x1p-21 : kOverOne);
  Value* reciprocal = code_.splat(builder_.CreateFDiv(overOne, convert(divisor, number)));
  Value* product = builder_.CreateFMul(convert(left, code_.vectorOf(number)), reciprocal);
  Type* whole = code_.vectorOf(builder_.getInt32Ty());
  Value* cut =
      isSigned ? builder_.CreateFPToSI(product, whole) : builder_.CreateFPToUI(product, whole);
  Value* quotient = builder_.CreateTrunc(builder_.CreateFreeze(cut), left->getType());
  if (isQuotient(opcode)) return quotient;
  return builder_.CreateSub(left, builder_.CreateMul(quotient, code_.splat(divisor)));
}

/// Whether the host rounds doubles, rather than call a function for each of them.
bool LoopWidener::hasRounding() {
  constexpr auto kKind = TargetTransformInfo::TCK_RecipThroughput;
  Type* number = builder_.getDoubleTy();
  Type* pair = FixedVectorType::get(number, 2);
  const InstructionCost rounding =
      plan_.target.getIntrinsicInstrCost({Intrinsic::trunc, pair, {pair}}, kKind);
  return rounding < plan_.target.getCallInstrCost(nullptr, number, {number}, kKind);
}

/// Whether active lanes have numbers of `bits` bits, and a sign where they are signed.
Value* LoopWidener::fitBits(Value* left, Value* right, unsigned bits, bool isSigned) {
  auto splat = [&](uint64_t number) { return code_.splat(builder_.getInt64(number)); };
  const uint64_t limit = uint64_t{1} << bits;
  if (isSigned) {
    left = builder_.CreateAdd(left, splat(limit));
    right = builder_.CreateAdd(right, splat(limit));
  }
  const uint64_t within = isSigned ? 2 * limit - 1 : limit - 1;
  Value* beyond = builder_.CreateAnd(builder_.CreateOr(left, right), splat(~within));
  if (!LaneCode::isFull(mask_))
    beyond = builder_.CreateSelect(mask_, beyond, Constant::getNullValue(beyond->getType()));
  return builder_.CreateICmpEQ(builder_.CreateOrReduce(beyond), builder_.getInt64(0));
}

Value* LoopWidener::divideLong(BinaryOperator& division, Value* left, Value* right) {
  using namespace PatternMatch;
  const unsigned opcode = division.getOpcode();
  const bool isSigned = isSignedDivision(opcode);
  if (lastDivision_.isOf(left, right, isSigned)) return lastDivision_.result(opcode);
  lastDivision_ = {.left = left, .right = right, .isSigned = isSigned};
  Value* others = divisorOfOthers(division);
  Value* small = division.getType()->isVectorTy() ? right : partOf(others, 0);
  const bool isAlwaysSmall = small == right;
  left = builder_.CreateFreeze(left);
  if (!isa<Constant>(right)) right = builder_.CreateFreeze(right);
  small = isAlwaysSmall ? right : builder_.CreateFreeze(small);
  const APInt* constant = nullptr;
  match(right, m_APInt(constant));
  const bool isOne = !isa<Constant>(right) && !division.getType()->isVectorTy() &&
                     plan_.shapes.of(others).isUniform();
  Value* one = isOne      ? builder_.CreateFreeze(scalarOf(others))
               : constant ? builder_.getInt(*constant)
                          : nullptr;
  if (isOne) small = code_.splat(one);
  if (isOne && isAlwaysSmall) right = small;
  // The reciprocal of a constant is known.
  std::tie(lastDivision_.quotient, lastDivision_.remainder) =
      isa<Constant>(right) && hasLongConversions() ? divideByReciprocal(left, right, isSigned)
      : constant && isMixed(*division.getOperand(0))
          ? divideByConstant(left, *constant, isSigned)
          : divideByDoubles(left, small, right, one, isSigned);
  return lastDivision_.result(opcode);
}

/// Whether the host converts vectors of 64-bit integers to doubles and back.
bool LoopWidener::hasLongConversions() {
  constexpr auto kKind = TargetTransformInfo::TCK_RecipThroughput;
  const unsigned lanes =
      plan_.target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue() /
      64;
  Type* integers = FixedVectorType::get(builder_.getInt64Ty(), lanes);
  Type* doubles = FixedVectorType::get(builder_.getDoubleTy(), lanes);
  const auto cost = [&](unsigned opcode, Type* to, Type* from) {
    return plan_.target.getCastInstrCost(opcode, to, from,
                                         TargetTransformInfo::CastContextHint::None, kKind);
  };
  return cost(Instruction::UIToFP, doubles, integers) == 1 &&
         cost(Instruction::FPToUI, integers, doubles) == 1;
}

/// Quotient and remainder of any integers. The quotient is estimated from below, so closely that
/// what is left of the dividend has a quotient of 17 bits at most; the estimate of that is short by
/// at most one.
LoopWidener::QuotientAndRemainder LoopWidener::divideByReciprocal(Value* left, Value* right,
                                                                  bool isSigned) {
  Type* integers = left->getType();
  Type* doubles = code_.vectorOf(builder_.getDoubleTy());
  Value* const zero = Constant::getNullValue(integers);
  Value* isNegative = isSigned ? builder_.CreateICmpSLT(left, zero) : nullptr;
  Value* isDivisorNegative = isSigned ? builder_.CreateICmpSLT(right, zero) : nullptr;
  if (isSigned) {
    left = negatedIf(builder_, isNegative, left);
    right = negatedIf(builder_, isDivisorNegative, right);
  }
  right = fitForAll(left, right, /*isSigned=*/false);
  // Four roundings by 2^-53 at most are less than this falls short of one.
  Value* nearlyOne = code_.splat(ConstantFP::get(builder_.getDoubleTy(), 1 - 0x1p-49));
  Value* reciprocal = builder_.CreateFDiv(nearlyOne, builder_.CreateUIToFP(right, doubles));
  auto estimate = [&](Value* dividend) {
    Value* product = builder_.CreateFMul(builder_.CreateUIToFP(dividend, doubles), reciprocal);
    return builder_.CreateFPToUI(product, integers);
  };
  auto without = [&](Value* dividend, Value* quotient) {
    return builder_.CreateSub(dividend, builder_.CreateMul(quotient, right));
  };
  Value* most = estimate(left);
  Value* remainder = without(left, most);
  Value* rest = estimate(remainder);
  remainder = without(remainder, rest);
  Value* isShort = builder_.CreateICmpUGE(remainder, right);
  Value* quotient =
      builder_.CreateAdd(builder_.CreateAdd(most, rest), builder_.CreateZExt(isShort, integers));
  remainder = builder_.CreateSelect(isShort, builder_.CreateSub(remainder, right), remainder);
  if (!isSigned) return {quotient, remainder};
  return {negatedIf(builder_, builder_.CreateXor(isNegative, isDivisorNegative), quotient),
          negatedIf(builder_, isNegative, remainder)};
}

/// Programs that index with 64 bits seldom have numbers that need them: these are divided faster.
/// `right` is `small` but where the dividend is the least number; `one` is what all lanes of
/// `small` have, where they have the same.
LoopWidener::QuotientAndRemainder LoopWidener::divideByDoubles(Value* left, Value* small,
                                                               Value* right, Value* one,
                                                               bool isSigned) {
  Value* fits = fitBits(left, small, one ? kReciprocalBits : kDoubleBits, isSigned);
  BasicBlock* fast = newBlock("doubles");
  BasicBlock* slow = newBlock("large");
  BasicBlock* after = newBlock("divided");
  builder_.CreateCondBr(fits, fast, slow,
                        MDBuilder(function_.getContext()).createLikelyBranchWeights());

  builder_.SetInsertPoint(fast);
  const auto [quotient, remainder] = divideInDoubles(left, small, one);
  builder_.CreateBr(after);

  builder_.SetInsertPoint(slow);
  const auto [exact, rest] = hasLongConversions() ? divideByReciprocal(left, small, isSigned)
                                                  : divideOneByOne(left, right, isSigned);
  builder_.CreateBr(after);

  builder_.SetInsertPoint(after);
  auto join = [&](Value* one, Value* other) {
    PHINode* phi = builder_.CreatePHI(left->getType(), 2);
    phi->addIncoming(one, fast);
    phi->addIncoming(other, slow);
    return phi;
  };
  return {join(quotient, exact), join(remainder, rest)};
}

/// By a number of 64 bits, with the upper half of a product in place of a division.
LoopWidener::QuotientAndRemainder LoopWidener::divideByConstant(Value* left, const APInt& right,
                                                                bool isSigned) {
  Type* integers = left->getType();
  const auto magic = UnsignedDivisionByConstantInfo::get(isSigned ? right.abs() : right);
  auto shifted = [&](Value* value, unsigned count) { return builder_.CreateLShr(value, count); };
  Value* isNegative =
      isSigned ? builder_.CreateICmpSLT(left, Constant::getNullValue(integers)) : nullptr;
  Value* dividend = isSigned ? negatedIf(builder_, isNegative, left) : left;
  Type* products = integers->getWithNewBitWidth(128);
  Value* product =
      builder_.CreateMul(builder_.CreateZExt(shifted(dividend, magic.PreShift), products),
                         ConstantInt::get(products, magic.Magic.zext(128)));
  Value* quotient = builder_.CreateTrunc(shifted(product, 64), integers);
  if (magic.IsAdd)
    quotient = builder_.CreateAdd(shifted(builder_.CreateSub(dividend, quotient), 1), quotient);
  quotient = shifted(quotient, magic.PostShift);
  if (isSigned)
    quotient = negatedIf(builder_, right.isNegative() ? builder_.CreateNot(isNegative) : isNegative,
                         quotient);
  return {quotient, builder_.CreateSub(
                        left, builder_.CreateMul(quotient, ConstantInt::get(integers, right)))};
}

/// One lane after the other, unless all divide by one constant.
LoopWidener::QuotientAndRemainder LoopWidener::divideOneByOne(Value* left, Value* right,
                                                              bool isSigned) {
  const APInt* constant = nullptr;
  if (PatternMatch::match(right, PatternMatch::m_APInt(constant)))
    return divideByConstant(left, *constant, isSigned);
  if (!isa<Constant>(right)) right = fitForAll(left, right, isSigned);
  Value* quotient = isSigned ? builder_.CreateSDiv(left, right) : builder_.CreateUDiv(left, right);
  return {quotient, builder_.CreateSub(left, builder_.CreateMul(quotient, right))};
}

/// Quotient and remainder of integers for which fitBits() holds. The reciprocal of `one`, if it is
/// given, is computed once for a loop.
LoopWidener::QuotientAndRemainder LoopWidener::divideInDoubles(Value* left, Value* right,
                                                               Value* one) {
  Type* integers = left->getType();
  Type* doubles = code_.vectorOf(builder_.getDoubleTy());
  Value* shift = code_.splat(ConstantFP::get(builder_.getDoubleTy(), kShift));
  Value* bitsOfShift = code_.splat(builder_.getInt64(kBitsOfShift));
  auto toDouble = [&](Value* value) {
    Value* shifted = builder_.CreateBitCast(builder_.CreateAdd(value, bitsOfShift), doubles);
    return builder_.CreateFSub(shifted, shift);
  };
  auto toInteger = [&](Value* value) {
    Value* shifted = builder_.CreateBitCast(builder_.CreateFAdd(value, shift), integers);
    return builder_.CreateSub(shifted, bitsOfShift);
  };
  Value* dividend = toDouble(left);
  Value* divisor = toDouble(right);
  auto reciprocal = [&] {
    Value* overOne = ConstantFP::get(builder_.getDoubleTy(), kOverOne);
    Value* number = builder_.CreateSIToFP(one, builder_.getDoubleTy());
    return code_.splat(builder_.CreateFDiv(overOne, number));
  };
  Value* quotient = builder_.CreateUnaryIntrinsic(
      Intrinsic::trunc,
      one ? builder_.CreateFMul(dividend, reciprocal()) : builder_.CreateFDiv(dividend, divisor));
  // The product is no larger than the dividend, and so exact as well.
  Value* remainder = builder_.CreateFSub(dividend, builder_.CreateFMul(quotient, divisor));
  return {toInteger(quotient), toInteger(remainder)};
}

}  // namespace weft::compiler
