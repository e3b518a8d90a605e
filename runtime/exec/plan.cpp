// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exec/plan.h"

#include <algorithm>
#include <cassert>

#include "weft/support/checked.h"

namespace weft::runtime {
namespace {

// Sixteen parts for each slot balance a kernel whose work-items cost about the same; up to 32 when
// the range is large enough that the cost of taking a part, some tens of nanoseconds, vanishes.
constexpr uint64_t kMinPartsPerSlot = 16;
constexpr uint64_t kMaxPartsPerSlot = 32;
constexpr uint64_t kItemsPerPart = 4096;  ///< aimed at where there are enough work-items
constexpr uint64_t kMinFlatItems = 128;   ///< of a part, once every slot has one

uint64_t desiredParts(uint64_t items, unsigned slots, bool flat) noexcept {
  if (slots == 1) return 1 + std::min<uint64_t>(items / kItemsPerPart, kMaxPartsPerSlot - 1);
  // Work-items of the flat form may be next to nothing, or all that a program gives each CPU.
  const uint64_t least =
      flat ? std::clamp<uint64_t>(items / kMinFlatItems, slots, kMinPartsPerSlot * slots)
           : kMinPartsPerSlot * slots;
  return std::clamp(items / kItemsPerPart, least, kMaxPartsPerSlot * slots);
}

void fillAbi(KernelLaunch& launch) noexcept {
  abi::Launch& abi = launch.abi;
  const NDRange& range = launch.range;
  abi.workDim = range.dimensions;
  abi.subGroupSize = launch.subGroupSize;
  for (uint32_t d = 0; d < 3; ++d) {
    abi.globalSize[d] = range.globalSize[d];
    abi.globalOffset[d] = range.globalOffset[d];
    abi.enqueuedLocalSize[d] = range.localSize[d];
    abi.numGroups[d] = range.groups(d);
  }
  abi.arguments = launch.arguments;
  abi.programScope = launch.programScope;
  abi.command = nullptr;
}

void planRows(KernelLaunch& launch, uint64_t parts) noexcept {
  const auto& size = launch.range.globalSize;
  const uint64_t rows = size[1] * size[2];
  launch.rowItems = size[0];
  launch.units = rows;
  if (rows < parts) {
    // Two segments at least, so that rounding up cannot overflow.
    const uint64_t segments = divideUp(parts, rows);
    launch.rowItems = divideUp(size[0], segments);
    // Cut at multiples of the widest lane group where there are so many.
    const uint64_t multiple =
        launch.rowItems > abi::kRowMultiple ? abi::kRowMultiple : launch.slicing.rowMultiple;
    launch.rowItems = alignUp(launch.rowItems, multiple);
    launch.units = rows * divideUp(size[0], launch.rowItems);
  }
}

}  // namespace

void planLaunch(KernelLaunch& launch, unsigned slots) noexcept {
  assert(slots > 0 && launch.range.items() > 0);
  fillAbi(launch);
  const bool flat = launch.slicing.entryKind == EntryKind::Flat;
  const uint64_t wanted = desiredParts(launch.range.items(), slots, flat);
  if (flat) {
    planRows(launch, wanted);
  } else {
    launch.rowItems = 0;
    launch.units = launch.range.groups();
  }
  launch.unitsPerPart = divideUp(launch.units, std::min(wanted, launch.units));
  launch.parts = static_cast<size_t>(divideUp(launch.units, launch.unitsPerPart));
}

UnitRange unitsOfParts(const KernelLaunch& launch, size_t first, size_t last) noexcept {
  assert(first < last && last <= launch.parts);
  return {first * launch.unitsPerPart,
          last == launch.parts ? launch.units : last * launch.unitsPerPart};
}

std::array<uint64_t, 3> unitPosition(uint64_t unit, const uint64_t (&size)[3]) noexcept {
  const uint64_t row = unit / size[0];
  return {unit % size[0], row % size[1], row / size[1]};
}

ItemBox takeBox(const KernelLaunch& launch, UnitRange& units) noexcept {
  assert(units.first < units.last);
  const auto& size = launch.range.globalSize;
  if (units.last - units.first == launch.units) {
    units.first = units.last;
    return {{}, size};
  }
  const uint64_t segments = divideUp(size[0], launch.rowItems);
  const uint64_t left = units.last - units.first;
  const auto [x, y, z] = unitPosition(units.first, {segments, size[1], size[2]});
  ItemBox box;
  box.begin = {x * launch.rowItems, y, z};
  const auto endOfSegments = [&](uint64_t last) {
    return last == segments ? size[0] : last * launch.rowItems;
  };
  if (x != 0 || left < segments) {  // within one row
    const uint64_t taken = std::min(left, segments - x);
    box.end = {endOfSegments(x + taken), y + 1, z + 1};
    units.first += taken;
  } else if (y != 0 || left / segments < size[1]) {  // whole rows within one plane
    const uint64_t taken = std::min(left / segments, size[1] - y);
    box.end = {size[0], y + taken, z + 1};
    units.first += taken * segments;
  } else {  // whole planes
    const uint64_t taken = left / segments / size[1];
    box.end = {size[0], size[1], z + taken};
    units.first += taken * segments * size[1];
  }
  return box;
}

}  // namespace weft::runtime
