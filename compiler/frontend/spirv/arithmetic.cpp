// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arithmetic, bits, shifts, comparisons and logic: what becomes instructions of LLVM's.
#include <llvm/IR/MDBuilder.h>

#include "frontend/spirv/mangle.h"
#include "frontend/spirv/reader.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Value;
using Predicate = llvm::CmpInst::Predicate;

enum class Kind { Integer, Float, Bool };

bool isKind(const llvm::Type* type, Kind kind) {
  switch (kind) {
    case Kind::Integer:
      return type->isIntOrIntVectorTy() && !type->isIntOrIntVectorTy(1);
    case Kind::Float:
      return type->isFPOrFPVectorTy();
    case Kind::Bool:
      return type->isIntOrIntVectorTy(1);
  }
  return false;
}

/// An operand of a kind.
Value* operandOf(Emitter& emitter, const Instruction& i, size_t index, Kind kind) {
  Value* value = emitter.operand(i, index);
  i.require(isKind(value->getType(), kind), "has an operand of the wrong type");
  return value;
}

/// Two operands of a kind and of one type.
std::pair<Value*, Value*> pair(Emitter& emitter, const Instruction& i, Kind kind) {
  Value* left = operandOf(emitter, i, 0, kind);
  Value* right = operandOf(emitter, i, 1, kind);
  i.require(left->getType() == right->getType(), "has operands of different types");
  return {left, right};
}

Value* integerBinary(Emitter& emitter, const Instruction& i, int opcode) {
  auto [left, right] = pair(emitter, i, Kind::Integer);
  return emitter.builder.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(opcode), left,
                                     right);
}

/// The ratio of the language: 2.5 units in the last place unless the program asks for exact ones.
void relaxDivision(Emitter& emitter, Value* quotient) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(quotient);
  if (!instruction || !quotient->getType()->getScalarType()->isFloatTy() ||
      emitter.reader.singlePrecisionDivideIsExact)
    return;
  instruction->setMetadata(llvm::LLVMContext::MD_fpmath,
                           llvm::MDBuilder(emitter.reader.context).createFPMath(2.5F));
}

Value* floatBinary(Emitter& emitter, const Instruction& i, int opcode) {
  auto [left, right] = pair(emitter, i, Kind::Float);
  Value* made =
      emitter.builder.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(opcode), left, right);
  if (opcode == llvm::Instruction::FDiv) relaxDivision(emitter, made);
  return made;
}

/// The remainder with the sign of the divisor, from the one with that of the dividend.
Value* signedModulo(Emitter& emitter, const Instruction& i, int) {
  auto [left, right] = pair(emitter, i, Kind::Integer);
  llvm::IRBuilder<>& b = emitter.builder;
  Value* rest = b.CreateSRem(left, right);
  Value* zero = llvm::Constant::getNullValue(left->getType());
  Value* differs = b.CreateICmpSLT(b.CreateXor(rest, right), zero);
  Value* adjust = b.CreateAnd(differs, b.CreateICmpNE(rest, zero));
  return b.CreateSelect(adjust, b.CreateAdd(rest, right), rest);
}

Value* floatRemainder(Emitter& emitter, const Instruction& i, int isModulo) {
  auto [left, right] = pair(emitter, i, Kind::Float);
  llvm::IRBuilder<>& b = emitter.builder;
  const MangledType type = MangledType::of(left->getType(), true);
  const std::string name = mangledName("fmod", std::array{type, type});
  Value* rest = emitter.call(i, name, left->getType(), {left, right}, true);
  if (!isModulo) return rest;
  Value* zero = llvm::Constant::getNullValue(left->getType());
  Value* differs = b.CreateXor(b.CreateFCmpOLT(rest, zero), b.CreateFCmpOLT(right, zero));
  Value* adjust = b.CreateAnd(differs, b.CreateFCmpONE(rest, zero));
  return b.CreateSelect(adjust, b.CreateFAdd(rest, right), rest);
}

Value* negate(Emitter& emitter, const Instruction& i, int isFloat) {
  if (isFloat) return emitter.builder.CreateFNeg(operandOf(emitter, i, 0, Kind::Float));
  return emitter.builder.CreateNeg(operandOf(emitter, i, 0, Kind::Integer));
}

Value* bitNot(Emitter& emitter, const Instruction& i, int) {
  return emitter.builder.CreateNot(operandOf(emitter, i, 0, Kind::Integer));
}

