// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Widening of loads and stores.
#include "vectorize/loop_widener.h"

namespace weft::compiler {

using namespace llvm;

namespace {

constexpr uint64_t kSmallestRegister = 128;

/// What says something about the place of an access, not about one lane's value.
void copyAliasing(const Instruction& from, Instruction& to) {
  to.setAAMetadata(from.getAAMetadata());
}

bool isByteSized(const DataLayout& layout, Type* type) {
  return layout.getTypeSizeInBits(type) == layout.getTypeAllocSizeInBits(type);
}

}  // namespace

/// Components of a value of an alternating variable are as far apart as its elements.
uint64_t LoopWidener::componentStride(const Value* pointer, Type* component) const {
  const uint64_t size = layout_.getTypeAllocSize(component);
  return plan_.shapes.interleaved(pointer) ? size * plan_.width : size;
}

Value* LoopWidener::loadWide(LoadInst& load, FixedVectorType* type, Value* address, Align align,
                             Value* mask) {
  Instruction* wide = nullptr;
  if (LaneCode::isFull(mask))
    wide = builder_.CreateAlignedLoad(type, address, align);
  else
    wide = builder_.CreateMaskedLoad(type, address, align, mask, Constant::getNullValue(type));
  copyAliasing(load, *wide);
  return wide;
}

void LoopWidener::storeWide(StoreInst& store, Value* lanes, Value* address, Align align,
                            Value* mask) {
  Instruction* wide = nullptr;
  if (LaneCode::isFull(mask))
    wide = builder_.CreateAlignedStore(lanes, address, align);
  else
    wide = builder_.CreateMaskedStore(lanes, address, align, mask);
  copyAliasing(store, *wide);
}

void LoopWidener::emitLoad(LoadInst& load) {
  if (plan_.shapes.of(&load).isUniform()) return emitScalarCopy(load);
  const auto types = componentsOf(load.getType());
  if (!load.isSimple() || load.getType()->isStructTy() || !isByteSized(layout_, types.front()))
    return emitLaneByLane(load);
  if (emitInGroup(load)) return;
  Value* pointer = load.getPointerOperand();
  const LaneShape shape = plan_.shapes.of(pointer);
  const uint64_t size = layout_.getTypeAllocSize(types.front());
  const auto count = static_cast<unsigned>(types.size());
  // Whole vectors one after the other: one wide load, taken apart by shuffles. The fourth
  // component of vectors of three is padding that can be read.
  const unsigned row =
      count == 3 && shape.stride == static_cast<int64_t>(4 * size) && load.getAlign() >= 4 * size
          ? 4
          : count;
  if (count > 1 && shape.kind == LaneShape::Affine && !plan_.shapes.interleaved(pointer) &&
      shape.stride == static_cast<int64_t>(row * size) && !isTooNarrow(types.front(), row)) {
    Value* lanes = loadWide(load, FixedVectorType::get(types.front(), plan_.width * row),
                            scalarOf(pointer), load.getAlign(), code_.replicate(mask_, row));
    Parts parts = code_.deinterleave(lanes, row);
    parts.truncate(count);
    return define(load, parts);
  }
  if (needsLaneLoop(pointer, load.getType(), load.getAlign(), /*isStore=*/false) &&
      (count == 1 || !plan_.shapes.interleaved(pointer)))
    return emitLaneByLane(load);
  const uint64_t stride = componentStride(pointer, types.front());
  Parts parts;
  for (unsigned part = 0; part < count; ++part)
    parts.push_back(
        loadPart(load, types[part], part * stride, commonAlignment(load.getAlign(), part * size)));
  define(load, parts);
}

/// Of masks for less than a register LLVM 19 leaves bits beyond the last lane undefined, for
/// accesses that it then makes for a whole one.
bool LoopWidener::isTooNarrow(Type* element, unsigned count) const {
  return !LaneCode::isFull(mask_) &&
         layout_.getTypeSizeInBits(code_.vectorOf(element)) * count < kSmallestRegister;
}

bool LoopWidener::needsLaneLoop(const Value* pointer, Type* type, Align align, bool isStore) const {
  const auto components = componentsOf(type);
  const LaneShape shape = plan_.shapes.of(pointer);
  const auto size =
      static_cast<int64_t>(layout_.getTypeAllocSize(components.front()).getFixedValue());
  FixedVectorType* lanes = code_.vectorOf(components.front());
  if (shape.kind == LaneShape::Affine && std::abs(shape.stride) == size)
    return isTooNarrow(components.front(), 1);
  const Align each = commonAlignment(align, size);
  return isStore ? !plan_.target.isLegalMaskedScatter(lanes, each)
                 : !plan_.target.isLegalMaskedGather(lanes, each);
}

/// One component of each lane, `offset` bytes behind the pointer.
Value* LoopWidener::loadPart(LoadInst& load, Type* type, uint64_t offset, Align align) {
  Value* pointer = load.getPointerOperand();
  const LaneShape shape = plan_.shapes.of(pointer);
  const auto size = static_cast<int64_t>(layout_.getTypeAllocSize(type).getFixedValue());
  FixedVectorType* vector = code_.vectorOf(type);
  Type* i8 = builder_.getInt8Ty();
  if (shape.kind == LaneShape::Affine && (shape.stride == size || shape.stride == -size)) {
    const bool backwards = shape.stride < 0;
    const int64_t start = static_cast<int64_t>(offset) - (backwards ? (plan_.width - 1) * size : 0);
    Value* address = builder_.CreateGEP(i8, scalarOf(pointer), builder_.getInt64(start));
    if (!backwards) return loadWide(load, vector, address, align, mask_);
    Value* mask = LaneCode::isFull(mask_) ? mask_ : code_.reverse(mask_);
    return code_.reverse(loadWide(load, vector, address, align, mask));
  }
  noteScattered(load);
  Value* addresses = partOf(pointer, 0);
  if (offset != 0) addresses = builder_.CreateGEP(i8, addresses, builder_.getInt64(offset));
  Instruction* gather =
      builder_.CreateMaskedGather(vector, addresses, align, mask_, Constant::getNullValue(vector));
  copyAliasing(load, *gather);
  return gather;
}

void LoopWidener::emitStore(StoreInst& store) {
  Value* value = store.getValueOperand();
  Value* pointer = store.getPointerOperand();
  const auto types = componentsOf(value->getType());
  if (!store.isSimple() || value->getType()->isStructTy() || !isByteSized(layout_, types.front()))
    return emitLaneByLane(store);
  if (emitInGroup(store)) return;
  const LaneShape shape = plan_.shapes.of(pointer);
  if (shape.isUniform()) return storeToOnePlace(store);
  const uint64_t size = layout_.getTypeAllocSize(types.front());
  const auto count = static_cast<unsigned>(types.size());
  if (count > 1 && shape.kind == LaneShape::Affine && !plan_.shapes.interleaved(pointer) &&
      shape.stride == static_cast<int64_t>(count * size) && !isTooNarrow(types.front(), count))
    return storeWide(store, code_.interleave(partsOf(value)), scalarOf(pointer), store.getAlign(),
                     code_.replicate(mask_, count));
  // Components of a variable whose elements alternate are apart: no lane has them in a row.
  if (needsLaneLoop(pointer, value->getType(), store.getAlign(), /*isStore=*/true) &&
      (count == 1 || !plan_.shapes.interleaved(pointer)))
    return emitLaneByLane(store);
  const uint64_t stride = componentStride(pointer, types.front());
  for (unsigned part = 0; part < count; ++part)
    storePart(store, partOf(value, part), part * stride,
              commonAlignment(store.getAlign(), part * size));
}

void LoopWidener::storePart(StoreInst& store, Value* lanes, uint64_t offset, Align align) {
  Value* pointer = store.getPointerOperand();
  const LaneShape shape = plan_.shapes.of(pointer);
  Type* element = lanes->getType()->getScalarType();
  const auto size = static_cast<int64_t>(layout_.getTypeAllocSize(element).getFixedValue());
  Type* i8 = builder_.getInt8Ty();
  if (shape.kind == LaneShape::Affine && (shape.stride == size || shape.stride == -size)) {
    const bool backwards = shape.stride < 0;
    const int64_t start = static_cast<int64_t>(offset) - (backwards ? (plan_.width - 1) * size : 0);
    Value* address = builder_.CreateGEP(i8, scalarOf(pointer), builder_.getInt64(start));
    Value* mask = mask_;
    if (backwards) {
      lanes = code_.reverse(lanes);
      if (!LaneCode::isFull(mask)) mask = code_.reverse(mask);
    }
    return storeWide(store, lanes, address, align, mask);
  }
  noteScattered(store);
  Value* addresses = partOf(pointer, 0);
  if (offset != 0) addresses = builder_.CreateGEP(i8, addresses, builder_.getInt64(offset));
  copyAliasing(store, *builder_.CreateMaskedScatter(lanes, addresses, align, mask_));
}

/// All lanes write to the same place: the last one's value stays, as if they had run in order.
void LoopWidener::storeToOnePlace(StoreInst& store) {
  Value* last = lastLaneOf(store.getValueOperand(), mask_);
  copyAliasing(store, *builder_.CreateAlignedStore(last, scalarOf(store.getPointerOperand()),
                                                   store.getAlign()));
}

}  // namespace weft::compiler
