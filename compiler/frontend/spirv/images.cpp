// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Images and samplers: calls of the library's functions for the type of the image.
#include <llvm/IR/Constants.h>

#include "frontend/spirv/mangle.h"
#include "frontend/spirv/reader.h"
#include "ir/names.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Value;

/// CL_SNORM_INT8 and CL_R, from which SPIR-V counts.
constexpr uint32_t kFirstChannelType = 0x10D0;
constexpr uint32_t kFirstChannelOrder = 0x10B0;

/// An image, with the sampler it is read with.
struct Operand {
  Value* image = nullptr;
  Value* sampler = nullptr;
  const TypeInfo* type = nullptr;

  bool isDepth() const { return type->image->isDepth; }
  MangledType spelled() const { return MangledType::letter(type->image->name); }
};

Operand imageOf(Emitter& emitter, const Instruction& i) {
  const TypedValue value = emitter.typed(i.operand(0), i);
  const TypeInfo& type = emitter.reader.types.get(value.type, i);
  i.require(type.image.has_value() && type.op == SpvOpTypeImage, "has an operand that is no image");
  return {value.value, nullptr, &type};
}

/// What was put into a pair, or what takes it out.
Value* partOf(Emitter& emitter, Value* pair, unsigned index) {
  for (auto* step = llvm::dyn_cast<llvm::InsertValueInst>(pair); step;
       step = llvm::dyn_cast<llvm::InsertValueInst>(step->getAggregateOperand()))
    if (step->getIndices()[0] == index) return step->getInsertedValueOperand();
  return emitter.builder.CreateExtractValue(pair, index);
}

Operand sampledImageOf(Emitter& emitter, const Instruction& i) {
  const TypedValue value = emitter.typed(i.operand(0), i);
  const TypeInfo& type = emitter.reader.types.get(value.type, i);
  i.require(type.op == SpvOpTypeSampledImage, "has an operand that is no sampled image");
  return {partOf(emitter, value.value, 0), partOf(emitter, value.value, 1),
          &emitter.reader.types.get(type.element, i)};
}

Value* sampledImage(Emitter& emitter, const Instruction& i, int) {
  const Operand image = imageOf(emitter, i);
  const TypedValue sampler = emitter.typed(i.operand(1), i);
  i.require(emitter.reader.types.get(sampler.type, i).op == SpvOpTypeSampler,
            "has an operand that is no sampler");
  llvm::Type* type = emitter.type(i);
  i.require(type->isStructTy(), "has a result of the wrong type");
  llvm::IRBuilder<>& b = emitter.builder;
  return b.CreateInsertValue(b.CreateInsertValue(llvm::PoisonValue::get(type), image.image, 0),
                             sampler.value, 1);
}

Value* imageOfSampled(Emitter& emitter, const Instruction& i, int) {
  return sampledImageOf(emitter, i).image;
}

/// A vector of coordinates with as many components as the language has.
Value* withComponents(Emitter& emitter, const Instruction& i, size_t index, unsigned wanted) {
  Value* value = emitter.operand(i, index);
  const bool isNumber =
      value->getType()->isIntOrIntVectorTy(32) ||
      (value->getType()->isFPOrFPVectorTy() && value->getType()->getScalarType()->isFloatTy());
  i.require(isNumber, "has a coordinate of the wrong type");
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  const unsigned have = vector ? vector->getNumElements() : 1;
  if (have == wanted) return value;
  llvm::IRBuilder<>& b = emitter.builder;
  i.require(have > 1 && have + 1 >= wanted, "has a coordinate of too few components");
  if (wanted == 1) return b.CreateExtractElement(value, uint64_t{0});
  llvm::SmallVector<int> mask;
  for (unsigned lane = 0; lane < wanted; ++lane)
    mask.push_back(static_cast<int>(std::min(lane, have)));
  return b.CreateShuffleVector(value, llvm::Constant::getNullValue(value->getType()), mask);
}

Value* coordinate(Emitter& emitter, const Instruction& i, size_t index, const Operand& image) {
  return withComponents(emitter, i, index, image.type->image->coordinates);
}

/// A gradient has nothing for the layers of an array.
Value* gradient(Emitter& emitter, const Instruction& i, size_t index, const Operand& image) {
  const unsigned dimensions = image.type->image->dimensions;
  return withComponents(emitter, i, index, dimensions == 3 ? 4 : dimensions);
}

