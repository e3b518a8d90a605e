// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Widening of loads and stores.
#include <llvm/Analysis/ValueTracking.h>

#include "base/tuning.h"
#include "ir/names.h"
#include "lanes/inner_loads.h"
#include "lanes/loop_widener.h"

namespace weft::compiler {

using namespace llvm;

namespace {

constexpr uint64_t kSmallestRegister = 128;

bool isByteSized(const DataLayout& layout, Type* type) {
  return layout.getTypeSizeInBits(type) == layout.getTypeAllocSizeInBits(type);
}

}  // namespace

/// Components of a value of an alternating variable are as far apart as its elements.
uint64_t LoopWidener::componentStride(const Value* pointer, Type* component) const {
  const uint64_t size = layout_.getTypeAllocSize(component);
  return plan_.shapes.interleaved(pointer) ? size * plan_.width : size;
}

/// One lane's part of a row.
static Type* laneOf(Type* element, unsigned perLane) {
  return perLane == 1 ? element : FixedVectorType::get(element, perLane);
}

Value* LoopWidener::loadWide(LoadInst& load, const Row& row) {
  auto* type = FixedVectorType::get(row.element, plan_.width * row.perLane);
  Instruction* wide = nullptr;
  prefetch(load, row);
  if (LaneCode::isFull(row.mask))
    wide = builder_.CreateAlignedLoad(type, row.address, row.align);
  else if (!isTooNarrow(row.element, row.perLane) &&
           plan_.target.isLegalMaskedLoad(type, row.align))
    wide = builder_.CreateMaskedLoad(type, row.address, row.align,
                                     code_.replicate(row.mask, row.perLane),
                                     Constant::getNullValue(type));
  else
    return loadWhereAllowed(load, row, type);
  copyAliasing(load, *wide);
  return wide;
}

/// Asks for the line of the cache at `place`.
void LoopWidener::fetchLine(Value& place, bool forWriting) {
  builder_.CreateIntrinsic(Intrinsic::prefetch, {place.getType()},
                           {&place, builder_.getInt32(forWriting), builder_.getInt32(/*keep=*/3),
                            builder_.getInt32(/*data=*/1)});
}

/// Prefetches the lines that a lane group to come reads here. Few lanes are left behind the last
/// one that is full, so only those do.
void LoopWidener::prefetch(const LoadInst& load, const Row& row) {
  if (!prefetched_.contains(&load) || !LaneCode::isFull(active_)) return;
  constexpr uint64_t kLine = tuning::kLineBits / 8;
  const uint64_t bytes = plan_.width * row.perLane * layout_.getTypeAllocSize(row.element);
  const uint64_t ahead = std::max(bytes * tuning::kPrefetchDistance, kLine);
  for (uint64_t offset = 0; offset < bytes; offset += kLine) {
    Value* place =
        builder_.CreateGEP(builder_.getInt8Ty(), row.address, builder_.getInt64(ahead + offset));
    fetchLine(*place, /*forWriting=*/false);
  }
}

/// Prefetches what the next lane group reads where each lane, at one of `places`, reads along a row
/// of its own. The processor follows so many rows at once only once it has seen some lines of each.
void LoopWidener::prefetchNextRows(const LoadInst& load, ArrayRef<Value*> places) {
  const LaneShape shape = plan_.shapes.of(load.getPointerOperand());
  if (!LaneCode::isFull(active_) || shape.kind != LaneShape::Affine ||
      load.getPointerAddressSpace() != names::kGlobal)
    return;
  // The next rows come while these are being read.
  if (std::abs(shape.stride) < tuning::kPrefetchedRow ||
      plan_.width > lanesInHalfOfCache(shape.stride))
    return;
  Value* ahead = builder_.getInt64(shape.stride * static_cast<int64_t>(plan_.width));
  for (Value* place : places)
    fetchLine(*builder_.CreateGEP(builder_.getInt8Ty(), place, ahead), /*forWriting=*/false);
}

/// How far ahead the pixels of a lane group to come probably are, from those of the first lane and
/// the last: along a line, if an image is turned or resized. Null where nobody should ask for them.
/// Where they are far apart there is no line, and what is here is asked for, which costs little.
Value* LoopWidener::advanceOf(const LoadInst& load, Value* first, Value* last) {
  if (!load.hasMetadata(names::kPixel) || !LaneCode::isFull(mask_) ||
      plan_.innermost(*load.getParent()) != &plan_.loop)
    return nullptr;
  Type* number = builder_.getInt64Ty();
  Value* span = builder_.CreateSub(builder_.CreatePtrToInt(last, number),
                                   builder_.CreatePtrToInt(first, number));
  const uint64_t most = tuning::kFarthestPixel;
  Value* isNear = builder_.CreateICmpULE(builder_.CreateAdd(span, builder_.getInt64(most)),
                                         builder_.getInt64(2 * most));
  // Places may be those of coordinates that have no value.
  return builder_.CreateFreeze(builder_.CreateSelect(
      isNear, builder_.CreateMul(span, builder_.getInt64(tuning::kPixelsAhead)),
      builder_.getInt64(0)));
}

/// The sum is put together so that all lanes share the part that they have in common.
void LoopWidener::prefetchAt(Value* place, Value* advance) {
  if (!advance) return;
  Type* byte = builder_.getInt8Ty();
  auto* address = dyn_cast<GetElementPtrInst>(place);
  if (address && address->getNumIndices() == 1) {
    Value* base = builder_.CreateGEP(byte, address->getPointerOperand(), advance);
    Value* index = *address->idx_begin();
    place = builder_.CreateGEP(address->getSourceElementType(), base, index);
  } else {
    place = builder_.CreateGEP(byte, place, advance);
  }
  fetchLine(*place, /*forWriting=*/false);
}

/// For hosts that cannot load such elements under a mask. Memory is protected by pages: where one
/// lane may read, so may be read what else is in its page. What idle lanes find there is never
/// asked for.
Value* LoopWidener::loadWhereAllowed(LoadInst& load, const Row& row, FixedVectorType* type) {
  constexpr uint64_t kPage = 4096;
  const uint64_t bytes = layout_.getTypeAllocSize(type);
  Value* bits = code_.bits(row.mask);
  Value* allowed = code_.all(row.mask);
  // LLVM knows how large a variable is, and takes what is read behind it for undefined altogether.
  SmallVector<const Value*> objects;
  getUnderlyingObjects(load.getPointerOperand(), objects, nullptr, /*MaxLookup=*/0);
  const bool isSized = any_of(objects, [&](const Value* object) {
    const auto* variable = dyn_cast<AllocaInst>(object);
    return isa<GlobalVariable>(object) || (variable && !plan_.privates.contains(variable));
  });
  if (bytes <= kPage && !isSized) {
    Value* place =
        builder_.CreateAnd(builder_.CreatePtrToInt(row.address, builder_.getInt64Ty()), kPage - 1);
    Value* isOnePage = builder_.CreateICmpULE(place, builder_.getInt64(kPage - bytes));
    Value* any = builder_.CreateICmpNE(bits, Constant::getNullValue(bits->getType()));
    // Selections: where no lane is, the address may be anything.
    allowed = builder_.CreateLogicalOr(allowed, builder_.CreateLogicalAnd(any, isOnePage));
  }
  BasicBlock* whole = newBlock("whole");
  BasicBlock* each = newBlock("each");
  BasicBlock* after = newBlock("loaded");
  builder_.CreateCondBr(allowed, whole, each);
  builder_.SetInsertPoint(whole);
  Instruction* wide = builder_.CreateAlignedLoad(type, row.address, row.align);
  copyAliasing(load, *wide);
  builder_.CreateBr(after);

  builder_.SetInsertPoint(each);
  IRBuilder<> entry(&*function_.getEntryBlock().begin());
  AllocaInst* lanes = entry.CreateAlloca(type, nullptr, "lanes");
  builder_.CreateStore(Constant::getNullValue(type), lanes);
  Type* part = laneOf(row.element, row.perLane);
  const uint64_t step = bytes / plan_.width;
  forEachLane(row.mask, [&](Value* lane) {
    Value* offset = builder_.CreateMul(lane, builder_.getInt64(step));
    Value* from = builder_.CreateGEP(builder_.getInt8Ty(), row.address, offset);
    Instruction* one = builder_.CreateAlignedLoad(part, from, commonAlignment(row.align, step));
    copyAliasing(load, *one);
    builder_.CreateAlignedStore(one, builder_.CreateGEP(builder_.getInt8Ty(), lanes, offset),
                                commonAlignment(lanes->getAlign(), step));
  });
  Value* gathered = builder_.CreateLoad(type, lanes);
  BasicBlock* last = builder_.GetInsertBlock();
  builder_.CreateBr(after);

  builder_.SetInsertPoint(after);
  PHINode* result = builder_.CreatePHI(type, 2);
  result->addIncoming(wide, whole);
  result->addIncoming(gathered, last);
  return result;
}

void LoopWidener::storeWide(StoreInst& store, Value* lanes, const Row& row) {
  Instruction* wide = nullptr;
  if (LaneCode::isFull(row.mask))
    wide = builder_.CreateAlignedStore(lanes, row.address, row.align);
  else if (!isTooNarrow(row.element, row.perLane) &&
           plan_.target.isLegalMaskedStore(lanes->getType(), row.align))
    wide = builder_.CreateMaskedStore(lanes, row.address, row.align,
                                      code_.replicate(row.mask, row.perLane));
  else
    return storeWhereAllowed(store, lanes, row);
  copyAliasing(store, *wide);
}

/// For hosts that cannot store such elements under a mask: all at once, or one after the other.
/// Nothing may be written for idle lanes, be it what was there before.
void LoopWidener::storeWhereAllowed(StoreInst& store, Value* lanes, const Row& row) {
  BasicBlock* whole = newBlock("whole");
  BasicBlock* each = newBlock("each");
  BasicBlock* after = newBlock("stored");
  builder_.CreateCondBr(code_.all(row.mask), whole, each);
  builder_.SetInsertPoint(whole);
  copyAliasing(store, *builder_.CreateAlignedStore(lanes, row.address, row.align));
  builder_.CreateBr(after);

  builder_.SetInsertPoint(each);
  IRBuilder<> entry(&*function_.getEntryBlock().begin());
  AllocaInst* variable = entry.CreateAlloca(lanes->getType(), nullptr, "lanes");
  builder_.CreateStore(lanes, variable);
  Type* part = laneOf(row.element, row.perLane);
  const uint64_t step = layout_.getTypeAllocSize(lanes->getType()) / plan_.width;
  forEachLane(row.mask, [&](Value* lane) {
    Value* offset = builder_.CreateMul(lane, builder_.getInt64(step));
    Value* one =
        builder_.CreateAlignedLoad(part, builder_.CreateGEP(builder_.getInt8Ty(), variable, offset),
                                   commonAlignment(variable->getAlign(), step));
    Value* to = builder_.CreateGEP(builder_.getInt8Ty(), row.address, offset);
    copyAliasing(store, *builder_.CreateAlignedStore(one, to, commonAlignment(row.align, step)));
  });
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
}

void LoopWidener::emitLoad(LoadInst& load) {
  if (plan_.shapes.of(&load).isUniform()) return emitScalarCopy(load);
  const auto types = componentsOf(load.getType());
  if (!load.isSimple() || load.getType()->isStructTy() || !isByteSized(layout_, types.front())) {
    assert((types.size() == 1 || !plan_.shapes.interleaved(load.getPointerOperand())) &&
           "components of alternating variables are apart");
    return emitLaneByLane(load);
  }
  if (loadJoined(load) || emitInGroup(load) || loadInBlocks(load) || emitInGroupApart(load)) return;
  if (isLikelyRow(load)) return loadLikelyRow(load);
  loadByShape(load);
}

/// As far as the lanes' places are known from the shape of the address.
void LoopWidener::loadByShape(LoadInst& load) {
  const auto types = componentsOf(load.getType());
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
      shape.stride == static_cast<int64_t>(row * size)) {
    Value* lanes = loadWide(load, {types.front(), row, scalarOf(pointer), load.getAlign(), mask_});
    Parts parts = code_.deinterleave(lanes, row);
    parts.truncate(count);
    return define(load, parts);
  }
  if (loadScattered(load)) return;
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

bool LoopWidener::areConsecutive(const Value* pointer, Type* type) const {
  const LaneShape shape = plan_.shapes.of(pointer);
  const auto size = static_cast<int64_t>(layout_.getTypeAllocSize(type).getFixedValue());
  return shape.kind == LaneShape::Affine && std::abs(shape.stride) == size;
}

bool LoopWidener::needsLaneLoop(const Value* pointer, Type* type, Align align, bool isStore) const {
  const auto components = componentsOf(type);
  if (areConsecutive(pointer, components.front())) return false;
  FixedVectorType* lanes = code_.vectorOf(components.front());
  const Align each =
      commonAlignment(align, layout_.getTypeAllocSize(components.front()).getFixedValue());
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
    if (!backwards) return loadWide(load, {type, 1, address, align, mask_});
    Value* mask = LaneCode::isFull(mask_) ? mask_ : code_.reverse(mask_);
    return code_.reverse(loadWide(load, {type, 1, address, align, mask}));
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
  if (keepItemField(store)) return;
  Value* value = store.getValueOperand();
  Value* pointer = store.getPointerOperand();
  const auto types = componentsOf(value->getType());
  if (!store.isSimple() || value->getType()->isStructTy() || !isByteSized(layout_, types.front())) {
    assert((types.size() == 1 || !plan_.shapes.interleaved(pointer)) &&
           "components of alternating variables are apart");
    return emitLaneByLane(store);
  }
  if (storeJoined(store) || emitInGroup(store) || storeInBlocks(store) || emitInGroupApart(store))
    return;
  if (plan_.shapes.of(pointer).isUniform()) return storeToOnePlace(store);
  if (isLikelyRow(store)) return storeLikelyRow(store);
  storeByShape(store);
}

void LoopWidener::storeByShape(StoreInst& store) {
  Value* value = store.getValueOperand();
  Value* pointer = store.getPointerOperand();
  const auto types = componentsOf(value->getType());
  const LaneShape shape = plan_.shapes.of(pointer);
  const uint64_t size = layout_.getTypeAllocSize(types.front());
  const auto count = static_cast<unsigned>(types.size());
  if (count > 1 && shape.kind == LaneShape::Affine && !plan_.shapes.interleaved(pointer) &&
      shape.stride == static_cast<int64_t>(count * size))
    return storeWide(store, code_.interleave(partsOf(value)),
                     {types.front(), count, scalarOf(pointer), store.getAlign(), mask_});
  if (storeScattered(store)) return;
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
    return storeWide(store, lanes, {element, 1, address, align, mask});
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
