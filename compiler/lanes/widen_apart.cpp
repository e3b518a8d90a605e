// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Widening of accesses to structures of which each lane has one in a place of its own.
#include "lanes/loop_widener.h"

namespace weft::compiler {

using namespace llvm;

/// Where the lanes have their structures; those of idle lanes mean nothing.
Value* LoopWidener::addressesIn(const StridedGroup& group) {
  Instruction& place = group.place();
  Value* addresses = partOf(getLoadStorePointerOperand(&place), 0);
  for (const StridedGroup::Member& member : group.members)
    if (member.access == &place && member.offset != 0)
      addresses = builder_.CreateGEP(
          builder_.getInt8Ty(), addresses,
          builder_.getInt64(-member.offset * static_cast<int64_t>(group.elementBytes)));
  return addresses;
}

void LoopWidener::emitLoadsApart(const StridedGroup& group, const LaneCells& cells) {
  Type* element = getLoadStoreType(&group.place())->getScalarType();
  const Align align = getLoadStoreAlignment(group.lowest().access);
  Value* addresses = addressesIn(group);
  Parts all;
  if (cells.isNumber() && plan_.target.isLegalMaskedGather(code_.vectorOf(cells.type), align)) {
    FixedVectorType* vector = code_.vectorOf(cells.type);
    Value* numbers = builder_.CreateMaskedGather(vector, addresses, align, mask_,
                                                 Constant::getNullValue(vector));
    all = fromNumbers(numbers, element, cells.perCell);
  } else {
    all = loadCells(cells, element, placesAt(addresses), align, [](Instruction&) {});
  }
  for (const StridedGroup::Member& member : group.members) {
    Type* type = member.access->getType()->getScalarType();
    Parts parts;
    for (unsigned i = 0; i < member.components; ++i)
      parts.push_back(builder_.CreateBitCast(all[static_cast<unsigned>(member.offset) + i],
                                             code_.vectorOf(type)));
    define(*member.access, parts);
  }
}

void LoopWidener::emitStoresApart(const StridedGroup& group, const LaneCells& cells) {
  Type* element = getLoadStoreType(&group.place())->getScalarType();
  const Align align = getLoadStoreAlignment(group.lowest().access);
  Parts all(group.extent, nullptr);
  for (const StridedGroup::Member& member : group.members) {
    Value* value = cast<StoreInst>(member.access)->getValueOperand();
    for (unsigned i = 0; i < member.components; ++i)
      all[static_cast<unsigned>(member.offset) + i] =
          builder_.CreateBitCast(partOf(value, i), code_.vectorOf(element));
  }
  Value* addresses = addressesIn(group);
  if (cells.isNumber() && plan_.target.isLegalMaskedScatter(code_.vectorOf(cells.type), align))
    builder_.CreateMaskedScatter(toNumbers(all, cells), addresses, align, mask_);
  else
    storeCells(all, cells, placesAt(addresses), align, [](Instruction&) {});
}

/// Whether the access is done, or will be, as part of a group.
bool LoopWidener::emitInGroupApart(Instruction& access) {
  const StridedGroup* group = plan_.groupsApart.of(access);
  if (!group) return false;
  Type* element = getLoadStoreType(&group->place())->getScalarType();
  const auto cells = cellsOfVector(FixedVectorType::get(element, group->extent));
  // As many as the members would be scalarised into, each by itself.
  if (!cells || !isScalarised(*cells, static_cast<unsigned>(group->members.size()))) return false;
  noteLaneByLane(access);
  if (&group->place() != &access) return true;
  if (group->isStore)
    emitStoresApart(*group, *cells);
  else
    emitLoadsApart(*group, *cells);
  return true;
}

}  // namespace weft::compiler
