// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Dot products of integers.
#include <llvm/IR/Constants.h>

#include "frontend/spirv/reader.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Value;

constexpr int kLeftSigned = 1;
constexpr int kRightSigned = 2;
constexpr int kSaturates = 4;

/// A vector of integers; four bytes of one where the instruction says that they are packed.
Value* vectorOf(Emitter& emitter, const Instruction& i, size_t index, bool isPacked) {
  Value* value = emitter.operand(i, index);
  if (isPacked) {
    i.require(value->getType()->isIntegerTy(32), "has a packed operand of the wrong type");
    value = emitter.builder.CreateBitCast(
        value, llvm::FixedVectorType::get(emitter.builder.getInt8Ty(), 4));
  }
  i.require(value->getType()->isVectorTy() && value->getType()->isIntOrIntVectorTy() &&
                !value->getType()->isIntOrIntVectorTy(1),
            "has an operand of the wrong type");
  return value;
}

Value* dotProduct(Emitter& emitter, const Instruction& i, int which) {
  llvm::IRBuilder<>& b = emitter.builder;
  llvm::Type* type = emitter.type(i);
  i.require(type->isIntegerTy() && !type->isIntegerTy(1), "has a result of the wrong type");
  const size_t accumulator = 2;
  const size_t format = which & kSaturates ? 3 : 2;
  const bool isPacked = i.operands.size() > format;
  if (isPacked)
    i.require(i.operand(format) == SpvPackedVectorFormatPackedVectorFormat4x8Bit,
              "has an unknown packed format");
  Value* left = vectorOf(emitter, i, 0, isPacked);
  Value* right = vectorOf(emitter, i, 1, isPacked);
  i.require(left->getType() == right->getType() &&
                left->getType()->getScalarSizeInBits() <= type->getIntegerBitWidth(),
            "has operands of the wrong types");
  const auto wide = [&](Value* vector, bool isSigned) {
    const auto* lanes = llvm::cast<llvm::FixedVectorType>(vector->getType());
    llvm::Type* to = llvm::FixedVectorType::get(type, lanes->getNumElements());
    return isSigned ? b.CreateSExt(vector, to) : b.CreateZExt(vector, to);
  };
  Value* sum = b.CreateAddReduce(
      b.CreateMul(wide(left, which & kLeftSigned), wide(right, which & kRightSigned)));
  if (!(which & kSaturates)) return sum;
  Value* start = emitter.operand(i, accumulator);
  i.require(start->getType() == type, "has an accumulator of the wrong type");
  return b.CreateBinaryIntrinsic(
      which & kLeftSigned ? llvm::Intrinsic::sadd_sat : llvm::Intrinsic::uadd_sat, sum, start);
}

constexpr Row kRows[] = {
    {SpvOpSDot, dotProduct, kLeftSigned | kRightSigned},
    {SpvOpUDot, dotProduct, 0},
    {SpvOpSUDot, dotProduct, kLeftSigned},
    {SpvOpSDotAccSat, dotProduct, kLeftSigned | kRightSigned | kSaturates},
    {SpvOpUDotAccSat, dotProduct, kSaturates},
    {SpvOpSUDotAccSat, dotProduct, kLeftSigned | kSaturates},
};

}  // namespace

std::span<const Row> dotProductRows() { return kRows; }

}  // namespace weft::compiler::spirv