/// Amounts beyond the width mean nothing; here they wrap, as in the language.
Value* shift(Emitter& emitter, const Instruction& i, int opcode) {
  Value* base = operandOf(emitter, i, 0, Kind::Integer);
  Value* amount = operandOf(emitter, i, 1, Kind::Integer);
  const auto lanes = [](const Value* value) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    return vector ? vector->getNumElements() : 0;
  };
  i.require(lanes(base) == lanes(amount), "has operands of different sizes");
  llvm::IRBuilder<>& b = emitter.builder;
  amount = b.CreateZExtOrTrunc(amount, base->getType());
  const unsigned width = base->getType()->getScalarSizeInBits();
  amount = b.CreateAnd(amount, llvm::ConstantInt::get(base->getType(), width - 1));
  return b.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(opcode), base, amount);
}

Value* vectorTimesScalar(Emitter& emitter, const Instruction& i, int) {
  Value* vector = operandOf(emitter, i, 0, Kind::Float);
  Value* scalar = operandOf(emitter, i, 1, Kind::Float);
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(vector->getType());
  i.require(type && type->getElementType() == scalar->getType(), "has operands of wrong types");
  return emitter.builder.CreateFMul(
      vector, emitter.builder.CreateVectorSplat(type->getNumElements(), scalar));
}

Value* dot(Emitter& emitter, const Instruction& i, int) {
  auto [left, right] = pair(emitter, i, Kind::Float);
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(left->getType());
  i.require(vector != nullptr, "has operands that are no vectors");
  llvm::IRBuilder<>& b = emitter.builder;
  Value* products = b.CreateFMul(left, right);
  Value* sum = b.CreateExtractElement(products, uint64_t{0});
  for (unsigned lane = 1; lane < vector->getNumElements(); ++lane)
    sum = b.CreateFAdd(sum, b.CreateExtractElement(products, lane));
  return sum;
}

enum Extended { AddCarry, SubtractBorrow, UnsignedMultiply, SignedMultiply };

/// {low, high} of a sum, difference or product of twice the width.
Value* extended(Emitter& emitter, const Instruction& i, int which) {
  auto [left, right] = pair(emitter, i, Kind::Integer);
  llvm::IRBuilder<>& b = emitter.builder;
  llvm::Type* type = left->getType();
  auto* both = llvm::dyn_cast<llvm::StructType>(emitter.type(i));
  i.require(both && both->getNumElements() == 2 && both->getElementType(0) == type &&
                both->getElementType(1) == type,
            "has a result of the wrong type");
  Value* low = nullptr;
  Value* high = nullptr;
  if (which == AddCarry) {
    low = b.CreateAdd(left, right);
    high = b.CreateZExt(b.CreateICmpULT(low, left), type);
  } else if (which == SubtractBorrow) {
    low = b.CreateSub(left, right);
    high = b.CreateZExt(b.CreateICmpULT(left, right), type);
  } else {
    const bool isSigned = which == SignedMultiply;
    const MangledType letter = MangledType::of(type, isSigned);
    low = b.CreateMul(left, right);
    high = emitter.call(i, mangledName("mul_hi", std::array{letter, letter}), type, {left, right},
                        true);
  }
  return b.CreateInsertValue(b.CreateInsertValue(llvm::PoisonValue::get(both), low, 0), high, 1);
}

Value* integerCompare(Emitter& emitter, const Instruction& i, int predicate) {
  auto [left, right] = pair(emitter, i, Kind::Integer);
  return emitter.builder.CreateICmp(static_cast<Predicate>(predicate), left, right);
}

Value* floatCompare(Emitter& emitter, const Instruction& i, int predicate) {
  auto [left, right] = pair(emitter, i, Kind::Float);
  return emitter.builder.CreateFCmp(static_cast<Predicate>(predicate), left, right);
}

Value* logical(Emitter& emitter, const Instruction& i, int opcode) {
  auto [left, right] = pair(emitter, i, Kind::Bool);
  if (opcode == llvm::Instruction::ICmp) return emitter.builder.CreateICmpEQ(left, right);
  return emitter.builder.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(opcode), left,
                                     right);
}

Value* logicalNot(Emitter& emitter, const Instruction& i, int) {
  return emitter.builder.CreateNot(operandOf(emitter, i, 0, Kind::Bool));
}

Value* classify(Emitter& emitter, const Instruction& i, int classes) {
  return emitter.builder.createIsFPClass(operandOf(emitter, i, 0, Kind::Float),
                                         static_cast<unsigned>(classes));
}