/// What the optional operands say.
struct ImageOperands {
  Value* lod = nullptr;
  Value* gradientX = nullptr;
  Value* gradientY = nullptr;
  bool isUnsigned = false;
};

ImageOperands operandsOf(Emitter& emitter, const Instruction& i, size_t index,
                         const Operand& image) {
  ImageOperands result;
  if (index >= i.operands.size()) return result;
  const uint32_t mask = i.operand(index++);
  constexpr uint32_t kHints = SpvImageOperandsSignExtendMask | SpvImageOperandsNontemporalMask;
  constexpr uint32_t kKnown =
      SpvImageOperandsLodMask | SpvImageOperandsGradMask | kHints | SpvImageOperandsZeroExtendMask;
  i.require((mask & ~kKnown) == 0, "has image operands that are not supported");
  result.isUnsigned = mask & SpvImageOperandsZeroExtendMask;
  if (mask & SpvImageOperandsLodMask) {
    result.lod = emitter.operand(i, index++);
    // The level that is read without one.
    const auto* number = llvm::dyn_cast<llvm::Constant>(result.lod);
    if (number && number->isZeroValue()) result.lod = nullptr;
  }
  if (mask & SpvImageOperandsGradMask) {
    result.gradientX = gradient(emitter, i, index++, image);
    result.gradientY = gradient(emitter, i, index++, image);
  }
  return result;
}

/// "f", "h", "i" or "ui".
std::string texelSuffix(const Instruction& i, const llvm::Type* texel, bool isUnsigned) {
  const llvm::Type* scalar = texel->getScalarType();
  i.require(scalar->isFloatTy() || scalar->isHalfTy() || scalar->isIntegerTy(32),
            "has a texel of the wrong type");
  if (scalar->isFloatTy()) return "f";
  return scalar->isHalfTy() ? "h" : isUnsigned ? "ui" : "i";
}

/// A call of read_image<suffix>, whose result has four components, or one for depth.
Value* callRead(Emitter& emitter, const Instruction& i, const Operand& image, Value* position,
                const ImageOperands& extra) {
  llvm::IRBuilder<>& b = emitter.builder;
  llvm::Type* type = emitter.type(i);
  const std::string suffix = texelSuffix(i, type, extra.isUnsigned);
  llvm::SmallVector<Value*> arguments = {image.image};
  std::vector<MangledType> types = {image.spelled()};
  const auto add = [&](Value* value) {
    arguments.push_back(value);
    types.push_back(MangledType::of(value->getType(), true));
    i.require(!types.back().empty(), "has an operand of the wrong type");
  };
  if (image.sampler) {
    arguments.push_back(image.sampler);
    types.push_back(MangledType::letter("11ocl_sampler"));
  }
  add(position);
  if (extra.lod) add(extra.lod);
  if (extra.gradientX) add(extra.gradientX);
  if (extra.gradientY) add(extra.gradientY);
  const bool isScalar = image.isDepth();
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  i.require(vector ? vector->getNumElements() == 4 : isScalar, "has a result of the wrong type");
  llvm::Type* result = isScalar ? type->getScalarType() : type;
  Value* texel = emitter.call(i, mangledName("read_image" + suffix, types), result, arguments);
  if (!isScalar || !vector) return texel;
  return b.CreateInsertElement(llvm::Constant::getNullValue(type), texel, uint64_t{0});
}

Value* sample(Emitter& emitter, const Instruction& i, int) {
  const Operand image = sampledImageOf(emitter, i);
  Value* position = coordinate(emitter, i, 1, image);
  return callRead(emitter, i, image, position, operandsOf(emitter, i, 2, image));
}

Value* read(Emitter& emitter, const Instruction& i, int) {
  const Operand image = imageOf(emitter, i);
  Value* position = coordinate(emitter, i, 1, image);
  return callRead(emitter, i, image, position, operandsOf(emitter, i, 2, image));
}

