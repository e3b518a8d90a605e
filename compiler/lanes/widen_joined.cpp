// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Widening of the program's vectors that stay as they are in memory (analysis/joined_vectors.h).
#include <llvm/Analysis/VectorUtils.h>

#include "ir/names.h"
#include "lanes/loop_widener.h"

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

/// Lanes whose vectors fill a register.
unsigned LoopWidener::lanesOfPiece() const {
  const auto bits =
      plan_.target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
  return std::clamp<unsigned>(static_cast<unsigned>(bits) / JoinedVectors::kBits, 1, plan_.width);
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
  return code_.interleave(partsOf(value));
}

void LoopWidener::defineJoined(const Instruction& instruction, Value* joined) {
  const auto count = static_cast<unsigned>(componentsOf(instruction.getType()).size());
  const unsigned lanes = lanesOfPiece();
  auto& pieces = values_[&instruction].pieces;
  pieces.clear();
  for (unsigned lane = 0; lane < plan_.width; lane += lanes)
    pieces.push_back(
        builder_.CreateShuffleVector(joined, createSequentialMask(lane * count, lanes * count, 0)));
}

/// What an operand is for the lanes of a piece, `count` components of each.
Value* LoopWidener::pieceOf(Value* value, unsigned piece, unsigned count) {
  if (const auto found = values_.find(value);
      found != values_.end() && !found->second.pieces.empty())
    return found->second.pieces[piece];
  const unsigned lanes = lanesOfPiece(), first = piece * lanes;
  const bool isVector = value->getType()->isVectorTy();
  const auto ofLane = [](unsigned lane, unsigned) { return static_cast<int>(lane); };
  if (plan_.shapes.of(value).isUniform())
    return isVector ? shuffled(builder_, scalarOf(value), first, lanes, count,
                               [](unsigned, unsigned part) { return static_cast<int>(part); })
                    : scalarOf(value);
  if (!isVector) return shuffled(builder_, partOf(value, 0), first, lanes, count, ofLane);
  if (Value* each = getSplatValue(value))
    return shuffled(builder_, partOf(each, 0), first, lanes, count, ofLane);
  return shuffled(
      builder_, code_.interleave(partsOf(value)), first, lanes, count,
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
  for (unsigned piece = 0; piece < plan_.width / lanesOfPiece(); ++piece)
    for (const auto& [instruction, mine] : zip_equal(postponed, places)) {
      builder_.SetCurrentDebugLocation(instruction->getDebugLoc());
      auto* load = dyn_cast<LoadInst>(instruction);
      Value* made = load ? loadPiece(*load, mine, piece) : computePiece(*instruction, piece);
      values_[instruction].pieces.push_back(made);
    }
}

Value* LoopWidener::loadPiece(LoadInst& load, const LoadPlaces& places, unsigned piece) {
  const unsigned lanes = lanesOfPiece();
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
  const auto count = static_cast<unsigned>(componentsOf(instruction.getType()).size());
  SmallVector<Value*, 3> operands;
  auto* call = dyn_cast<IntrinsicInst>(&instruction);
  for (Use& use : call ? call->args() : instruction.operands())
    operands.push_back(pieceOf(use.get(), piece, count));
  const Instruction* before = lastWritten();
  auto* type = FixedVectorType::get(instruction.getType()->getScalarType(), lanesOfPiece() * count);
  Value* result = call ? builder_.CreateIntrinsic(type, call->getIntrinsicID(), operands)
                       : elementwise(instruction, operands, type);
  // What it is folded to is somebody else's, of whom other things are known.
  if (auto* made = dyn_cast<Instruction>(result); made && made == lastWritten() && made != before &&
                                                  made->getOpcode() == instruction.getOpcode())
    made->copyIRFlags(&instruction);
  return result;
}

/// Operations that treat each component by itself.
bool LoopWidener::emitJoined(Instruction& instruction) {
  if (!isJoined(instruction)) return false;
  postpone(instruction);
  return true;
}

/// Whether lanes are read or written one by one, without a loop.
bool LoopWidener::hasJoinedCells(const Value* pointer, Type* type) const {
  const auto cells = cellsOf(pointer, type);
  return cells && !cells->isNumber() && cells->cells == 1 && isScalarised(*cells);
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
        apart = code_.interleave(partsOf(&load));
        apartEnd = builder_.GetInsertBlock();
      });
  PHINode* joined = builder_.CreatePHI(row->getType(), 2);
  joined->addIncoming(row, rowEnd);
  joined->addIncoming(apart, apartEnd);
  values_.erase(&load);
  defineJoined(load, joined);
  return true;
}

bool LoopWidener::storeJoined(StoreInst& store) {
  if (!isJoined(store)) return false;
  Value* pointer = store.getPointerOperand();
  Type* type = store.getValueOperand()->getType();
  const auto count = static_cast<unsigned>(componentsOf(type).size());
  Value* joined = joinedOf(store.getValueOperand());
  const auto inRow = [&](Value* first) {
    storeWide(store, joined, {type->getScalarType(), count, first, store.getAlign(), mask_});
  };
  const auto apart = [&] {
    if (!hasJoinedCells(pointer, type)) return storeByShape(store);
    noteLaneByLane(store);
    const Parts places = placesOf(pointer);
    for (unsigned lane = 0; lane < plan_.width; ++lane) {
      Value* one =
          builder_.CreateShuffleVector(joined, createSequentialMask(lane * count, count, 0));
      copyAliasing(store, *builder_.CreateAlignedStore(one, places[lane], store.getAlign()));
    }
  };
  if (areOneBehindTheOther(pointer, type))
    inRow(scalarOf(pointer));
  else if (isLikelyRow(store))
    askForRow(pointer, type, inRow, apart);
  else
    apart();
  return true;
}

}  // namespace weft::compiler
