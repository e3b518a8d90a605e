// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Widening of accesses to structures that follow each other.
#include <llvm/ADT/bit.h>
#include <llvm/Analysis/VectorUtils.h>

#include "base/tuning.h"
#include "ir/names.h"
#include "lanes/loop_widener.h"
#include "lanes/strided_code.h"

namespace weft::compiler {

using namespace llvm;

/// How the lanes are cut into runs of whose structures each piece is a register.
struct LoopWidener::StridedShape {
  unsigned lanes;   ///< in a run, and elements in a piece
  unsigned pieces;  ///< registers of a run: as many as the factor
  FixedVectorType* type;
  Align align;
};

LoopWidener::StridedShape LoopWidener::stridedShapeOf(const StridedGroup& group) const {
  const auto bytes = static_cast<unsigned>(
      plan_.target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue() /
      8);
  const auto size = static_cast<unsigned>(group.elementBytes);
  unsigned lanes = std::min(plan_.width, std::max(bytes / size, 1U));
  if (group.blockLanes != 0) lanes = std::min(lanes, group.blockLanes * group.factor);
  Instruction& lowest = *group.lowest().access;
  return {lanes, group.factor,
          FixedVectorType::get(getLoadStoreType(&group.place())->getScalarType(), lanes),
          commonAlignment(getLoadStoreAlignment(&lowest), size)};
}

/// Whether stores write what is there between what they are for: only the work-items of a group,
/// which run on one thread, see its local memory.
bool LoopWidener::isFilledUp(const StridedGroup& group) const {
  return group.isLoaded && group.hasGaps() && LaneCode::isFull(mask_) &&
         getLoadStoreAddressSpace(&group.place()) == names::kLocal;
}

/// Whether wide accesses are possible and pay.
bool LoopWidener::isWide(const StridedGroup& group) const {
  const StridedShape shape = stridedShapeOf(group);
  if (shape.lanes < 2 || shape.lanes * group.elementBytes < tuning::kSmallestPiece) return false;
  const bool isFilled = isFilledUp(group);
  const bool hasGaps = group.isStore && group.hasGaps() && !isFilled;
  const bool isFull = LaneCode::isFull(mask_);
  const bool hasInstruction = group.isStore
                                  ? plan_.target.isLegalMaskedScatter(shape.type, shape.align)
                                  : plan_.target.isLegalMaskedGather(shape.type, shape.align);
  // Where masks are no registers, vpmaskmov takes 8 cycles and more (Zen 4): structures of 32 bytes
  // with gaps took 2.3 to 3.7 times as long as their fields one by one, others as long.
  if (isFull && hasGaps && !hasInstruction) return false;
  unsigned cost =
      group.factor * (isFilled ? 2 : 1) +
      countShuffles(group.factor, group.used, shape.lanes, sectionOf(*shape.type, plan_.target));
  if (!isFull || hasGaps) {
    if (group.isStore ? !plan_.target.isLegalMaskedStore(shape.type, shape.align)
                      : !plan_.target.isLegalMaskedLoad(shape.type, shape.align))
      return false;
    if (!isFull) cost += tuning::kMaskedPiece * group.factor;
  }
  return cost <= (hasInstruction ? tuning::kGatheredLane : tuning::kLoopedLane) * shape.lanes *
                     static_cast<unsigned>(llvm::popcount(group.used));
}

/// The lanes of a piece that hold something of the group for an active lane; null for none at all.
Value* LoopWidener::maskOfPiece(const StridedGroup& group, unsigned run, unsigned piece) {
  const StridedShape shape = stridedShapeOf(group);
  SmallVector<int, 64> lanes;
  SmallVector<Constant*, 64> constants;
  bool hasSome = false;
  for (unsigned k = 0; k < shape.lanes; ++k) {
    const unsigned element = piece * shape.lanes + k;
    const bool used = (group.used >> (element % group.factor)) & 1;
    const auto lane = static_cast<int>(run * shape.lanes + element / group.factor);
    lanes.push_back(used ? lane : static_cast<int>(plan_.width));
    constants.push_back(builder_.getInt1(used));
    hasSome |= used;
  }
  if (!hasSome) return nullptr;
  if (LaneCode::isFull(mask_)) return ConstantVector::get(constants);
  return builder_.CreateShuffleVector(mask_, Constant::getNullValue(mask_->getType()), lanes);
}

/// The address of the first element of a group, `elements` further on.
Value* LoopWidener::addressIn(const StridedGroup& group, int64_t elements) {
  Instruction& place = group.place();
  Value* pointer = getLoadStorePointerOperand(&place);
  Value* start = nullptr;
  if (const unsigned inBlock = group.blockLanes * group.factor; inBlock != 0) {
    const auto block = static_cast<unsigned>(elements) / inBlock;
    DenseMap<Value*, Value*> known;
    start = inOneLane(pointer, block * group.blockLanes, *place.getParent(), known);
    elements -= block * inBlock;
  } else {
    start = scalarOf(pointer);
  }
  for (const StridedGroup::Member& member : group.members)
    if (member.access == &place) elements -= member.offset;
  return builder_.CreateGEP(builder_.getInt8Ty(), start,
                            builder_.getInt64(elements * static_cast<int64_t>(group.elementBytes)));
}

/// A piece of the memory of a group of loads. Without a mask nothing behind the last lane's last
/// element is touched: the last piece is loaded from further before and moved into place.
Value* LoopWidener::loadPiece(const StridedGroup& group, unsigned run, unsigned piece) {
  const StridedShape shape = stridedShapeOf(group);
  const unsigned start = (run * shape.pieces + piece) * shape.lanes;
  if (!LaneCode::isFull(mask_)) {
    Value* mask = maskOfPiece(group, run, piece);
    if (!mask) return nullptr;
    return builder_.CreateMaskedLoad(shape.type, addressIn(group, start), shape.align, mask,
                                     Constant::getNullValue(shape.type));
  }
  if (!hasWanted(piece, group.factor, shape.lanes, group.used)) return nullptr;
  const unsigned end = (plan_.width - 1) * group.factor + group.extent;
  if (start >= end) return nullptr;
  const unsigned over = start + shape.lanes > end ? start + shape.lanes - end : 0;
  Value* loaded =
      builder_.CreateAlignedLoad(shape.type, addressIn(group, start - over), shape.align);
  if (over == 0) return loaded;
  SmallVector<int, 64> moved;
  for (unsigned k = 0; k < shape.lanes; ++k)
    moved.push_back(k + over < shape.lanes ? static_cast<int>(k + over) : -1);
  return builder_.CreateShuffleVector(loaded, moved);
}

void LoopWidener::emitLoads(const StridedGroup& group) {
  const StridedShape shape = stridedShapeOf(group);
  const unsigned section = sectionOf(*shape.type, plan_.target);
  SmallVector<Pieces> runs;  // the fields of each run of lanes
  for (unsigned run = 0; run < plan_.width / shape.lanes; ++run) {
    Pieces pieces;
    for (unsigned piece = 0; piece < shape.pieces; ++piece)
      pieces.push_back(loadPiece(group, run, piece));
    runs.push_back(takeApart(builder_, pieces, group.used, section));
  }
  for (const StridedGroup::Member& member : group.members) {
    Parts parts;
    for (unsigned i = 0; i < member.components; ++i) {
      SmallVector<Value*> field;
      for (const Pieces& fields : runs)
        field.push_back(fields[static_cast<unsigned>(member.offset) + i]);
      Value* lanes = concatenateVectors(builder_, field);
      Type* type = member.access->getType()->getScalarType();
      parts.push_back(builder_.CreateBitCast(lanes, code_.vectorOf(type)));
    }
    define(*member.access, parts);
  }
}

void LoopWidener::emitStores(const StridedGroup& group) {
  const StridedShape shape = stridedShapeOf(group);
  const unsigned section = sectionOf(*shape.type, plan_.target);
  SmallVector<Value*, 16> all(group.factor, nullptr);
  for (const StridedGroup::Member& member : group.members) {
    Value* value = cast<StoreInst>(member.access)->getValueOperand();
    for (unsigned i = 0; i < member.components; ++i)
      all[static_cast<unsigned>(member.offset) + i] =
          builder_.CreateBitCast(partOf(value, i), code_.vectorOf(shape.type->getElementType()));
  }
  for (unsigned run = 0; run < plan_.width / shape.lanes; ++run) {
    Pieces fields;
    for (Value* lanes : all) {
      if (!lanes || shape.lanes == plan_.width) {
        fields.push_back(lanes);
        continue;
      }
      SmallVector<int, 64> mask;
      for (unsigned k = 0; k < shape.lanes; ++k)
        mask.push_back(static_cast<int>(run * shape.lanes + k));
      fields.push_back(builder_.CreateShuffleVector(lanes, mask));
    }
    const Pieces pieces = putTogether(builder_, fields, section);
    for (unsigned piece = 0; piece < shape.pieces; ++piece)
      storePiece(group, run, piece, pieces[piece]);
  }
}

void LoopWidener::storePiece(const StridedGroup& group, unsigned run, unsigned piece,
                             Value* value) {
  const StridedShape shape = stridedShapeOf(group);
  const bool isWhole = LaneCode::isFull(mask_) && !group.hasGaps();
  Value* mask = isWhole ? nullptr : maskOfPiece(group, run, piece);
  if (!isWhole && !mask) return;
  const unsigned start = (run * shape.pieces + piece) * shape.lanes;
  // Code generation makes a store of one element of such a mask too, but late, and then spends
  // 18 s on merging 240 of them.
  if (const APInt stored = mask ? possiblyDemandedEltsInMask(mask) : APInt(); stored.isPowerOf2()) {
    builder_.CreateAlignedStore(
        builder_.CreateExtractElement(value, stored.logBase2()),
        addressIn(group, start + stored.logBase2()),
        commonAlignment(shape.align, stored.logBase2() * group.elementBytes));
    return;
  }
  Value* address = addressIn(group, start);
  if (isWhole || LaneCode::isFull(mask)) {
    builder_.CreateAlignedStore(value, address, shape.align);
  } else if (isFilledUp(group)) {
    Value* kept = builder_.CreateAlignedLoad(shape.type, address, shape.align);
    builder_.CreateAlignedStore(builder_.CreateSelect(mask, value, kept), address, shape.align);
  } else {
    builder_.CreateMaskedStore(value, address, shape.align, mask);
  }
}

/// Whether the access is done, or will be, as part of a group.
bool LoopWidener::emitInGroup(Instruction& access) {
  const StridedGroup* group = plan_.groups.of(access);
  if (!group && LaneCode::isFull(mask_)) group = plan_.blocks.groupOf(access, plan_.width);
  if (!group || !isWide(*group)) return false;
  if (explanation_)
    explanation_->note(
        std::string(group->isStore ? "wide stores" : "wide loads") + " and shuffles, with " +
            std::to_string(group->factor * group->elementBytes) + " bytes between lanes",
        access);
  if (&group->place() != &access) return true;
  if (group->isStore)
    emitStores(*group);
  else
    emitLoads(*group);
  return true;
}

}  // namespace weft::compiler