Value* write(Emitter& emitter, const Instruction& i, int) {
  const Operand image = imageOf(emitter, i);
  Value* position = coordinate(emitter, i, 1, image);
  Value* texel = emitter.operand(i, 2);
  const ImageOperands extra = operandsOf(emitter, i, 3, image);
  i.require(!extra.gradientX, "has image operands that are not supported");
  const std::string suffix = texelSuffix(i, texel->getType(), extra.isUnsigned);
  if (image.isDepth() && texel->getType()->isVectorTy())
    texel = emitter.builder.CreateExtractElement(texel, uint64_t{0});
  llvm::SmallVector<Value*> arguments = {image.image, position};
  std::vector<MangledType> types = {image.spelled(), MangledType::of(position->getType(), true)};
  if (extra.lod) {
    arguments.push_back(extra.lod);
    types.push_back(MangledType::of(extra.lod->getType(), true));
  }
  arguments.push_back(texel);
  types.push_back(MangledType::of(texel->getType(), !extra.isUnsigned));
  for (const MangledType& type : types)
    i.require(!type.empty(), "has an operand of the wrong type");
  emitter.call(i, mangledName("write_image" + suffix, types), emitter.builder.getVoidTy(),
               arguments);
  return nullptr;
}

Value* query(Emitter& emitter, const Instruction& i, const Operand& image, const char* name,
             unsigned bits = 32) {
  return emitter.call(i, mangledName(name, std::array{image.spelled()}),
                      emitter.builder.getIntNTy(bits), {image.image});
}

/// Of a level, whose edges are halved from the first one's; layers are the same in all.
Value* querySize(Emitter& emitter, const Instruction& i, int hasLevel) {
  const Operand image = imageOf(emitter, i);
  llvm::IRBuilder<>& b = emitter.builder;
  llvm::Type* type = emitter.type(i);
  i.require(type->isIntOrIntVectorTy(), "has a result of the wrong type");
  Value* level = hasLevel ? emitter.operand(i, 1) : nullptr;
  if (level) i.require(level->getType()->isIntegerTy(), "has a level of the wrong type");
  llvm::SmallVector<Value*> sizes;
  constexpr const char* kEdges[] = {"get_image_width", "get_image_height", "get_image_depth"};
  for (unsigned d = 0; d < image.type->image->dimensions; ++d) {
    Value* edge = query(emitter, i, image, kEdges[d]);
    const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(level);
    if (level && !(number && number->isZero())) {
      Value* steps = b.CreateAnd(b.CreateZExtOrTrunc(level, b.getInt32Ty()), 31);
      edge =
          b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, b.CreateLShr(edge, steps), b.getInt32(1));
    }
    sizes.push_back(edge);
  }
  if (image.type->image->isArray)
    sizes.push_back(query(emitter, i, image, "get_image_array_size", 64));
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  i.require((vector ? vector->getNumElements() : 1) == sizes.size(),
            "has a result of the wrong type");
  if (!vector) return b.CreateZExtOrTrunc(sizes[0], type);
  Value* all = llvm::PoisonValue::get(type);
  for (unsigned lane = 0; lane < sizes.size(); ++lane)
    all = b.CreateInsertElement(all, b.CreateZExtOrTrunc(sizes[lane], type->getScalarType()), lane);
  return all;
}

enum Fact { Format, Order, Levels };

Value* queryFact(Emitter& emitter, const Instruction& i, int which) {
  const Operand image = imageOf(emitter, i);
  constexpr const char* kNames[] = {"get_image_channel_data_type", "get_image_channel_order",
                                    "get_image_num_mip_levels"};
  constexpr uint32_t kFirst[] = {kFirstChannelType, kFirstChannelOrder, 0};
  i.require(emitter.type(i)->isIntegerTy(32), "has a result of the wrong type");
  return emitter.builder.CreateSub(query(emitter, i, image, kNames[which]),
                                   emitter.builder.getInt32(kFirst[which]));
}

constexpr Row kRows[] = {
    {SpvOpSampledImage, sampledImage},
    {SpvOpImage, imageOfSampled},
    {SpvOpImageSampleExplicitLod, sample},
    {SpvOpImageRead, read},
    {SpvOpImageWrite, write},
    {SpvOpImageQuerySizeLod, querySize, 1},
    {SpvOpImageQuerySize, querySize, 0},
    {SpvOpImageQueryFormat, queryFact, Format},
    {SpvOpImageQueryOrder, queryFact, Order},
    {SpvOpImageQueryLevels, queryFact, Levels},
};

}  // namespace

std::span<const Row> imageRows() { return kRows; }

}  // namespace weft::compiler::spirv
