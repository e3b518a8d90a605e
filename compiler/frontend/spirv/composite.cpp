// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Vectors and structures as values.
#include <llvm/IR/Constants.h>

#include "frontend/spirv/reader.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Value;

unsigned partsOf(const llvm::Type* type) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return vector->getNumElements();
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return static_cast<unsigned>(array->getNumElements());
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type))
    return structure->getNumElements();
  return 0;
}

llvm::Type* partOf(llvm::Type* type, unsigned index) {
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) return vector->getElementType();
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) return array->getElementType();
  return llvm::cast<llvm::StructType>(type)->getElementType(index);
}

/// What insertions have put into a lane of a vector: most vectors are made only to be taken apart.
Value* laneOf(Emitter& emitter, Value* vector, unsigned lane) {
  constexpr unsigned kMostSteps = 32;
  Value* from = vector;
  for (unsigned step = 0; step < kMostSteps; ++step) {
    auto* insertion = llvm::dyn_cast<llvm::InsertElementInst>(from);
    if (!insertion) break;
    const auto* at = llvm::dyn_cast<llvm::ConstantInt>(insertion->getOperand(2));
    if (!at) break;
    if (at->getZExtValue() == lane) return insertion->getOperand(1);
    from = insertion->getOperand(0);
  }
  return emitter.builder.CreateExtractElement(vector, lane);
}

/// The number of a part, a literal, which the type must have.
unsigned partIndex(const Instruction& i, size_t operand, const llvm::Type* type) {
  const uint32_t index = i.operand(operand);
  i.require(index < partsOf(type), "has an index out of range");
  return index;
}

Value* extractPart(Emitter& emitter, Value* value, unsigned index) {
  return value->getType()->isVectorTy() ? laneOf(emitter, value, index)
                                        : emitter.builder.CreateExtractValue(value, index);
}

Value* insertPart(Emitter& emitter, Value* whole, Value* part, unsigned index) {
  return whole->getType()->isVectorTy() ? emitter.builder.CreateInsertElement(whole, part, index)
                                        : emitter.builder.CreateInsertValue(whole, part, index);
}

Value* extract(Emitter& emitter, const Instruction& i, int) {
  Value* value = emitter.operand(i, 0);
  for (size_t k = 1; k < i.operands.size(); ++k)
    value = extractPart(emitter, value, partIndex(i, k, value->getType()));
  return value;
}

Value* insert(Emitter& emitter, const Instruction& i, int) {
  Value* part = emitter.operand(i, 0);
  llvm::SmallVector<Value*> wholes = {emitter.operand(i, 1)};
  llvm::SmallVector<unsigned> indices;
  i.require(i.operands.size() > 2, "has no index");
  for (size_t k = 2; k < i.operands.size(); ++k) {
    Value* whole = wholes.back();
    indices.push_back(partIndex(i, k, whole->getType()));
    if (k + 1 < i.operands.size()) wholes.push_back(extractPart(emitter, whole, indices.back()));
  }
  i.require(partOf(wholes.back()->getType(), indices.back()) == part->getType(),
            "has an operand of the wrong type");
  while (!wholes.empty()) {
    part = insertPart(emitter, wholes.pop_back_val(), part, indices.pop_back_val());
  }
  return part;
}

/// Vectors are made of scalars and vectors, in order; other types of one operand for each part.
Value* construct(Emitter& emitter, const Instruction& i, int) {
  llvm::Type* type = emitter.type(i);
  Value* whole = llvm::PoisonValue::get(type);
  unsigned next = 0;
  for (size_t k = 0; k < i.operands.size(); ++k) {
    Value* part = emitter.operand(i, k);
    const bool isSpread = type->isVectorTy() && part->getType()->isVectorTy();
    const unsigned count = isSpread ? partsOf(part->getType()) : 1;
    for (unsigned lane = 0; lane < count; ++lane) {
      i.require(next < partsOf(type), "has too many operands");
      Value* single = isSpread ? extractPart(emitter, part, lane) : part;
      i.require(single->getType() == partOf(type, next), "has an operand of the wrong type");
      whole = insertPart(emitter, whole, single, next++);
    }
  }
  i.require(next == partsOf(type), "has too few operands");
  return whole;
}

Value* extractDynamic(Emitter& emitter, const Instruction& i, int) {
  Value* vector = emitter.operand(i, 0);
  Value* index = emitter.operand(i, 1);
  i.require(vector->getType()->isVectorTy() && index->getType()->isIntegerTy(),
            "has operands of the wrong types");
  // What OpenCL C says of a fourth dimension is lost on the way through a vector, but translators
  // and those who wrote the programs mean it.
  if (llvm::Function* function = functionOfDimensions(vector)) {
    llvm::IRBuilder<>& b = emitter.builder;
    Value* most = llvm::ConstantInt::get(index->getType(), 3);
    Value* dimension = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, index, most);
    Value* number = emitter.call(i, function->getName().str(), function->getReturnType(),
                                 {b.CreateZExtOrTrunc(dimension, b.getInt32Ty())}, true);
    return b.CreateZExtOrTrunc(number, vector->getType()->getScalarType());
  }
  return emitter.builder.CreateExtractElement(vector, index);
}

Value* insertDynamic(Emitter& emitter, const Instruction& i, int) {
  Value* vector = emitter.operand(i, 0);
  Value* part = emitter.operand(i, 1);
  Value* index = emitter.operand(i, 2);
  i.require(vector->getType()->isVectorTy() && index->getType()->isIntegerTy() &&
                vector->getType()->getScalarType() == part->getType(),
            "has operands of the wrong types");
  return emitter.builder.CreateInsertElement(vector, part, index);
}

Value* shuffle(Emitter& emitter, const Instruction& i, int) {
  constexpr uint32_t kAny = 0xffffffff;
  Value* first = emitter.operand(i, 0);
  Value* second = emitter.operand(i, 1);
  i.require(first->getType()->isVectorTy() && second->getType()->isVectorTy() &&
                first->getType()->getScalarType() == second->getType()->getScalarType(),
            "has operands of the wrong types");
  const unsigned firstLanes = partsOf(first->getType());
  const unsigned secondLanes = partsOf(second->getType());
  const unsigned lanes = std::max(firstLanes, secondLanes);
  llvm::IRBuilder<>& b = emitter.builder;
  const auto widen = [&](Value* vector, unsigned have) {
    if (have == lanes) return vector;
    llvm::SmallVector<int> mask(lanes, -1);
    for (unsigned lane = 0; lane < have; ++lane) mask[lane] = static_cast<int>(lane);
    return b.CreateShuffleVector(vector, mask);
  };
  llvm::SmallVector<int> mask;
  for (uint32_t lane : i.operands.subspan(2)) {
    i.require(lane == kAny || lane < firstLanes + secondLanes, "has an index out of range");
    mask.push_back(lane == kAny        ? -1
                   : lane < firstLanes ? static_cast<int>(lane)
                                       : static_cast<int>(lane - firstLanes + lanes));
  }
  i.require(!mask.empty(), "has no components");
  return b.CreateShuffleVector(widen(first, firstLanes), widen(second, secondLanes), mask);
}

constexpr Row kRows[] = {
    {SpvOpCompositeExtract, extract},          {SpvOpCompositeInsert, insert},
    {SpvOpCompositeConstruct, construct},      {SpvOpVectorExtractDynamic, extractDynamic},
    {SpvOpVectorInsertDynamic, insertDynamic}, {SpvOpVectorShuffle, shuffle},
};

}  // namespace

std::span<const Row> compositeRows() { return kRows; }

}  // namespace weft::compiler::spirv
