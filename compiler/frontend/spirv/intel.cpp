// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SPV_INTEL_subgroups: shuffles along two sub-groups' worth of values, and blocks of memory and of
// images.
#include "frontend/spirv/mangle.h"
#include "frontend/spirv/reader.h"
#include "ir/names.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Value;

MangledType spelled(const Instruction& i, const llvm::Type* type, bool isSigned) {
  const MangledType result = MangledType::of(type, isSigned);
  i.require(!result.empty(), "has an operand of the wrong type");
  return result;
}

enum Shuffle { Plain, Down, Up, Xor };

/// (value, number), or (value, value, number).
Value* shuffle(Emitter& emitter, const Instruction& i, int which) {
  constexpr const char* kNames[] = {"intel_sub_group_shuffle", "intel_sub_group_shuffle_down",
                                    "intel_sub_group_shuffle_up", "intel_sub_group_shuffle_xor"};
  const size_t values = which == Down || which == Up ? 2 : 1;
  llvm::IRBuilder<>& b = emitter.builder;
  llvm::Type* type = emitter.type(i);
  Value* number = emitter.operand(i, values);
  i.require(number->getType()->isIntegerTy(32), "has an operand of the wrong type");
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  Value* all = llvm::PoisonValue::get(type);
  for (unsigned lane = 0; lane < (vector ? vector->getNumElements() : 1); ++lane) {
    llvm::SmallVector<Value*> arguments;
    std::vector<MangledType> types;
    for (size_t k = 0; k < values; ++k) {
      Value* value = emitter.operand(i, k);
      i.require(value->getType() == type, "has operands of different types");
      arguments.push_back(vector ? b.CreateExtractElement(value, lane) : value);
      types.push_back(spelled(i, arguments.back()->getType(), true));
    }
    arguments.push_back(number);
    types.push_back(MangledType::letter("j"));
    Value* part =
        emitter.call(i, mangledName(kNames[which], types), type->getScalarType(), arguments);
    if (!vector) return part;
    all = b.CreateInsertElement(all, part, lane);
  }
  return all;
}

/// The unsigned integers that a block's values are moved as, and the ending of its functions'
/// names.
struct Block {
  llvm::Type* type;
  std::string ending;
};

Block blockOf(Emitter& emitter, const Instruction& i, llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const llvm::Type* scalar = type->getScalarType();
  const unsigned bits = scalar->getScalarSizeInBits();
  i.require((scalar->isIntegerTy() && bits >= 8) || scalar->isFloatingPointTy(),
            "has a value of the wrong type");
  const std::string lanes = vector ? std::to_string(vector->getNumElements()) : "";
  const char* ending = bits == 8 ? "_uc" : bits == 16 ? "_us" : bits == 32 ? "" : "_ul";
  llvm::Type* number = emitter.builder.getIntNTy(bits);
  return {vector ? llvm::FixedVectorType::get(number, vector->getNumElements()) : number,
          ending + lanes};
}

/// The place of a block: a pointer, or an image and a position.
void addPlace(Emitter& emitter, const Instruction& i, bool isImage, const Block& block,
              llvm::SmallVectorImpl<Value*>& arguments, std::vector<MangledType>& types) {
  const TypedValue place = emitter.typed(i.operand(0), i);
  arguments.push_back(place.value);
  if (!isImage) {
    i.require(place.value->getType()->isPointerTy(), "has an operand that is no pointer");
    types.push_back(MangledType::pointer(place.value->getType()->getPointerAddressSpace(),
                                         i.result ? "K" : "",
                                         spelled(i, block.type->getScalarType(), false)));
    return;
  }
  const TypeInfo& type = emitter.reader.types.get(place.type, i);
  i.require(type.image.has_value(), "has an operand that is no image");
  types.push_back(MangledType::letter(type.image->name));
  arguments.push_back(emitter.operand(i, 1));
  types.push_back(spelled(i, arguments.back()->getType(), true));
}

Value* readBlock(Emitter& emitter, const Instruction& i, int isImage) {
  llvm::Type* type = emitter.type(i);
  const Block block = blockOf(emitter, i, type);
  llvm::SmallVector<Value*> arguments;
  std::vector<MangledType> types;
  addPlace(emitter, i, isImage, block, arguments, types);
  Value* value = emitter.call(i, mangledName("intel_sub_group_block_read" + block.ending, types),
                              block.type, arguments);
  return emitter.builder.CreateBitCast(value, type);
}

Value* writeBlock(Emitter& emitter, const Instruction& i, int isImage) {
  Value* value = emitter.operand(i, isImage ? 2 : 1);
  const Block block = blockOf(emitter, i, value->getType());
  llvm::SmallVector<Value*> arguments;
  std::vector<MangledType> types;
  addPlace(emitter, i, isImage, block, arguments, types);
  arguments.push_back(emitter.builder.CreateBitCast(value, block.type));
  types.push_back(spelled(i, block.type, false));
  emitter.call(i, mangledName("intel_sub_group_block_write" + block.ending, types),
               emitter.builder.getVoidTy(), arguments);
  return nullptr;
}

constexpr Row kRows[] = {
    {SpvOpSubgroupShuffleINTEL, shuffle, Plain},
    {SpvOpSubgroupShuffleDownINTEL, shuffle, Down},
    {SpvOpSubgroupShuffleUpINTEL, shuffle, Up},
    {SpvOpSubgroupShuffleXorINTEL, shuffle, Xor},
    {SpvOpSubgroupBlockReadINTEL, readBlock, 0},
    {SpvOpSubgroupBlockWriteINTEL, writeBlock, 0},
    {SpvOpSubgroupImageBlockReadINTEL, readBlock, 1},
    {SpvOpSubgroupImageBlockWriteINTEL, writeBlock, 1},
};

}  // namespace

std::span<const Row> intelRows() { return kRows; }

}  // namespace weft::compiler::spirv
