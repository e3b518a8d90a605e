// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Widening of accesses to as many places as there are lanes
/// (docs/decisions/0024-scattered-accesses.md).
#include <llvm/Analysis/VectorUtils.h>

#include "base/tuning.h"
#include "lanes/inner_loads.h"
#include "lanes/loop_widener.h"

namespace weft::compiler {

using namespace llvm;

namespace {

/// Bytes of the largest integer, and of the smallest register.
constexpr unsigned kWord = 8, kRegister = 16;

}  // namespace

/// None where components are apart, or leave part of a cell unused.
std::optional<LoopWidener::LaneCells> LoopWidener::cellsOf(const Value* pointer, Type* type) const {
  const auto types = componentsOf(type);
  if (types.size() == 1) return LaneCells{types.front(), 1, 1};
  if (plan_.shapes.interleaved(pointer)) return std::nullopt;
  return cellsOfVector(type);
}

std::optional<LoopWidener::LaneCells> LoopWidener::cellsOfVector(Type* type) const {
  const auto types = componentsOf(type);
  const auto count = static_cast<unsigned>(types.size());
  const auto size = static_cast<unsigned>(layout_.getTypeAllocSize(types.front()).getFixedValue());
  if (!isPowerOf2_32(count) || !isPowerOf2_32(size) || size > kWord ||
      count * size > tuning::kLargestVector || types.front()->isPointerTy())
    return std::nullopt;
  if (count * size <= kWord)
    return LaneCells{IntegerType::get(type->getContext(), count * size * 8), 1, count};
  const unsigned perCell = kRegister / size;
  return LaneCells{FixedVectorType::get(types.front(), perCell), count / perCell, perCell};
}

/// Whether lanes are reached one by one, without a loop, for several accesses at once. What is left
/// over of a row has one.
bool LoopWidener::isScalarised(const LaneCells& cells, unsigned accesses) const {
  return LaneCode::isFull(active_) &&
         plan_.width * cells.cells <= tuning::kUnrolledCells * accesses;
}

/// Whether a load follows, in each lane, a row of the lane's own. Processors prefetch for loads
/// by the place of the instruction in the code, so a gather, one place for all rows, goes without.
bool LoopWidener::isRowOfEachLane(const LoadInst& load) const {
  const Loop* inner = plan_.innermost(*load.getParent());
  return LaneCode::isFull(mask_) && plan_.width <= tuning::kLanesAlongRows &&
         inner != &plan_.loop && classifyInnerLoad(load, *inner) == InnerLoad::Row;
}

/// Memory of the work-item's thread, for idle lanes to read and write.
Value* LoopWidener::idlePlace(Type* pointer) {
  if (!idle_) {
    IRBuilder<> entry(&*function_.getEntryBlock().begin());
    auto* type = ArrayType::get(entry.getInt64Ty(), tuning::kLargestVector / kWord);
    idle_ = entry.CreateAlloca(type, nullptr, "idle");
    idle_->setAlignment(Align(tuning::kLargestVector));
    entry.CreateStore(Constant::getNullValue(type), idle_);
  }
  return builder_.CreateAddrSpaceCast(idle_, pointer);
}

/// Addresses of all lanes; of idle ones somewhere that is theirs alone.
Value* LoopWidener::ownPlaces(Value* addresses) {
  if (LaneCode::isFull(mask_)) return joinOffsets(addresses);
  Value* idle = code_.splat(idlePlace(addresses->getType()->getScalarType()));
  return builder_.CreateSelect(mask_, addresses, idle);
}

Value* LoopWidener::takePlace(Value* places, unsigned lane) {
  return LaneCode::isFull(mask_) ? takeLane(places, lane)
                                 : builder_.CreateExtractElement(places, lane);
}

/// What placeInLane() takes places out of: null where they are known from lane 0's.
Value* LoopWidener::placesInVector(Value* pointer) {
  const bool isKnown = LaneCode::isFull(mask_) && !plan_.shapes.of(pointer).isVarying();
  return isKnown ? nullptr : ownPlaces(partOf(pointer, 0));
}

Value* LoopWidener::placeInLane(Value* pointer, Value* places, unsigned lane) {
  return places ? takePlace(places, lane) : inLaneNumber(pointer, lane);
}

/// One address for each lane, of a vector of them.
LoopWidener::Parts LoopWidener::placesAt(Value* addresses) {
  Value* own = ownPlaces(addresses);
  Parts places;
  for (unsigned lane = 0; lane < plan_.width; ++lane) places.push_back(takePlace(own, lane));
  return places;
}

/// Where each lane has its own; idle ones somewhere that is theirs alone.
LoopWidener::Parts LoopWidener::placesOf(Value* pointer) {
  Value* lanes = placesInVector(pointer);
  Parts places;
  for (unsigned lane = 0; lane < plan_.width; ++lane)
    places.push_back(placeInLane(pointer, lanes, lane));
  return places;
}

/// Turns rows into columns: of `cells`, each of one lane, vectors of what all lanes have of each
/// component; and the other way round. Cells are brought together so that nothing but neighbouring
/// halves of registers of 128 bits has to be interleaved.
LoopWidener::Parts LoopWidener::transposed(ArrayRef<Value*> rows) {
  Parts all(rows);
  const auto count = static_cast<unsigned>(all.size());
  auto* type = cast<FixedVectorType>(all.front()->getType());
  const unsigned size = type->getNumElements();
  for (unsigned done = 1; done < count; done *= 2) {
    SmallVector<int, 64> low, high;
    for (unsigned start = 0; start < size; start += count)
      for (unsigned i = 0; i < count / 2; ++i)
        for (unsigned side : {0U, size}) {
          low.push_back(static_cast<int>(side + start + i));
          high.push_back(static_cast<int>(side + start + count / 2 + i));
        }
    Parts next;
    for (unsigned i = 0; i < count / 2; ++i)
      for (const auto& mask : {low, high})
        next.push_back(builder_.CreateShuffleVector(all[i], all[i + count / 2], mask));
    all = next;
  }
  return all;
}

/// The components that all lanes have in their cells.
LoopWidener::Parts LoopWidener::fromCells(ArrayRef<Value*> cells, const LaneCells& shape) {
  const unsigned runs = std::max(1U, plan_.width / shape.perCell);
  Parts rows;
  for (unsigned i = 0; i < shape.perCell; ++i) {
    Parts row;
    for (unsigned run = 0; run < runs; ++run) {
      const unsigned lane = run * shape.perCell + i;
      row.push_back(lane < plan_.width ? cells[lane] : PoisonValue::get(shape.type));
    }
    rows.push_back(concatenateVectors(builder_, row));
  }
  Parts parts = transposed(rows);
  if (plan_.width < shape.perCell)
    for (Value*& part : parts)
      part = builder_.CreateShuffleVector(part, createSequentialMask(0, plan_.width, 0));
  return parts;
}

/// The inverse of fromCells.
LoopWidener::Parts LoopWidener::toCells(ArrayRef<Value*> parts, const LaneCells& shape) {
  Parts columns(parts);
  if (plan_.width < shape.perCell)
    for (Value*& column : columns)
      column = builder_.CreateShuffleVector(
          column, createSequentialMask(0, plan_.width, shape.perCell - plan_.width));
  const Parts rows = transposed(columns);
  Parts cells;
  for (unsigned lane = 0; lane < plan_.width; ++lane) {
    const unsigned first = lane / shape.perCell * shape.perCell;
    cells.push_back(builder_.CreateShuffleVector(rows[lane % shape.perCell],
                                                 createSequentialMask(first, shape.perCell, 0)));
  }
  return cells;
}

/// Takes a number of all lanes apart into components of `type`.
LoopWidener::Parts LoopWidener::fromNumbers(Value* numbers, Type* type, unsigned count) {
  if (count == 1) return {numbers};
  const unsigned bits = type->getScalarSizeInBits();
  if (bits * 2 > builder_.getInt32Ty()->getBitWidth())
    return Parts(code_.deinterleave(
        builder_.CreateBitCast(numbers, FixedVectorType::get(type, plan_.width * count)), count));
  Parts parts;
  for (unsigned i = 0; i < count; ++i) {
    Value* shifted = builder_.CreateLShr(numbers, uint64_t{i} * bits);
    Value* narrow = builder_.CreateTrunc(shifted, code_.vectorOf(builder_.getIntNTy(bits)));
    parts.push_back(builder_.CreateBitCast(narrow, code_.vectorOf(type)));
  }
  return parts;
}

/// What lanes have at `places`, as components of `type`. `made` is told each load.
LoopWidener::Parts LoopWidener::loadCells(const LaneCells& cells, Type* type,
                                          ArrayRef<Value*> places, Align align, Made made) {
  const auto bytes = layout_.getTypeAllocSize(cells.type).getFixedValue();
  Parts parts;
  for (unsigned cell = 0; cell < cells.cells; ++cell) {
    Parts loaded;
    for (Value* place : places) {
      Value* address =
          builder_.CreateGEP(builder_.getInt8Ty(), place, builder_.getInt64(cell * bytes));
      loaded.push_back(
          builder_.CreateAlignedLoad(cells.type, address, commonAlignment(align, cell * bytes)));
      made(*cast<Instruction>(loaded.back()));
    }
    if (!cells.isNumber()) {
      parts.append(fromCells(loaded, cells));
      continue;
    }
    Value* numbers = PoisonValue::get(code_.vectorOf(cells.type));
    for (unsigned lane = 0; lane < plan_.width; ++lane)
      numbers = builder_.CreateInsertElement(numbers, loaded[lane], lane);
    parts.append(fromNumbers(numbers, type, cells.perCell));
  }
  return parts;
}

/// The components of each lane as one number.
Value* LoopWidener::toNumbers(Parts parts, const LaneCells& cells) {
  if (parts.size() == 1) return parts.front();
  // A component that was never computed would make the whole number one that was not.
  for (Value*& part : parts) part = builder_.CreateFreeze(part);
  return builder_.CreateBitCast(code_.interleave(parts), code_.vectorOf(cells.type));
}

/// Stores the components of each lane at its place. `made` is told each store.
void LoopWidener::storeCells(const Parts& parts, const LaneCells& cells, ArrayRef<Value*> places,
                             Align align, Made made) {
  const auto bytes = layout_.getTypeAllocSize(cells.type).getFixedValue();
  Value* numbers = cells.isNumber() ? toNumbers(parts, cells) : nullptr;
  SmallVector<Parts> values;  // by cell and lane
  for (unsigned cell = 0; cell < cells.cells && !numbers; ++cell)
    values.push_back(toCells(ArrayRef(parts).slice(cell * cells.perCell, cells.perCell), cells));
  for (unsigned lane = 0; lane < plan_.width; ++lane)
    for (unsigned cell = 0; cell < cells.cells; ++cell) {
      Value* value = numbers ? takeLane(numbers, lane) : values[cell][lane];
      Value* address =
          builder_.CreateGEP(builder_.getInt8Ty(), places[lane], builder_.getInt64(cell * bytes));
      made(*builder_.CreateAlignedStore(value, address, commonAlignment(align, cell * bytes)));
    }
}

/// Loads that each lane has a place of its own for, as far as their cells are understood and not
/// left to a loop.
bool LoopWidener::loadScattered(LoadInst& load) {
  Value* pointer = load.getPointerOperand();
  const auto types = componentsOf(load.getType());
  const auto cells = cellsOf(pointer, load.getType());
  if (!cells || areConsecutive(pointer, types.front())) return false;
  const Align align = load.getAlign();
  const bool isRow = isRowOfEachLane(load) && isScalarised(*cells);
  if (!isRow && cells->isNumber() &&
      plan_.target.isLegalMaskedGather(code_.vectorOf(cells->type), align)) {
    if (types.size() == 1) return false;  // as any part is
    noteScattered(load);
    FixedVectorType* vector = code_.vectorOf(cells->type);
    Instruction* gather = builder_.CreateMaskedGather(vector, partOf(pointer, 0), align, mask_,
                                                      Constant::getNullValue(vector));
    copyAliasing(load, *gather);
    define(load, fromNumbers(gather, types.front(), cells->perCell));
    return true;
  }
  if (!isScalarised(*cells)) return false;
  noteLaneByLane(load);
  const Parts places = placesOf(pointer);
  if (isRow) prefetchNextRows(load, places);
  define(load, loadCells(*cells, types.front(), places, align,
                         [&](Instruction& made) { copyAliasing(load, made); }));
  return true;
}

/// The same for stores.
bool LoopWidener::storeScattered(StoreInst& store) {
  Value* pointer = store.getPointerOperand();
  const auto types = componentsOf(store.getValueOperand()->getType());
  const auto cells = cellsOf(pointer, store.getValueOperand()->getType());
  if (!cells || areConsecutive(pointer, types.front())) return false;
  const Align align = store.getAlign();
  const bool isNumber = cells->isNumber();
  const bool isLegal =
      isNumber && plan_.target.isLegalMaskedScatter(code_.vectorOf(cells->type), align);
  if ((isLegal && types.size() == 1) || (!isLegal && !isScalarised(*cells))) return false;
  const Parts parts = partsOf(store.getValueOperand());
  const auto made = [&](Instruction& one) { copyAliasing(store, one); };
  if (isLegal) {
    noteScattered(store);
    made(*builder_.CreateMaskedScatter(toNumbers(parts, *cells), partOf(pointer, 0), align, mask_));
    return true;
  }
  noteLaneByLane(store);
  storeCells(parts, *cells, placesOf(pointer), align, made);
  return true;
}

}  // namespace weft::compiler