Value* signBit(Emitter& emitter, const Instruction& i, int) {
  Value* value = operandOf(emitter, i, 0, Kind::Float);
  llvm::Type* bits =
      llvm::IntegerType::get(emitter.reader.context, value->getType()->getScalarSizeInBits());
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType()))
    bits = llvm::FixedVectorType::get(bits, vector->getNumElements());
  return emitter.builder.CreateICmpSLT(emitter.builder.CreateBitCast(value, bits),
                                       llvm::Constant::getNullValue(bits));
}

Value* anyOrAll(Emitter& emitter, const Instruction& i, int isAny) {
  Value* value = operandOf(emitter, i, 0, Kind::Bool);
  if (!value->getType()->isVectorTy()) return value;
  return isAny ? emitter.builder.CreateOrReduce(value) : emitter.builder.CreateAndReduce(value);
}

Value* choose(Emitter& emitter, const Instruction& i, int) {
  Value* condition = operandOf(emitter, i, 0, Kind::Bool);
  Value* yes = emitter.operand(i, 1);
  Value* no = emitter.operand(i, 2);
  i.require(yes->getType() == no->getType(), "has operands of different types");
  if (const auto* lanes = llvm::dyn_cast<llvm::FixedVectorType>(condition->getType())) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(yes->getType());
    i.require(vector && vector->getNumElements() == lanes->getNumElements(),
              "has operands of different sizes");
  }
  return emitter.builder.CreateSelect(condition, yes, no);
}

Value* countBits(Emitter& emitter, const Instruction& i, int) {
  Value* value = operandOf(emitter, i, 0, Kind::Integer);
  Value* count = emitter.builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, value);
  i.require(emitter.type(i)->isIntOrIntVectorTy() &&
                emitter.type(i)->isVectorTy() == value->getType()->isVectorTy(),
            "has a result of the wrong type");
  return count->getType() == emitter.type(i)
             ? count
             : emitter.builder.CreateZExtOrTrunc(
                   count,
                   value->getType()->getWithNewBitWidth(emitter.type(i)->getScalarSizeInBits()));
}

Value* reverseBits(Emitter& emitter, const Instruction& i, int) {
  return emitter.builder.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse,
                                              operandOf(emitter, i, 0, Kind::Integer));
}

enum BitField { Insert, SignedExtract, UnsignedExtract };

Value* bitField(Emitter& emitter, const Instruction& i, int which) {
  constexpr const char* kNames[] = {"bitfield_insert", "bitfield_extract_signed",
                                    "bitfield_extract_unsigned"};
  Value* base = operandOf(emitter, i, 0, Kind::Integer);
  llvm::IRBuilder<>& b = emitter.builder;
  std::vector<MangledType> types = {MangledType::of(base->getType(), which != UnsignedExtract)};
  llvm::SmallVector<Value*, 4> arguments = {base};
  size_t next = 1;
  if (which == Insert) {
    arguments.push_back(operandOf(emitter, i, next++, Kind::Integer));
    i.require(arguments[1]->getType() == base->getType(), "has operands of different types");
    types.push_back(types.front());
  }
  for (; next < i.operands.size(); ++next) {
    Value* number = operandOf(emitter, i, next, Kind::Integer);
    i.require(number->getType()->isIntegerTy(), "has an offset that is no scalar");
    arguments.push_back(b.CreateZExtOrTrunc(number, b.getInt32Ty()));
    types.push_back(MangledType::letter("j"));
  }
  return emitter.call(i, mangledName(kNames[which], types), base->getType(), arguments, true);
}

using I = llvm::Instruction;
using P = llvm::CmpInst;

