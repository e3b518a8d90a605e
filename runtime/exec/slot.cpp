// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exec/slot.h"

#include <algorithm>
#include <cstring>

#include "exec/fp_environment.h"
#include "weft/support/checked.h"

namespace weft::runtime {
namespace {

/// "file:line" of a barrier, as far as it is known.
std::string siteText(const KernelLaunch& launch, uint32_t barrier) {
  if (barrier >= launch.barrierCount || launch.barriers[barrier].line == 0)
    return "an unknown line";
  const compiler::BarrierSite& site = launch.barriers[barrier];
  const std::string line = std::to_string(site.line);
  return site.file.empty() ? "line " + line : site.file + ":" + line;
}

std::string groupText(const abi::Group& group) {
  return "(" + std::to_string(group.groupId[0]) + ", " + std::to_string(group.groupId[1]) + ", " +
         std::to_string(group.groupId[2]) + ")";
}

/// Moves the group along dimension `d`; it is smaller at ragged edges.
void placeGroup(abi::Group& group, const abi::Launch& launch, int d, uint64_t id) noexcept {
  const uint64_t begin = id * launch.enqueuedLocalSize[d];
  group.groupId[d] = id;
  group.localSize[d] = std::min(launch.enqueuedLocalSize[d], launch.globalSize[d] - begin);
  group.globalBase[d] = launch.globalOffset[d] + begin;
  group.boxEnd[d] = group.globalBase[d] + group.localSize[d];
}

/// Goes on to the group behind the box, in linear order. Pre: there is one.
void advance(abi::Group& group, const abi::Launch& launch, uint64_t taken) noexcept {
  int d = 0;
  for (; group.groupId[d] + taken == launch.numGroups[d]; taken = 1)
    placeGroup(group, launch, d++, 0);
  placeGroup(group, launch, d, group.groupId[d] + taken);
}

/// Extends the box over groups of one size, `most` of them if there are so many. How many it has.
uint64_t extend(abi::Group& group, const abi::Launch& launch, uint64_t most) noexcept {
  const uint64_t left =
      (launch.globalSize[0] + launch.globalOffset[0] - group.globalBase[0]) / group.localSize[0];
  const uint64_t taken = std::min(most, left);
  group.boxEnd[0] = group.globalBase[0] + taken * group.localSize[0];
  return taken;
}

/// Whether a call is one that the code was made for.
bool isAsAsked(const abi::Slicing& slicing, const abi::Group& group) noexcept {
  if (slicing.entryKind == EntryKind::Flat)
    return (group.boxEnd[0] - group.globalBase[0]) % slicing.rowMultiple == 0;
  return group.localSize[0] % slicing.rowMultiple == 0 &&
         (!slicing.wholeGroups ||
          std::equal(group.localSize, group.localSize + 3, group.launch->enqueuedLocalSize));
}

}  // namespace

bool ExecSlot::runParts(const KernelLaunch& launch, size_t first, size_t last, Job& job) noexcept {
  const FpEnvironment environment(launch.flushDenormals);
  job_ = &job;
  const UnitRange units = unitsOfParts(launch, first, last);
  const bool ran =
      takeCode(launch) && (launch.slicing.entryKind == EntryKind::Flat ? runFlat(launch, units)
                                                                       : runGroups(launch, units));
  job_ = nullptr;
  return ran;
}

ExecSlot::Code ExecSlot::newestCode(const KernelLaunch& launch) noexcept {
  if (launch.provisional != nullptr)
    if (const abi::MachineCode* better = launch.provisional->better.load(std::memory_order_acquire))
      return {better->groupEntry, better->itemEntry, better->width, better->frameBytes};
  return {launch.groupEntry, launch.itemEntry, launch.width, launch.frameBytes};
}

bool ExecSlot::hasBetterCode(const KernelLaunch& launch) const noexcept {
  const Code newest = newestCode(launch);
  return newest.group != code_.group || newest.item != code_.item;
}

bool ExecSlot::takeCode(const KernelLaunch& launch) noexcept {
  code_ = newestCode(launch);
  if (!needsStacks(launch, code_.frameBytes)) return true;
  return lanes_.prepare(stacksOf(launch, code_.width), code_.frameBytes) ||
         reportResources(launch, launch.slicing.entryKind == EntryKind::Fibers ? "stacks" : "stack",
                         code_.frameBytes);
}

uint64_t ExecSlot::stacksOf(const KernelLaunch& launch, uint32_t width) noexcept {
  if (launch.slicing.entryKind != EntryKind::Fibers) return 1;
  uint64_t size[3];
  // No group of a range is larger than this, whatever local size was asked for.
  for (int d = 0; d < 3; ++d)
    size[d] = std::min(launch.range.localSize[d], launch.range.globalSize[d]);
  return LaneRunner::lanesOf(size, width);
}

bool ExecSlot::hasStacksFor(const KernelLaunch& launch, const LaneLimits& limits) noexcept {
  return !needsStacks(launch, launch.frameBytes) ||
         limits.allow(stacksOf(launch, launch.width), launch.frameBytes);
}

bool ExecSlot::enter(const KernelLaunch& launch, const abi::Group& group) noexcept {
  if (!isAsAsked(launch.slicing, group)) [[unlikely]]
    return reportSlicing(launch);
  if (needsStacks(launch, code_.frameBytes)) [[unlikely]]
    return enterOnStacks(launch, group);
  code_.group(&group);
  return true;
}

bool ExecSlot::enterOnStacks(const KernelLaunch& launch, const abi::Group& group) noexcept {
  if (launch.slicing.entryKind == EntryKind::Fibers) {
    const Divergence divergence =
        lanes_.run(code_.item, group, code_.width, kernelMxcsr(launch.flushDenormals));
    return divergence.kind == Divergence::Kind::None || reportDivergence(launch, group, divergence);
  }
  lanes_.call(code_.group, group, kernelMxcsr(launch.flushDenormals));
  return true;
}

bool ExecSlot::runFlat(const KernelLaunch& launch, UnitRange units) noexcept {
  abi::Group group{};
  group.launch = &launch.abi;
  group.runner = this;
  std::copy_n(launch.range.localSize.data(), 3, group.localSize);
  while (units.first < units.last) {
    const ItemBox box = takeBox(launch, units);
    for (int d = 0; d < 3; ++d) {
      group.globalBase[d] = launch.range.globalOffset[d] + box.begin[d];
      group.boxEnd[d] = launch.range.globalOffset[d] + box.end[d];
    }
    if (!runBox(launch, group)) return false;
  }
  return true;
}

bool ExecSlot::runBox(const KernelLaunch& launch, abi::Group& group) noexcept {
  const abi::Group box = group;
  const uint64_t rows = (box.boxEnd[1] - box.globalBase[1]) * (box.boxEnd[2] - box.globalBase[2]);
  const abi::Slicing& slicing = launch.slicing;
  const bool tiles = rows >= slicing.tilesFrom;
  const uint64_t columns = tiles ? slicing.tileColumns : abi::Slicing::kAny;
  const uint64_t height = tiles ? slicing.tileRows : abi::Slicing::kAny;
  for (int d = 1; d >= 0; --d) group.boxEnd[d] = group.globalBase[d];
  while (group.boxEnd[1] < box.boxEnd[1]) {
    group.globalBase[1] = group.boxEnd[1];
    group.boxEnd[1] += std::min(height, box.boxEnd[1] - group.globalBase[1]);
    group.boxEnd[0] = box.globalBase[0];
    while (group.boxEnd[0] < box.boxEnd[0]) {
      group.globalBase[0] = group.boxEnd[0];
      group.boxEnd[0] += std::min(columns, box.boxEnd[0] - group.globalBase[0]);
      if (!followCode(launch) || !enter(launch, group)) return false;
    }
  }
  return true;
}

bool ExecSlot::runGroups(const KernelLaunch& launch, UnitRange units) noexcept {
  abi::Group group{};
  group.launch = &launch.abi;
  group.runner = this;
  group.localMemory = arena_.block(launch.localBytes);
  if (!group.localMemory) return reportResources(launch, "local memory", launch.localBytes);
  group.localBytes = launch.localBytes;

  const auto position = unitPosition(units.first, launch.abi.numGroups);
  for (int d = 0; d < 3; ++d) placeGroup(group, launch.abi, d, position[d]);
  const uint64_t most = launch.zeroLocal ? 1 : launch.slicing.groupsPerCall;
  for (uint64_t left = units.last - units.first;;) {
    if (launch.zeroLocal) std::memset(group.localMemory, 0, launch.localBytes);
    if (!followCode(launch)) return false;
    const uint64_t taken =
        most == 1 || awaitsCode(launch) ? 1 : extend(group, launch.abi, std::min(most, left));
    if (!enter(launch, group)) return false;
    left -= taken;
    if (left == 0) return true;
    advance(group, launch.abi, taken);
  }
}

bool ExecSlot::reportDivergence(const KernelLaunch& launch, const abi::Group& group,
                                const Divergence& divergence) noexcept {
  try {
    std::string text =
        std::string("kernel '") + launch.kernelName + "', work-group " + groupText(group) + ": ";
    if (divergence.kind == Divergence::Kind::DifferentBarriers)
      text += "work-items wait at different barriers, at " +
              siteText(launch, divergence.firstBarrier) + " and at " +
              siteText(launch, divergence.secondBarrier);
    else
      text += "work-items have ended while others wait at the barrier at " +
              siteText(launch, divergence.firstBarrier);
    job_->failed(FailureKind::BarrierDivergence, text);
  } catch (...) {  // no memory for the details
    job_->failed(FailureKind::BarrierDivergence, "work-items wait at different barriers");
  }
  return false;
}

bool ExecSlot::reportSlicing(const KernelLaunch& launch) noexcept {
  try {
    job_->failed(FailureKind::WrongSlicing,
                 std::string("kernel '") + launch.kernelName +
                     "' was not run: its code is for rows or groups of another size");
  } catch (...) {
    job_->failed(FailureKind::WrongSlicing, "code is for rows or groups of another size");
  }
  return false;
}

bool ExecSlot::reportResources(const KernelLaunch& launch, const char* what,
                               uint64_t bytes) noexcept {
  try {
    job_->failed(FailureKind::OutOfResources,
                 std::string("kernel '") + launch.kernelName + "': no " + what + " of " +
                     std::to_string(bytes) + " bytes for " +
                     std::to_string(launch.range.itemsPerGroup()) + " work-items");
  } catch (...) {
    job_->failed(FailureKind::OutOfResources, "out of stacks or local memory");
  }
  return false;
}

}  // namespace weft::runtime
