// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/types.h"

#include <llvm/Support/MathExtras.h>

#include <algorithm>

#include "ir/names.h"

namespace weft::compiler::spirv {
namespace {

constexpr unsigned kMostNesting = 256;
constexpr uint64_t kMostBytes = uint64_t{1} << 40;
/// Scalars of a value that is no place in memory. LLVM gives each of them registers.
constexpr uint64_t kMostScalars = 4096;

}  // namespace

std::optional<unsigned> addressSpaceOf(uint32_t storage) {
  switch (storage) {
    case SpvStorageClassFunction:
    case SpvStorageClassInput:
      return names::kPrivate;
    case SpvStorageClassCrossWorkgroup:
      return names::kGlobal;
    case SpvStorageClassUniformConstant:
      return names::kConstant;
    case SpvStorageClassWorkgroup:
      return names::kLocal;
    case SpvStorageClassGeneric:
      return names::kGeneric;
    default:
      return std::nullopt;
  }
}

void Types::set(const Instruction& instruction, TypeInfo info) {
  info.op = instruction.op;
  const auto [place, isNew] = types_.try_emplace(instruction.result);
  const bool isCompleted = !isNew && place->second.op == SpvOpTypeForwardPointer &&
                           info.op == SpvOpTypePointer && place->second.storage == info.storage;
  if (!isNew && !isCompleted) instruction.fail("declares an id that is a type already");
  place->second = std::move(info);
}

const TypeInfo& Types::get(uint32_t id, const Instruction& user) const {
  const auto found = types_.find(id);
  if (found == types_.end()) user.fail("uses %" + std::to_string(id) + ", which is no type");
  return found->second;
}

llvm::Type* Types::memoryType(uint32_t id, const Instruction& user) const {
  const TypeInfo& info = get(id, user);
  user.require(info.bytes != 0, "uses a type that nothing in memory can have");
  return info.type;
}

llvm::Type* Types::valueType(uint32_t id, const Instruction& user) const {
  const TypeInfo& info = get(id, user);
  user.require(info.bytes != 0 || info.op == SpvOpTypeVoid, "has no type of a value");
  user.require(info.scalars <= kMostScalars, "has a value of too many components");
  return info.type;
}

uint32_t Types::pointee(uint32_t id, const Instruction& user) const {
  const TypeInfo& info = get(id, user);
  user.require(info.op == SpvOpTypePointer, "has an operand that is no pointer");
  return info.element;
}

bool Types::isSigned(uint32_t id) const {
  const auto found = types_.find(id);
  return found != types_.end() && found->second.op == SpvOpTypeInt && found->second.members[0] != 0;
}

/// Takes in that `info` holds `count` of the type `inner`.
void Types::nest(const Instruction& instruction, TypeInfo& info, uint32_t inner,
                 uint64_t count) const {
  const TypeInfo& part = get(inner, instruction);
  instruction.require(part.bytes != 0, "holds a type that nothing in memory can have");
  info.depth = std::max(info.depth, part.depth + 1);
  instruction.require(info.depth <= kMostNesting, "is nested too deeply");
  info.scalars = llvm::SaturatingAdd(info.scalars, llvm::SaturatingMultiply(part.scalars, count));
  // Room for what alignment adds.
  info.bytes = llvm::SaturatingAdd(info.bytes, llvm::SaturatingMultiply(part.bytes, count));
  instruction.require(info.bytes <= kMostBytes, "is larger than memory can be");
}

void Types::declareNumber(const Instruction& instruction) {
  const uint32_t width = instruction.operand(0);
  TypeInfo info;
  if (instruction.op == SpvOpTypeInt) {
    instruction.require(width == 8 || width == 16 || width == 32 || width == 64,
                        "has a width other than 8, 16, 32 and 64");
    info.type = llvm::IntegerType::get(module_.getContext(), width);
    info.members = {instruction.operand(1)};
  } else {
    instruction.require(width == 16 || width == 32 || width == 64,
                        "has a width other than 16, 32 and 64");
    instruction.require(instruction.operands.size() == 1, "has an encoding that is not supported");
    llvm::LLVMContext& context = module_.getContext();
    info.type = width == 16   ? llvm::Type::getHalfTy(context)
                : width == 32 ? llvm::Type::getFloatTy(context)
                              : llvm::Type::getDoubleTy(context);
  }
  info.bytes = width / 8;
  set(instruction, std::move(info));
}

void Types::declareStructure(const Instruction& instruction) {
  TypeInfo info;
  info.scalars = 0;
  llvm::SmallVector<llvm::Type*> members;
  for (uint32_t id : instruction.operands) {
    nest(instruction, info, id, 1);
    info.bytes = llvm::SaturatingAdd(info.bytes, uint64_t{128});
    members.push_back(llvmType(id, instruction));
    info.members.push_back(id);
  }
  const bool isPacked = annotations_.has(instruction.result, SpvDecorationCPacked);
  info.type = llvm::StructType::get(module_.getContext(), members, isPacked);
  info.bytes = std::max<uint64_t>(info.bytes, 1);
  set(instruction, std::move(info));
}

void Types::declareFunction(const Instruction& instruction) {
  TypeInfo info;
  info.element = instruction.operand(0);
  llvm::Type* result = valueType(info.element, instruction);
  llvm::SmallVector<llvm::Type*> parameters;
  for (uint32_t id : instruction.operands.subspan(1)) {
    parameters.push_back(valueType(id, instruction));
    instruction.require(!parameters.back()->isVoidTy(), "has a parameter of type void");
    info.members.push_back(id);
  }
  info.type = llvm::FunctionType::get(result, parameters, /*isVarArg=*/false);
  set(instruction, std::move(info));
}

void Types::declareImage(const Instruction& instruction) {
  // Sampled type, dimensions, depth, arrayed, multisampled, sampled, format, access.
  const uint32_t dim = instruction.operand(1);
  ImageFacts facts;
  facts.isDepth = instruction.operand(2) == 1;
  facts.isArray = instruction.operand(3) == 1;
  instruction.require(instruction.operand(4) == 0, "has several samples, which is not supported");
  const uint32_t access = instruction.operands.size() > 7 ? instruction.operand(7)
                                                          : uint32_t{SpvAccessQualifierReadOnly};
  constexpr const char* kAccess[] = {"_ro", "_wo", "_rw"};
  instruction.require(access < 3, "has an unknown access qualifier");
  facts.access = access == 0   ? AccessQualifier::ReadOnly
                 : access == 1 ? AccessQualifier::WriteOnly
                               : AccessQualifier::ReadWrite;
  struct Kind {
    SpvDim dim;
    bool isArray, isDepth;
    const char* name;
    ImageType type;
    unsigned dimensions, coordinates;
  };
  constexpr Kind kKinds[] = {
      {SpvDim1D, false, false, "image1d", ImageType::Image1D, 1, 1},
      {SpvDimBuffer, false, false, "image1d_buffer", ImageType::Image1DBuffer, 1, 1},
      {SpvDim1D, true, false, "image1d_array", ImageType::Image1DArray, 1, 2},
      {SpvDim2D, false, false, "image2d", ImageType::Image2D, 2, 2},
      {SpvDim2D, false, true, "image2d_depth", ImageType::Image2DDepth, 2, 2},
      {SpvDim2D, true, false, "image2d_array", ImageType::Image2DArray, 2, 4},
      {SpvDim2D, true, true, "image2d_array_depth", ImageType::Image2DArrayDepth, 2, 4},
      {SpvDim3D, false, false, "image3d", ImageType::Image3D, 3, 4},
  };
  const auto* kind = std::ranges::find_if(kKinds, [&](const Kind& k) {
    return uint32_t{k.dim} == dim && k.isArray == facts.isArray && k.isDepth == facts.isDepth;
  });
  instruction.require(kind != std::end(kKinds), "is of a shape that is not supported");
  const std::string name = "ocl_" + std::string(kind->name) + kAccess[access];
  facts.name = std::to_string(name.size()) + name;
  facts.type = kind->type;
  facts.dimensions = kind->dimensions;
  facts.coordinates = kind->coordinates;
  TypeInfo info;
  info.type = llvm::PointerType::get(module_.getContext(), names::kConstant);
  info.bytes = sizeof(uint64_t);
  info.image = std::move(facts);
  set(instruction, std::move(info));
}

TypeInfo Types::pointerTo(uint32_t storage, const Instruction& instruction) const {
  TypeInfo info;
  info.op = instruction.op;
  info.storage = storage;
  const auto space = addressSpaceOf(info.storage);
  instruction.require(space.has_value(), "has a storage class that kernels cannot use");
  info.type = llvm::PointerType::get(module_.getContext(), *space);
  info.bytes = sizeof(uint64_t);
  return info;
}

void Types::declarePointer(const Instruction& instruction) {
  TypeInfo info = pointerTo(instruction.operand(0), instruction);
  info.element = instruction.operand(1);  // may be declared later on
  set(instruction, std::move(info));
}

/// A pointer that structures may hold before it is known what it points to: itself, say.
void Types::declareForward(const Instruction& instruction) {
  const uint32_t id = instruction.operand(0);
  if (!types_.emplace(id, pointerTo(instruction.operand(1), instruction)).second)
    instruction.fail("names an id that is a type already");
}

bool Types::declare(const Instruction& instruction, std::optional<uint64_t> length) {
  llvm::LLVMContext& context = module_.getContext();
  TypeInfo info;
  switch (instruction.op) {
    case SpvOpTypeVoid:
      info.type = llvm::Type::getVoidTy(context);
      set(instruction, std::move(info));
      return true;
    case SpvOpTypeBool:
      info.type = llvm::Type::getInt1Ty(context);
      info.bytes = 1;
      set(instruction, std::move(info));
      return true;
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
      declareNumber(instruction);
      return true;
    case SpvOpTypeVector: {
      info.element = instruction.operand(0);
      const uint32_t count = instruction.operand(1);
      const TypeInfo& element = get(info.element, instruction);
      instruction.require(
          element.op == SpvOpTypeInt || element.op == SpvOpTypeFloat || element.op == SpvOpTypeBool,
          "has components that are no scalars");
      instruction.require((count >= 2 && count <= 4) || count == 8 || count == 16,
                          "has a number of components other than 2, 3, 4, 8 and 16");
      info.type = llvm::FixedVectorType::get(element.type, count);
      info.bytes = element.bytes * (count == 3 ? 4 : count);
      info.scalars = count;
      set(instruction, std::move(info));
      return true;
    }
    case SpvOpTypeArray: {
      info.element = instruction.operand(0);
      instruction.require(length.has_value(), "has a length that is no constant");
      instruction.require(*length != 0, "has no elements");
      info.scalars = 0;
      nest(instruction, info, info.element, *length);
      info.type = llvm::ArrayType::get(llvmType(info.element, instruction), *length);
      set(instruction, std::move(info));
      return true;
    }
    case SpvOpTypeStruct:
      declareStructure(instruction);
      return true;
    case SpvOpTypePointer:
      declarePointer(instruction);
      return true;
    case SpvOpTypeFunction:
      declareFunction(instruction);
      return true;
    case SpvOpTypePipe: {
      const uint32_t access = instruction.operand(0);
      instruction.require(access <= SpvAccessQualifierWriteOnly,
                          "is a pipe that is neither read nor written");
      info.access = access == SpvAccessQualifierReadOnly ? AccessQualifier::ReadOnly
                                                         : AccessQualifier::WriteOnly;
      info.type = llvm::PointerType::get(context, names::kGlobal);
      info.bytes = sizeof(uint64_t);
      set(instruction, std::move(info));
      return true;
    }
    case SpvOpTypeEvent:
    case SpvOpTypeReserveId:
    case SpvOpTypeQueue:
    case SpvOpTypeDeviceEvent:
      info.type = llvm::PointerType::get(context, names::kPrivate);
      info.bytes = sizeof(uint64_t);
      set(instruction, std::move(info));
      return true;
    case SpvOpTypeImage:
      declareImage(instruction);
      return true;
    case SpvOpTypeSampler:
      info.type = llvm::PointerType::get(context, names::kConstant);
      info.bytes = sizeof(uint64_t);
      set(instruction, std::move(info));
      return true;
    case SpvOpTypeSampledImage: {
      info.element = instruction.operand(0);
      instruction.require(get(info.element, instruction).op == SpvOpTypeImage, "is of no image");
      llvm::Type* object = llvm::PointerType::get(context, names::kConstant);
      info.type = llvm::StructType::get(context, {object, object});
      info.bytes = 2 * sizeof(uint64_t);
      set(instruction, std::move(info));
      return true;
    }
    case SpvOpTypeForwardPointer:
      declareForward(instruction);
      return true;
    case SpvOpTypeOpaque:
      // Nothing has such a type; pointers may point to it.
      info.type = llvm::Type::getInt8Ty(context);
      set(instruction, std::move(info));
      return true;
    default:
      return false;
  }
}

}  // namespace weft::compiler::spirv
