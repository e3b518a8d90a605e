// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/lane_blocks.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>

namespace weft::compiler {

using namespace llvm;

struct LaneBlocks::Level {
  Level(const ItemLoop& items, uint64_t count, const LaneUniformity& uniformity,
        const MaskPlan& masks, const PrivateLayouts& privates, unsigned lanes, AAResults& aliases,
        StridedGroups::Choice isUnknown)
      : lanes(lanes),
        steps(*items.index, lanes, count),
        shapes(*items.loop, *items.index, uniformity, masks, privates, lanes, &steps),
        groups(*items.loop, shapes, aliases, isUnknown, lanes) {}

  unsigned lanes;
  AlignedSteps steps;
  LaneShapes shapes;
  StridedGroups groups;
};

/// Whether an access might have blocks that it has no shape without.
static bool isUnknown(const Instruction& access, const LaneShapes& sketch) {
  const Value* pointer = getLoadStorePointerOperand(&access);
  return pointer && !access.isVolatile() && !access.isAtomic() && sketch.isAnywhere(pointer);
}

LaneBlocks::LaneBlocks(const ItemLoop& items, const LaneUniformity& uniformity,
                       const MaskPlan& masks, const PrivateLayouts& privates,
                       const LaneShapes& sketch, AAResults& aliases)
    : sketch_(sketch) {
  bool hasBits = false;
  bool hasAccesses = false;
  for (const BasicBlock* block : items.loop->blocks())
    for (const Instruction& instruction : *block) {
      hasBits |= AlignedSteps::changesBits(instruction) && sketch.of(&instruction).isVarying();
      hasAccesses |= isUnknown(instruction, sketch);
    }
  if (!hasBits || !hasAccesses) return;
  const auto* constant = dyn_cast<ConstantInt>(items.count);
  const uint64_t count = constant ? constant->getZExtValue() : 0;
  for (unsigned lanes = kFewestOfGroups; lanes <= kMost; lanes *= 2)
    levels_.push_back(std::make_unique<Level>(
        items, count, uniformity, masks, privates, lanes, aliases,
        [&](const Instruction& access) { return isUnknown(access, sketch); }));
}

LaneBlocks::~LaneBlocks() = default;

std::optional<LaneBlocks::Block> LaneBlocks::of(const Instruction& access, unsigned lanes) const {
  if (levels_.empty() || !isUnknown(access, sketch_)) return std::nullopt;
  Type* type = getLoadStoreType(const_cast<Instruction*>(&access));
  const DataLayout& layout = access.getDataLayout();
  const auto bytes = static_cast<int64_t>(layout.getTypeAllocSize(type).getFixedValue());
  if (type->isStructTy() || 8 * bytes != static_cast<int64_t>(layout.getTypeSizeInBits(type)))
    return std::nullopt;
  for (const auto& level : reverse(levels_)) {
    if (level->lanes > lanes || level->lanes < kFewest) continue;
    const LaneShape shape = level->shapes.of(getLoadStorePointerOperand(&access));
    if (shape.isUniform() && isa<LoadInst>(access)) return Block{level->lanes, true};
    if (shape.isAffine() && shape.stride == bytes) return Block{level->lanes, false};
  }
  return std::nullopt;
}

const StridedGroup* LaneBlocks::largestGroup(const Instruction& access, unsigned lanes) const {
  for (const auto& level : reverse(levels_)) {
    const StridedGroup* group = level->lanes > lanes ? nullptr : level->groups.of(access);
    if (group && level->lanes * group->factor * group->elementBytes >= tuning::kSmallestPiece)
      return group;
  }
  return nullptr;
}

const StridedGroup* LaneBlocks::groupOf(const Instruction& access, unsigned lanes) const {
  const StridedGroup* group = largestGroup(access, lanes);
  // Some of its members may be together in larger blocks.
  const bool isWhole = group && all_of(group->members, [&](const StridedGroup::Member& member) {
                         return largestGroup(*member.access, lanes) == group;
                       });
  return isWhole ? group : nullptr;
}

}  // namespace weft::compiler
