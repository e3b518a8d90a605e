// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exec/slices.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

#include "exec/units.h"
#include "weft/support/checked.h"

namespace weft::runtime {
namespace {

using Sizes = std::array<uint64_t, 3>;

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

void fillAbi(LaunchShape& shape) noexcept {
  abi::Launch& abi = shape.abi;
  const NDRange& range = shape.range;
  abi.workDim = range.dimensions;
  abi.subGroupSize = shape.subGroupSize;
  for (uint32_t d = 0; d < 3; ++d) {
    abi.globalSize[d] = range.globalSize[d];
    abi.globalOffset[d] = range.globalOffset[d];
    abi.enqueuedLocalSize[d] = range.localSize[d];
    abi.numGroups[d] = range.groups(d);
  }
}

/// A ragged last group counts.
uint64_t groupsIn(uint64_t items, uint64_t localSize) noexcept {
  return items / localSize + (items % localSize != 0 ? 1 : 0);
}

void sliceRows(const CodeBox& box, BoxSlices& slices, uint64_t parts) noexcept {
  const Sizes size = sizeAlongRows(box);
  const uint64_t rows = size[1] * size[2];
  slices.rowItems = size[0];
  slices.units = rows;
  if (rows < parts) {
    // Two segments at least, so that rounding up cannot overflow.
    const uint64_t segments = divideUp(parts, rows);
    slices.rowItems = divideUp(size[0], segments);
    // Cut at multiples of the widest lane group where there are so many.
    const uint64_t multiple =
        slices.rowItems > abi::kRowMultiple ? abi::kRowMultiple : box.slicing.rowMultiple;
    slices.rowItems = alignUp(slices.rowItems, multiple);
    slices.units = rows * divideUp(size[0], slices.rowItems);
  }
}

void sliceBox(const CodeBox& box, BoxSlices& slices, const NDRange& range,
              unsigned slots) noexcept {
  const bool flat = box.slicing.entryKind == EntryKind::Flat;
  const Sizes size = sizeAlongRows(box);
  const uint64_t wanted = desiredParts(size[0] * size[1] * size[2], slots, flat);
  if (flat) {
    sliceRows(box, slices, wanted);
  } else {
    slices.rowItems = 0;
    slices.units = 1;
    for (size_t d = 0; d < 3; ++d) {
      slices.firstGroup[d] = box.begin[d] / range.localSize[d];
      slices.endGroup[d] = groupsIn(box.end[d], range.localSize[d]);
      slices.units *= slices.endGroup[d] - slices.firstGroup[d];
    }
  }
  slices.unitsPerPart = divideUp(slices.units, std::min(wanted, slices.units));
  // Rather more parts than such as begin within lines that others write, too.
  if (flat && slices.rowItems == size[0])
    slices.unitsPerPart -= slices.unitsPerPart %
                           std::min(std::bit_floor(slices.unitsPerPart), box.slicing.rowsTogether);
  slices.parts = static_cast<size_t>(divideUp(slices.units, slices.unitsPerPart));
}

}  // namespace

void sliceLaunch(LaunchShape& shape, unsigned slots) noexcept {
  assert(slots > 0 && shape.boxCount > 0 && shape.range.items() > 0);
  fillAbi(shape);
  shape.parts = 0;
  for (size_t i = 0; i < shape.boxCount; ++i) {
    BoxSlices& slices = shape.slices[i];
    sliceBox(shape.boxes[i], slices, shape.range, slots);
    // What is one part may run at the end of another, unless that is a single unit.
    const bool joins =
        i != 0 && slices.parts == 1 && (slots == 1 || shape.slices[i - 1].unitsPerPart > 1);
    slices.firstPart = joins ? shape.parts - 1 : shape.parts;
    shape.parts = slices.firstPart + slices.parts;
  }
}

}  // namespace weft::runtime
