// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Widening of the program's vectors that stay as they are in memory (analysis/joined_vectors.h).
#include <llvm/Analysis/VectorUtils.h>

#include "ir/names.h"
#include "lanes/loop_widener.h"
#include "lanes/strided_code.h"

namespace weft::compiler {

using namespace llvm;

/// What is left over of a row is one iteration, which reads lane by lane in loops.
bool LoopWidener::isJoined(const Instruction& instruction) const {
  return LaneCode::isFull(active_) && plan_.joined.contains(instruction);
}

/// Whether it has been written so, or will be.
bool LoopWidener::isJoinedValue(const Value& value) const {
  const auto found = values_.find(&value);
  return found != values_.end() && !found->second.scalar && found->second.parts.empty();
}

/// Lanes whose vectors fill a register, of the smallest that are computed with.
unsigned LoopWidener::lanesOfPiece(const Instruction& instruction) const {
  const auto bits =
      plan_.target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
  const unsigned smallest = plan_.joined.bitsOf(instruction).smallest;
  return std::clamp<unsigned>(static_cast<unsigned>(bits) / smallest, 1, plan_.width);
}

unsigned LoopWidener::piecesOf(const Instruction& instruction) const {
  return plan_.width / lanesOfPiece(instruction);
}

FixedVectorType* LoopWidener::pieceType(const Instruction& instruction) const {
  const auto count = static_cast<unsigned>(componentsOf(instruction.getType()).size());
  return FixedVectorType::get(instruction.getType()->getScalarType(),
                              lanesOfPiece(instruction) * count);
}

/// Components of all lanes by their numbers, for the lanes of one piece.
template <class Number>
static Value* shuffled(LaneBuilder& builder, Value* from, unsigned first, unsigned lanes,
                       unsigned count, Number number) {
  SmallVector<int, 64> mask;
  for (unsigned lane = first; lane < first + lanes; ++lane)
    for (unsigned part = 0; part < count; ++part) mask.push_back(number(lane, part));
  return builder.CreateShuffleVector(from, mask);
}

/// Lanes whose components of that type fill a register.
unsigned LoopWidener::lanesOfRun(Type* component) const {
  const auto bits =
      plan_.target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
  const auto size = layout_.getTypeSizeInBits(component).getFixedValue();
  return static_cast<unsigned>(std::min<uint64_t>(plan_.width, std::max<uint64_t>(1, bits / size)));
}

/// Components of vectors that are one behind the other. By rules of our own, since LLVM makes three
/// times as many shuffles of the one for each component that they come down to.
LoopWidener::Parts LoopWidener::separate(Value* joined, Type* type) {
  const auto types = componentsOf(type);
  const auto count = static_cast<unsigned>(types.size());
  if (types.front()->isIntegerTy(1)) return Parts(code_.deinterleave(joined, count));
  const auto slice = [&](unsigned first, unsigned size) {
    return builder_.CreateShuffleVector(joined, createSequentialMask(first, size, 0));
  };
  Parts parts;
  if (const auto cells = cellsOfVector(type); cells && !cells->isNumber()) {
    for (unsigned cell = 0; cell < cells->cells; ++cell) {
      Parts lanes;
      for (unsigned lane = 0; lane < plan_.width; ++lane)
        lanes.push_back(slice(lane * count + cell * cells->perCell, cells->perCell));
      parts.append(fromCells(lanes, *cells));
    }
    return parts;
  }
  const unsigned lanes = lanesOfRun(types.front());
  const unsigned section = sectionOf(*FixedVectorType::get(types.front(), lanes), plan_.target);
  SmallVector<Parts> runs(count);
  for (unsigned first = 0; first < plan_.width; first += lanes) {
    Pieces pieces;
    for (unsigned piece = 0; piece < count; ++piece)
      pieces.push_back(slice(first * count + piece * lanes, lanes));
    for (const auto& [run, field] :
         zip_equal(runs, takeApart(builder_, pieces, maskTrailingOnes<uint64_t>(count), section)))
      run.push_back(field);
  }
  for (const Parts& run : runs) parts.push_back(concatenateVectors(builder_, run));
  return parts;
}

/// The inverse.
Value* LoopWidener::joinedFrom(ArrayRef<Value*> parts, Type* type) {
  Type* component = type->getScalarType();
  if (component->isIntegerTy(1)) return code_.interleave(parts);
  if (const auto cells = cellsOfVector(type); cells && !cells->isNumber()) {
    SmallVector<Parts> byCell;
    for (unsigned cell = 0; cell < cells->cells; ++cell)
      byCell.push_back(toCells(parts.slice(cell * cells->perCell, cells->perCell), *cells));
    Parts all;
    for (unsigned lane = 0; lane < plan_.width; ++lane)
      for (const Parts& cell : byCell) all.push_back(cell[lane]);
    return concatenateVectors(builder_, all);
  }
  const unsigned lanes = lanesOfRun(component);
  const unsigned section = sectionOf(*FixedVectorType::get(component, lanes), plan_.target);
  Parts all;
  for (unsigned first = 0; first < plan_.width; first += lanes) {
    Pieces fields;
    for (Value* part : parts)
      fields.push_back(builder_.CreateShuffleVector(part, createSequentialMask(first, lanes, 0)));
    all.append(putTogether(builder_, fields, section));
  }
  return concatenateVectors(builder_, all);
}

/// The vectors of all lanes, one behind the other.
Value* LoopWidener::joinedOf(Value* value) {
  settleJoined();
  const auto found = values_.find(value);
  if (found != values_.end() && !found->second.pieces.empty())
    return concatenateVectors(builder_, found->second.pieces);
  const auto count = static_cast<unsigned>(componentsOf(value->getType()).size());
  if (plan_.shapes.of(value).isUniform())
    return shuffled(builder_, scalarOf(value), 0, plan_.width, count,
                    [](unsigned, unsigned part) { return static_cast<int>(part); });
  if (Value* each = getSplatValue(value)) return code_.replicate(partOf(each, 0), count);
  return joinedFrom(partsOf(value), value->getType());
}

void LoopWidener::defineJoined(const Instruction& instruction, Value* joined) {
  const auto count = static_cast<unsigned>(componentsOf(instruction.getType()).size());
  const unsigned lanes = lanesOfPiece(instruction);
  auto& pieces = values_[&instruction].pieces;
  pieces.clear();
  for (unsigned lane = 0; lane < plan_.width; lane += lanes)
    pieces.push_back(
        builder_.CreateShuffleVector(joined, createSequentialMask(lane * count, lanes * count, 0)));
}

/// Each lane's truth value for all components of its vector, for the lanes of a piece.
Value* LoopWidener::pieceOfMask(Value* mask, const Instruction& instruction, unsigned piece) {
  const unsigned lanes = lanesOfPiece(instruction);
  const auto count = static_cast<unsigned>(componentsOf(instruction.getType()).size());
  return shuffled(builder_, mask, piece * lanes, lanes, count,
                  [](unsigned lane, unsigned) { return static_cast<int>(lane); });
}

/// What an operand of a joined instruction is for the lanes of a piece.
Value* LoopWidener::pieceOf(Value* value, const Instruction& instruction, unsigned piece) {
  if (const auto found = values_.find(value);
      found != values_.end() && !found->second.pieces.empty())
    return found->second.pieces[piece];
  const unsigned lanes = lanesOfPiece(instruction), first = piece * lanes;
  const bool isVector = value->getType()->isVectorTy();
  const auto count = static_cast<unsigned>(componentsOf(instruction.getType()).size());
  const auto ofLane = [](unsigned lane, unsigned) { return static_cast<int>(lane); };
  // What is undefined is no poison (passEdge).
  if (isa<UndefValue>(value) && !isa<PoisonValue>(value))
    return UndefValue::get(FixedVectorType::get(value->getType()->getScalarType(), lanes * count));
  if (plan_.shapes.of(value).isUniform())
    return isVector ? shuffled(builder_, scalarOf(value), first, lanes, count,
                               [](unsigned, unsigned part) { return static_cast<int>(part); })
                    : scalarOf(value);
  if (!isVector) return shuffled(builder_, partOf(value, 0), first, lanes, count, ofLane);
  if (Value* each = getSplatValue(value))
    return shuffled(builder_, partOf(each, 0), first, lanes, count, ofLane);
  return shuffled(
      builder_, joinedFrom(partsOf(value), value->getType()), first, lanes, count,
      [count](unsigned lane, unsigned part) { return static_cast<int>(lane * count + part); });
}

/// Has the instruction wait until somebody asks for it, or memory may change.
void LoopWidener::postpone(Instruction& instruction) {
  postponed_.push_back(&instruction);
  values_[&instruction] = {};
}

/// Writes what has been postponed: all of it for the lanes of one register, then for those of the
/// next. What a work-item reads of several rows of a picture is in few cache lines, and reading it
/// together, rather than one place of all work-items after the other, takes half the time where
/// these are not in the first-level cache: pixels of four floats, turned by 30 degrees (Zen 4).
void LoopWidener::settleJoined() {
  if (postponed_.empty()) return;
  const SmallVector<Instruction*> postponed = std::exchange(postponed_, {});
  SmallVector<LoadPlaces> places;
  for (Instruction* instruction : postponed) {
    LoadPlaces& mine = places.emplace_back();
    auto* load = dyn_cast<LoadInst>(instruction);
    if (!load) continue;
    Value* pointer = load->getPointerOperand();
    mine.lanes = placesInVector(pointer);
    if (load->hasMetadata(names::kPixel))
      mine.advance = advanceOf(*load, placeInLane(pointer, mine.lanes, 0),
                               placeInLane(pointer, mine.lanes, plan_.width - 1));
  }
  for (unsigned lane = 0; lane < plan_.width; ++lane)
    for (const auto& [instruction, mine] : zip_equal(postponed, places)) {
      const unsigned lanes = lanesOfPiece(*instruction);
      if (lane % lanes != 0) continue;
      builder_.SetCurrentDebugLocation(instruction->getDebugLoc());
      auto* load = dyn_cast<LoadInst>(instruction);
      const unsigned piece = lane / lanes;
      Value* made = load ? loadPiece(*load, mine, piece) : computePiece(*instruction, piece);
      values_[instruction].pieces.push_back(made);
    }
}

Value* LoopWidener::loadPiece(LoadInst& load, const LoadPlaces& places, unsigned piece) {
  const unsigned lanes = lanesOfPiece(load);
  Parts loaded;
  for (unsigned lane = piece * lanes; lane < (piece + 1) * lanes; ++lane) {
    Value* place = placeInLane(load.getPointerOperand(), places.lanes, lane);
    prefetchAt(place, places.advance);
    loaded.push_back(builder_.CreateAlignedLoad(load.getType(), place, load.getAlign()));
    copyAliasing(load, *cast<Instruction>(loaded.back()));
  }
  return concatenateVectors(builder_, loaded);
}

Value* LoopWidener::computePiece(Instruction& instruction, unsigned piece) {
  SmallVector<Value*, 3> operands;
  auto* call = dyn_cast<IntrinsicInst>(&instruction);
  for (Use& use : call ? call->args() : instruction.operands())
    operands.push_back(pieceOf(use.get(), instruction, piece));
  if (auto* shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) {
    const auto count = static_cast<int>(shuffle->getShuffleMask().size());
    const unsigned lanes = lanesOfPiece(instruction);
    SmallVector<int, 64> mask;
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (const int from : shuffle->getShuffleMask()) {
        const bool isSecond = from >= count;
        const int inPiece = static_cast<int>(lane) * count + from;
        mask.push_back(from < 0 ? PoisonMaskElem
                                : inPiece + (isSecond ? static_cast<int>(lanes - 1) * count : 0));
      }
    return builder_.CreateShuffleVector(operands[0], operands[1], mask);
  }
  const Instruction* before = lastWritten();
  auto* type = pieceType(instruction);
  Value* result = call ? builder_.CreateIntrinsic(type, call->getIntrinsicID(), operands)
                       : elementwise(instruction, operands, type);
  // What it is folded to is somebody else's, of whom other things are known.
  if (auto* made = dyn_cast<Instruction>(result); made && made == lastWritten() && made != before &&
                                                  made->getOpcode() == instruction.getOpcode())
    made->copyIRFlags(&instruction);
  return result;
}

/// Operations that treat each component by itself, or move them within a work-item's vector.
bool LoopWidener::emitJoined(Instruction& instruction) {
  if (!isJoined(instruction)) return false;
  postpone(instruction);
  return true;
}

/// Whether lanes are read or written one by one, without a loop.
bool LoopWidener::hasJoinedCells(const Value* pointer, Type* type) const {
  const auto cells = cellsOf(pointer, type);
  return cells && !cells->isNumber() && isScalarised(*cells);
}

bool LoopWidener::areOneBehindTheOther(const Value* pointer, Type* type) const {
  const LaneShape shape = plan_.shapes.of(pointer);
  return shape.kind == LaneShape::Affine &&
         shape.stride == static_cast<int64_t>(layout_.getTypeAllocSize(type).getFixedValue());
}

bool LoopWidener::loadJoined(LoadInst& load) {
  if (!isJoined(load)) return false;
  Value* pointer = load.getPointerOperand();
  const auto count = static_cast<unsigned>(componentsOf(load.getType()).size());
  const auto inRow = [&](Value* first) {
    return loadWide(load, {load.getType()->getScalarType(), count, first, load.getAlign(), mask_});
  };
  if (areOneBehindTheOther(pointer, load.getType())) {
    defineJoined(load, inRow(scalarOf(pointer)));
    return true;
  }
  if (const auto block = blocksOf(load)) {
    defineJoined(load, loadBlocks(load, *block));
    return true;
  }
  if (!isLikelyRow(load)) {
    if (!hasJoinedCells(pointer, load.getType())) return false;
    noteLaneByLane(load);
    postpone(load);
    return true;
  }
  Value* row = nullptr;
  Value* apart = nullptr;
  BasicBlock* rowEnd = nullptr;
  BasicBlock* apartEnd = nullptr;
  askForRow(
      pointer, load.getType(),
      [&](Value* first) {
        row = inRow(first);
        rowEnd = builder_.GetInsertBlock();
      },
      [&] {
        loadByShape(load);
        apart = joinedFrom(partsOf(&load), load.getType());
        apartEnd = builder_.GetInsertBlock();
      });
  PHINode* either = builder_.CreatePHI(row->getType(), 2);
  either->addIncoming(row, rowEnd);
  either->addIncoming(apart, apartEnd);
  values_.erase(&load);
  defineJoined(load, either);
  return true;
}

bool LoopWidener::storeJoined(StoreInst& store) {
  if (!isJoined(store)) return false;
  Value* pointer = store.getPointerOperand();
  Type* type = store.getValueOperand()->getType();
  const auto count = static_cast<unsigned>(componentsOf(type).size());
  Value* all = joinedOf(store.getValueOperand());
  const auto inRow = [&](Value* first) {
    storeWide(store, all, {type->getScalarType(), count, first, store.getAlign(), mask_});
  };
  const auto apart = [&] {
    if (!hasJoinedCells(pointer, type)) return storeByShape(store);
    noteLaneByLane(store);
    const Parts places = placesOf(pointer);
    for (unsigned lane = 0; lane < plan_.width; ++lane) {
      Value* one = builder_.CreateShuffleVector(all, createSequentialMask(lane * count, count, 0));
      copyAliasing(store, *builder_.CreateAlignedStore(one, places[lane], store.getAlign()));
    }
  };
  if (areOneBehindTheOther(pointer, type))
    inRow(scalarOf(pointer));
  else if (const auto block = blocksOf(store))
    storeBlocks(store, *block, all);
  else if (isLikelyRow(store))
    askForRow(pointer, type, inRow, apart);
  else
    apart();
  return true;
}

}  // namespace weft::compiler