constexpr Row kRows[] = {
    {SpvOpIAdd, integerBinary, I::Add},
    {SpvOpISub, integerBinary, I::Sub},
    {SpvOpIMul, integerBinary, I::Mul},
    {SpvOpUDiv, integerBinary, I::UDiv},
    {SpvOpSDiv, integerBinary, I::SDiv},
    {SpvOpUMod, integerBinary, I::URem},
    {SpvOpSRem, integerBinary, I::SRem},
    {SpvOpSMod, signedModulo},
    {SpvOpBitwiseOr, integerBinary, I::Or},
    {SpvOpBitwiseXor, integerBinary, I::Xor},
    {SpvOpBitwiseAnd, integerBinary, I::And},
    {SpvOpFAdd, floatBinary, I::FAdd},
    {SpvOpFSub, floatBinary, I::FSub},
    {SpvOpFMul, floatBinary, I::FMul},
    {SpvOpFDiv, floatBinary, I::FDiv},
    {SpvOpFRem, floatRemainder, 0},
    {SpvOpFMod, floatRemainder, 1},
    {SpvOpSNegate, negate, 0},
    {SpvOpFNegate, negate, 1},
    {SpvOpNot, bitNot},
    {SpvOpVectorTimesScalar, vectorTimesScalar},
    {SpvOpDot, dot},
    {SpvOpIAddCarry, extended, AddCarry},
    {SpvOpISubBorrow, extended, SubtractBorrow},
    {SpvOpUMulExtended, extended, UnsignedMultiply},
    {SpvOpSMulExtended, extended, SignedMultiply},
    {SpvOpShiftLeftLogical, shift, I::Shl},
    {SpvOpShiftRightLogical, shift, I::LShr},
    {SpvOpShiftRightArithmetic, shift, I::AShr},
    {SpvOpIEqual, integerCompare, P::ICMP_EQ},
    {SpvOpINotEqual, integerCompare, P::ICMP_NE},
    {SpvOpUGreaterThan, integerCompare, P::ICMP_UGT},
    {SpvOpSGreaterThan, integerCompare, P::ICMP_SGT},
    {SpvOpUGreaterThanEqual, integerCompare, P::ICMP_UGE},
    {SpvOpSGreaterThanEqual, integerCompare, P::ICMP_SGE},
    {SpvOpULessThan, integerCompare, P::ICMP_ULT},
    {SpvOpSLessThan, integerCompare, P::ICMP_SLT},
    {SpvOpULessThanEqual, integerCompare, P::ICMP_ULE},
    {SpvOpSLessThanEqual, integerCompare, P::ICMP_SLE},
    {SpvOpFOrdEqual, floatCompare, P::FCMP_OEQ},
    {SpvOpFUnordEqual, floatCompare, P::FCMP_UEQ},
    {SpvOpFOrdNotEqual, floatCompare, P::FCMP_ONE},
    {SpvOpFUnordNotEqual, floatCompare, P::FCMP_UNE},
    {SpvOpFOrdLessThan, floatCompare, P::FCMP_OLT},
    {SpvOpFUnordLessThan, floatCompare, P::FCMP_ULT},
    {SpvOpFOrdGreaterThan, floatCompare, P::FCMP_OGT},
    {SpvOpFUnordGreaterThan, floatCompare, P::FCMP_UGT},
    {SpvOpFOrdLessThanEqual, floatCompare, P::FCMP_OLE},
    {SpvOpFUnordLessThanEqual, floatCompare, P::FCMP_ULE},
    {SpvOpFOrdGreaterThanEqual, floatCompare, P::FCMP_OGE},
    {SpvOpFUnordGreaterThanEqual, floatCompare, P::FCMP_UGE},
    {SpvOpLessOrGreater, floatCompare, P::FCMP_ONE},
    {SpvOpOrdered, floatCompare, P::FCMP_ORD},
    {SpvOpUnordered, floatCompare, P::FCMP_UNO},
    {SpvOpIsNan, classify, llvm::fcNan},
    {SpvOpIsInf, classify, llvm::fcInf},
    {SpvOpIsFinite, classify, llvm::fcFinite},
    {SpvOpIsNormal, classify, llvm::fcNormal},
    {SpvOpSignBitSet, signBit},
    {SpvOpAny, anyOrAll, 1},
    {SpvOpAll, anyOrAll, 0},
    {SpvOpLogicalEqual, logical, I::ICmp},
    {SpvOpLogicalNotEqual, logical, I::Xor},
    {SpvOpLogicalOr, logical, I::Or},
    {SpvOpLogicalAnd, logical, I::And},
    {SpvOpLogicalNot, logicalNot},
    {SpvOpSelect, choose},
    {SpvOpBitCount, countBits},
    {SpvOpBitReverse, reverseBits},
    {SpvOpBitFieldInsert, bitField, Insert},
    {SpvOpBitFieldSExtract, bitField, SignedExtract},
    {SpvOpBitFieldUExtract, bitField, UnsignedExtract},
};

}  // namespace

std::span<const Row> arithmeticRows() { return kRows; }

}  // namespace weft::compiler::spirv
