// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code there can be of a kernel, and what is wrong with a plan: the other side of choose().
#include <array>
#include <cstdint>
#include <string>

#include "launch/key_rules.h"
#include "weft/compiler/launch_plan.h"

namespace weft::compiler {

using abi::Slicing;
using launch::entryKindOf;
using launch::exactSizeOf;
using launch::hasAnyRows;
using launch::hasProvenLoops;
using launch::hasSize;
using launch::kMaxWidth;
using launch::Sizes;

namespace {

bool isEmpty(const PlannedBox& box) noexcept {
  for (size_t d = 0; d < 3; ++d)
    if (box.begin[d] >= box.end[d]) return true;
  return false;
}

bool overlap(const PlannedBox& a, const PlannedBox& b) noexcept {
  for (size_t d = 0; d < 3; ++d)
    if (a.end[d] <= b.begin[d] || b.end[d] <= a.begin[d]) return false;
  return true;
}

/// Why the code of a box in the range cannot run it; empty when it can.
std::string flawOf(const PlannedBox& box, const NDRange& range) {
  const Slicing& slicing = box.slicing;
  const bool hasGroups = slicing.entryKind != abi::EntryKind::Flat;
  if (slicing.rowDimension > 2 || slicing.rowDimension != box.key.rowDimension)
    return "rows are along another dimension than the code's";
  const size_t along = slicing.rowDimension;
  const uint64_t rowItems = hasGroups ? range.localSize[along] : box.end[along] - box.begin[along];
  for (size_t d = 0; d < 3; ++d) {
    const uint64_t local = range.localSize[d];
    const bool isEdge = box.end[d] % local != 0;
    if (hasGroups && (box.begin[d] % local != 0 || (isEdge && box.end[d] != range.globalSize[d])))
      return "a box cuts groups in two";
    if (!hasSize(box.key)) continue;
    const uint64_t items = box.end[d] - box.begin[d];
    const bool isExact =
        box.key.localSize[d] == (isEdge ? items : local) && (!isEdge || items < local);
    const bool isMost = box.key.smallerGroups && box.key.localSize[d] == local;
    if (!isExact && !isMost) return "a box for groups of one size has others";
  }
  if (hasGroups && box.end[along] % rowItems != 0 && slicing.rowMultiple != 1)
    return "groups have short rows";
  if (slicing.groupSize != exactSizeOf(box.key))
    return "groups may be of other sizes than the code's";
  if (slicing.entryKind != entryKindOf(box.key.form)) return "code is entered in another way";
  if (box.key.wholeRows && slicing.rowMultiple != abi::kRowMultiple) return "rows may be cut";
  if (rowItems % slicing.rowMultiple != 0) return "rows are not multiples of what they should be";
  if (slicing.tileColumns % slicing.rowMultiple != 0 && slicing.tileColumns != Slicing::kAny)
    return "tiles cut rows";
  return {};
}

}  // namespace

bool isLegalForm(const KernelInfo& kernel, Form form, const Sizes& localSize) noexcept {
  switch (form) {
    case Form::Flat:
      return !kernel.usesBarrier && !kernel.observesGroup;
    case Form::GroupLoop:
      return !kernel.usesBarrier && (!kernel.meetsInSubGroups || kernel.subGroupLoops);
    case Form::Fibers:
      return true;
    case Form::BarrierLoops:
      if (kernel.meetsInSubGroups && !kernel.subGroupLoops) return false;
      return kernel.barrierLoopsOnTrial || hasProvenLoops(kernel, localSize);
  }
  return false;
}

/// Why there can be no code for `key` in which work-items meet in sub-groups.
static std::string objectionOfSubGroups(const KernelInfo& kernel, const VariantKey& key) {
  if (!kernel.meetsInSubGroups) return "";
  if (key.width != 1 && key.width != key.subGroupSize)
    return "the lanes of a kernel that meets in sub-groups are sub-groups, or there are none";
  if (key.form != Form::Fibers && key.width == 1)
    return "work-items that meet in sub-groups are lanes or fibers";
  const bool isRow = key.localSize[1] == 1 && key.localSize[2] == 1;
  if (key.smallerGroups && !isRow && key.localSize[0] % key.subGroupSize != 0)
    return "sub-groups that span rows need a local size";
  return "";
}

std::string objection(const KernelInfo& kernel, const VariantKey& key) {
  if (key.width > kMaxWidth || (key.width & (key.width - 1)) != 0)
    return "SIMD width " + std::to_string(key.width) + " is not supported";
  if (key.rowDimension > 2) return "there are three dimensions";
  if (key.rowDimension != 0 && (kernel.usesSubGroups || !hasAnyRows(kernel, key.form)))
    return "its rows are along the first dimension";
  if (key.smallerGroups && key.form != Form::BarrierLoops)
    return "only barrier loops are made for groups up to a size";
  if (key.divergent && (key.form != Form::BarrierLoops || key.width != 1))
    return "only work-items of barrier loops go by themselves, and one by one";
  if (std::string why = objectionOfSubGroups(kernel, key); !why.empty()) return why;
  const Sizes size{key.localSize[0], key.localSize[1], key.localSize[2]};
  const bool isLegal = isLegalForm(kernel, key.form, size);
  switch (key.form) {
    case Form::Flat:
      return isLegal ? "" : "a kernel that observes its work-group has no flat form";
    case Form::GroupLoop:
      return isLegal ? "" : "a kernel whose work-items wait for each other has no group-loop form";
    case Form::Fibers:
      return "";
    case Form::BarrierLoops:
      if (!isLegal) return "a kernel without group-uniform barriers has no loop form";
      return size[0] * size[1] * size[2] == 0 ? "the barrier-loop form needs a local size" : "";
  }
  return "unknown form";
}

std::string flawOf(const LaunchPlan& plan, const NDRange& range) {
  uint64_t items = 0;
  for (const PlannedBox& box : plan.boxes()) {
    if (isEmpty(box)) return "a box is empty";
    for (size_t d = 0; d < 3; ++d)
      if (box.end[d] > range.globalSize[d]) return "a box goes beyond the range";
    for (const PlannedBox& other : plan.boxes())
      if (&other != &box && overlap(box, other)) return "boxes overlap";
    uint64_t size = 1;
    for (size_t d = 0; d < 3; ++d) size *= box.end[d] - box.begin[d];
    items += size;
    if (std::string flaw = flawOf(box, range); !flaw.empty()) return flaw;
  }
  return items == range.items() ? "" : "work-items are left out";
}

}  // namespace weft::compiler
