// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Accesses whose lanes follow each other most of the time: asked for when the code runs.
#include <llvm/IR/GetElementPtrTypeIterator.h>

#include <bit>

#include "base/tuning.h"
#include "lanes/loop_widener.h"

namespace weft::compiler {

using namespace llvm;

/// Whether to ask. What is left over of a row is one iteration, whose code takes as long to compile
/// as that of all others.
bool LoopWidener::isLikelyRow(const Instruction& access) const {
  return LaneCode::isFull(active_) && plan_.likelyRows.contains(access);
}

/// Where `value` is an extended number, or so many times one as steps can be counted in.
void LoopWidener::addExtension(VaryingIndex& index, Value* value) const {
  auto* scaled = dyn_cast<BinaryOperator>(value);
  int64_t factor = 1;
  if (scaled && (isa<ShlOperator>(scaled) || scaled->getOpcode() == Instruction::Mul)) {
    const auto* constant = dyn_cast<ConstantInt>(scaled->getOperand(1));
    if (!constant || constant->getValue().ugt(tuning::kMostScale)) return;
    factor = static_cast<int64_t>(constant->getZExtValue());
    if (isa<ShlOperator>(scaled)) factor = int64_t{1} << factor;
    value = scaled->getOperand(0);
  } else {
    scaled = nullptr;
  }
  auto* extension = dyn_cast<CastInst>(value);
  const bool isExtension = extension && isa<SExtInst, ZExtInst>(extension);
  if (!isExtension || factor == 0 || index.step % factor != 0) return;
  index = {.value = index.value,
           .number = extension->getOperand(0),
           .step = index.step / factor,
           .extension = extension,
           .scaled = scaled};
}

/// The one index that differs from lane to lane in an address; none when more does.
std::optional<LoopWidener::VaryingIndex> LoopWidener::varyingIndexOf(const Value* pointer,
                                                                     int64_t bytes) const {
  const auto* address = dyn_cast<GetElementPtrInst>(pointer);
  if (!address) return std::nullopt;
  const bool isLast = plan_.shapes.of(address->getPointerOperand()).isUniform();
  std::optional<VaryingIndex> found;
  for (auto index = gep_type_begin(address); index != gep_type_end(address); ++index) {
    Value* value = index.getOperand();
    if (plan_.shapes.of(value).isUniform()) continue;
    if (!isLast || found) return std::nullopt;
    const auto size = static_cast<int64_t>(index.getSequentialElementStride(layout_));
    if (size == 0 || bytes % size != 0) return std::nullopt;
    found = {.value = value, .number = value, .step = bytes / size};
    addExtension(*found, value);
  }
  if (!isLast) return varyingIndexOf(address->getPointerOperand(), bytes);
  if (!found || !found->isExtended()) return found;
  const unsigned bits = found->number->getType()->getScalarSizeInBits();
  const auto needed = static_cast<unsigned>(std::bit_width(found->reach(plan_.width)));
  return needed < bits ? found : std::nullopt;
}

/// `pointer` where `number` stands for the index that varies, be it one lane's or all lanes'.
Value* LoopWidener::addressAt(Value* pointer, const VaryingIndex& index, Value* number) {
  auto* address = cast<GetElementPtrInst>(pointer);
  Value* base = address->getPointerOperand();
  base = plan_.shapes.of(base).isUniform() ? scalarOf(base) : addressAt(base, index, number);
  SmallVector<Value*> indices;
  for (Value* one : address->indices()) {
    if (one != index.value) {
      indices.push_back(scalarOf(one));
      continue;
    }
    Type* type = one->getType();
    if (number->getType()->isVectorTy()) type = code_.vectorOf(type);
    Value* extended = index.isExtended()
                          ? builder_.CreateCast(index.extension->getOpcode(), number, type)
                          : number;
    if (index.scaled) {
      auto* factor = cast<ConstantInt>(index.scaled->getOperand(1));
      extended = builder_.CreateBinOp(index.scaled->getOpcode(), extended,
                                      ConstantInt::get(type, factor->getValue()));
    }
    indices.push_back(extended);
  }
  return builder_.CreateGEP(address->getSourceElementType(), base, indices);
}

/// Whether numbers of the active lanes grow by `step` from lane to lane, lane 0's being `first`.
/// What an idle lane has does not matter: its place is not touched.
Value* LoopWidener::areSteady(Value* numbers, Value* first, int64_t step) {
  Value* follows = builder_.CreateICmpEQ(numbers, code_.affine(first, step));
  if (!LaneCode::isFull(mask_)) follows = builder_.CreateOr(follows, builder_.CreateNot(mask_));
  return code_.all(follows);
}

/// Narrow numbers may wrap on the way from `first` to the last lane where no address would.
Value* LoopWidener::neverWraps(const VaryingIndex& index, Value* first) {
  const unsigned bits = first->getType()->getScalarSizeInBits();
  const APInt reach(bits, index.reach(plan_.width));
  if (isa<SExtInst>(index.extension))
    return builder_.CreateICmpSLE(first, builder_.getInt(APInt::getSignedMaxValue(bits) - reach));
  return builder_.CreateICmpULE(first, builder_.getInt(APInt::getMaxValue(bits) - reach));
}

/// Asks whether the active lanes of `pointer` follow each other, for accesses of `type`, and writes
/// the code for either case: `inRow` is told lane 0's place, and `apart` finds those of all lanes.
///
/// An index is asked where it decides: it is mostly narrower than the address. And where the lanes
/// are apart their addresses are made of it once more: code generation gathers by narrow indices
/// only what it finds computed from them in the same block. Of an index that is known to step from
/// lane to lane all that is to be asked is whether it wraps on the way.
void LoopWidener::askForRow(Value* pointer, Type* type, function_ref<void(Value*)> inRow,
                            function_ref<void()> apart) {
  const auto bytes = static_cast<int64_t>(layout_.getTypeAllocSize(type).getFixedValue());
  const auto index = varyingIndexOf(pointer, bytes);
  const bool isSteady = index && index->isExtended() &&
                        plan_.shapes.of(index->number) == LaneShape::affine(index->step);
  // Idle lanes may have no address at all.
  Value* lanes = nullptr;
  Value* first = nullptr;
  if (isSteady) {
    first = builder_.CreateFreeze(scalarOf(index->number));
  } else {
    lanes = builder_.CreateFreeze(partOf(index ? index->number : pointer, 0));
    first = builder_.CreateExtractElement(lanes, uint64_t{0});
  }
  Value* isRow = nullptr;
  if (isSteady) {
    isRow = neverWraps(*index, first);
  } else if (index) {
    isRow = areSteady(lanes, first, index->step);
    if (index->isExtended()) isRow = builder_.CreateAnd(isRow, neverWraps(*index, first));
  } else {
    Type* number = builder_.getInt64Ty();
    isRow = areSteady(builder_.CreatePtrToInt(lanes, code_.vectorOf(number)),
                      builder_.CreatePtrToInt(first, number), bytes);
  }
  BasicBlock* row = newBlock("row");
  BasicBlock* scattered = newBlock("apart");
  BasicBlock* after = newBlock("together");
  builder_.CreateCondBr(isRow, row, scattered);

  builder_.SetInsertPoint(row);
  inRow(index ? addressAt(pointer, *index, first) : first);
  builder_.CreateBr(after);

  builder_.SetInsertPoint(scattered);
  const Lanes known = values_[pointer];
  if (isSteady) lanes = code_.affine(first, index->step);
  if (index) values_[pointer].parts.assign(1, addressAt(pointer, *index, lanes));
  apart();
  values_[pointer] = known;
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
}

void LoopWidener::loadLikelyRow(LoadInst& load) {
  const auto types = componentsOf(load.getType());
  const auto count = static_cast<unsigned>(types.size());
  Parts inRow, apart;
  BasicBlock* rowEnd = nullptr;
  BasicBlock* apartEnd = nullptr;
  askForRow(
      load.getPointerOperand(), load.getType(),
      [&](Value* first) {
        Value* lanes = loadWide(load, {types.front(), count, first, load.getAlign(), mask_});
        inRow = code_.deinterleave(lanes, count);
        rowEnd = builder_.GetInsertBlock();
      },
      [&] {
        loadByShape(load);
        apart = partsOf(&load);
        apartEnd = builder_.GetInsertBlock();
      });
  Parts parts;
  for (unsigned i = 0; i < count; ++i) {
    PHINode* part = builder_.CreatePHI(apart[i]->getType(), 2);
    part->addIncoming(inRow[i], rowEnd);
    part->addIncoming(apart[i], apartEnd);
    parts.push_back(part);
  }
  define(load, parts);
}

void LoopWidener::storeLikelyRow(StoreInst& store) {
  Value* value = store.getValueOperand();
  const auto types = componentsOf(value->getType());
  const auto count = static_cast<unsigned>(types.size());
  const Parts parts = partsOf(value);
  askForRow(
      store.getPointerOperand(), value->getType(),
      [&](Value* first) {
        storeWide(store, code_.interleave(parts),
                  {types.front(), count, first, store.getAlign(), mask_});
      },
      [&] { storeByShape(store); });
}

}  // namespace weft::compiler
