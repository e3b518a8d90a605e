// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exec/slot.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "exec/fp_environment.h"
#include "weft/support/checked.h"

namespace weft::runtime {
namespace {

/// "file:line" of a barrier, as far as it is known.
std::string siteText(const compiler::KernelInfo& kernel, uint32_t barrier) {
  if (barrier >= kernel.barriers.size() || kernel.barriers[barrier].line == 0)
    return "an unknown line";
  const compiler::BarrierSite& site = kernel.barriers[barrier];
  const std::string line = std::to_string(site.line);
  return site.file.empty() ? "line " + line : site.file + ":" + line;
}

std::string groupText(const abi::Group& group) {
  return "(" + std::to_string(group.groupId[0]) + ", " + std::to_string(group.groupId[1]) + ", " +
         std::to_string(group.groupId[2]) + ")";
}

/// Moves the group along dimension `d`; it is smaller at ragged edges.
void placeGroup(abi::Group& group, const abi::Launch& launch, size_t d, uint64_t id) noexcept {
  const uint64_t begin = id * launch.enqueuedLocalSize[d];
  group.groupId[d] = id;
  group.localSize[d] = std::min(launch.enqueuedLocalSize[d], launch.globalSize[d] - begin);
  group.globalBase[d] = launch.globalOffset[d] + begin;
  group.boxEnd[d] = group.globalBase[d] + group.localSize[d];
}

/// Goes on to the group behind the box, in linear order among those of `slices`. Pre: there is one.
void advance(abi::Group& group, const abi::Launch& launch, const BoxSlices& slices,
             uint64_t taken) noexcept {
  size_t d = 0;
  for (; group.groupId[d] + taken == slices.endGroup[d]; taken = 1) {
    placeGroup(group, launch, d, slices.firstGroup[d]);
    ++d;
  }
  placeGroup(group, launch, d, group.groupId[d] + taken);
}

/// Extends the box over groups of one size, `most` of them if there are so many. How many it has.
uint64_t extend(abi::Group& group, const abi::Launch& launch, const BoxSlices& slices,
                uint64_t most) noexcept {
  const uint64_t whole =
      (launch.globalSize[0] + launch.globalOffset[0] - group.globalBase[0]) / group.localSize[0];
  const uint64_t taken = std::min({most, whole, slices.endGroup[0] - group.groupId[0]});
  group.boxEnd[0] = group.globalBase[0] + taken * group.localSize[0];
  return taken;
}

/// Work-items of a call.
uint64_t itemsOf(const abi::Group& group) noexcept {
  uint64_t items = 1;
  for (size_t d = 0; d < 3; ++d) items *= group.boxEnd[d] - group.globalBase[d];
  return items;
}

/// Of a run of units, as if they were all of the same size.
uint64_t itemsOf(const KernelLaunch& launch, const CodeBox& box, const BoxSlices& slices,
                 UnitRange units) noexcept {
  const bool isFlat = box.slicing.entryKind == EntryKind::Flat;
  return (units.last - units.first) *
         (isFlat ? slices.rowItems : launch.shape->range.itemsPerGroup());
}

/// Of the smallest call that is ever made, about.
uint64_t leastItemsOf(const KernelLaunch& launch, const CodeBox& box,
                      const BoxSlices& slices) noexcept {
  if (box.slicing.entryKind != EntryKind::Flat) return launch.shape->range.itemsPerGroup();
  const uint64_t row = std::min<uint64_t>(slices.rowItems, abi::kRowMultiple);
  if (slices.unitsPerPart < box.slicing.tilesFrom) return row;
  return std::min(row, box.slicing.tileColumns) *
         std::min({slices.unitsPerPart, box.slicing.tileRows, box.slicing.rowsTogether});
}

/// Whether one call is all that a run of units can be.
bool isOneCall(const CodeBox& box, const BoxSlices& slices, UnitRange units) noexcept {
  return units.last - units.first == 1 &&
         (box.slicing.entryKind != EntryKind::Flat || slices.rowItems <= abi::kRowMultiple);
}

/// Whether a call is one that the code was made for.
bool isAsAsked(const abi::Slicing& slicing, const abi::Group& group) noexcept {
  const size_t d = slicing.rowDimension;
  if (slicing.entryKind == EntryKind::Flat)
    return (group.boxEnd[d] - group.globalBase[d]) % slicing.rowMultiple == 0;
  return group.localSize[d] % slicing.rowMultiple == 0 &&
         (slicing.groupSize[0] == 0 ||
          std::equal(group.localSize, group.localSize + 3, slicing.groupSize.begin()));
}

}  // namespace

bool ExecSlot::runParts(const KernelLaunch& launch, size_t first, size_t last, Job& job) noexcept {
  const LaunchShape& shape = *launch.shape;
  const FpEnvironment environment(shape.kernel->denormsAreZero);
  job_ = &job;
  launch_ = &launch;
  abi_ = &launch.abi;
  abi::Launch own;
  if (launch.bindings.argumentStride != 0) {
    own = launch.abi;
    own.arguments = static_cast<const std::byte*>(launch.bindings.arguments) +
                    index_ * launch.bindings.argumentStride;
    abi_ = &own;
  }
  bool ran = true;
  for (size_t i = 0; i < shape.boxCount && ran; ++i) {
    const BoxSlices& slices = shape.slices[i];
    const size_t begin = std::max(first, slices.firstPart);
    const size_t end = std::min(last, slices.firstPart + slices.parts);
    if (begin >= end) continue;
    box_ = &shape.boxes[i];
    const UnitRange units = unitsOfParts(slices, begin - slices.firstPart, end - slices.firstPart);
    // Looked for before stacks are made: the code of a trial that comes in between has none.
    abi::CodeTrial* const trial = trialOf(madeCode(*box_));
    if (!takeCode())
      ran = false;
    else if (trial && !trial->isOver())
      ran = tryUnits(*trial, slices, units);
    else
      ran = runUnits(slices, units);
  }
  job_ = nullptr;
  abi_ = nullptr;
  return ran;
}

const abi::MachineCode& ExecSlot::madeCode(const CodeBox& box) noexcept {
  if (box.isProvisional)
    if (const abi::MachineCode* better = box.code->better.load(std::memory_order_acquire))
      return *better;
  return *box.code;
}

abi::CodeTrial* ExecSlot::trialOf(const abi::MachineCode& made) const noexcept {
  return made.trials[abi::rangeClassOf(launch_->shape->range.items())];
}

const abi::MachineCode& ExecSlot::newestCode(const CodeBox& box) const noexcept {
  const abi::MachineCode& made = madeCode(box);
  const abi::CodeTrial* const trial = trialOf(made);
  return trial != nullptr ? *trial->best() : made;
}

bool ExecSlot::runUnits(const BoxSlices& slices, UnitRange units) noexcept {
  return box_->slicing.entryKind == EntryKind::Flat ? runFlat(slices, units)
                                                    : runGroups(slices, units);
}

bool ExecSlot::tryUnits(abi::CodeTrial& trial, const BoxSlices& slices, UnitRange units) noexcept {
  turns_.begin(trial, leastItemsOf(*launch_, *box_, slices), isOneCall(*box_, slices, units));
  if (!turns_.isOn() && !turns_.measuresNext(trial)) return runUnits(slices, units);
  if (turns_.isOn()) trial_ = &trial;
  const CodeTurns::Watch watch;
  const bool ran = runUnits(slices, units);
  turns_.end(trial, watch.passed(), itemsOf(*launch_, *box_, slices, units));
  trial_ = nullptr;
  return ran;
}

bool ExecSlot::takeCode() noexcept {
  code_ = &newestCode(*box_);
  if (!needsStacks(*box_, *code_)) return true;
  const uint64_t stacks = stacksOf(launch_->shape->range, *box_, *code_);
  return (lanes_.prepare(stacks, code_->frameBytes) &&
          (subGroupSizeOf(*code_) == 0 || lanes_.prepareSubGroups(stacks))) ||
         reportResources(box_->slicing.entryKind == EntryKind::Fibers ? "stacks" : "stack",
                         code_->frameBytes);
}

uint64_t ExecSlot::stacksOf(const NDRange& range, const CodeBox& box,
                            const abi::MachineCode& code) noexcept {
  if (box.slicing.entryKind != EntryKind::Fibers) return 1;
  uint64_t size[3];
  // No group of a box is larger than this, whatever local size was asked for.
  for (size_t d = 0; d < 3; ++d) size[d] = std::min(range.localSize[d], box.end[d] - box.begin[d]);
  return LaneRunner::lanesOf(size, code.width);
}

bool ExecSlot::hasStacksFor(const LaunchShape& shape, const LaneLimits& limits) noexcept {
  return std::all_of(
      shape.boxes.begin(), shape.boxes.begin() + shape.boxCount, [&](const CodeBox& box) {
        return !needsStacks(box, *box.code) ||
               limits.allow(stacksOf(shape.range, box, *box.code), box.code->frameBytes);
      });
}

bool ExecSlot::enter(const abi::Group& group) noexcept {
  if (!isAsAsked(box_->slicing, group)) [[unlikely]]
    return reportSlicing();
  if (needsStacks(*box_, *code_)) [[unlikely]]
    return enterOnStacks(group);
  code_->groupEntry(&group);
  if (afterGroup_) [[unlikely]]
    releaseAfterGroup();
  return !std::exchange(gaveUp_, false);
}

bool ExecSlot::enterInTurn(const abi::Group& group) noexcept {
  if (!turns_.isOn()) return enter(group);
  const CodeTurns::Watch watch;
  const bool ran = enter(group);
  turns_.ran(itemsOf(group), watch.passed());
  return ran;
}

bool ExecSlot::enterOnStacks(const abi::Group& group) noexcept {
  const uint32_t mxcsr = kernelMxcsr(launch_->shape->kernel->denormsAreZero);
  if (box_->slicing.entryKind == EntryKind::Fibers) {
    const LaneRunner::GroupCode code{code_->itemEntry, code_->width, subGroupSizeOf(*code_)};
    const Divergence divergence = lanes_.run(code, group, mxcsr);
    if (afterGroup_) releaseAfterGroup();
    return divergence.kind == Divergence::Kind::None || reportDivergence(group, divergence);
  }
  lanes_.call(code_->groupEntry, group, mxcsr);
  if (afterGroup_) releaseAfterGroup();
  return !std::exchange(gaveUp_, false);
}

ExecSlot* ExecSlot::nested() noexcept {
  if (!nested_ && depth_ < kMostNested) {
    nested_.reset(new (std::nothrow) ExecSlot(index_, options_, limits_));
    if (nested_) {
      nested_->outer_ = this;
      nested_->depth_ = depth_ + 1;
    }
  }
  return nested_.get();
}

void ExecSlot::addAfterGroup(Child& child) noexcept {
  child.sibling = afterGroup_;
  afterGroup_ = &child;
}

void ExecSlot::releaseAfterGroup() noexcept {
  node()->family->groupEnded(std::exchange(afterGroup_, nullptr), children());
}

/// Lanes of one fiber need nobody to meet the others of their sub-group.
uint32_t ExecSlot::subGroupSizeOf(const abi::MachineCode& code) const noexcept {
  const bool meets = box_->slicing.entryKind == EntryKind::Fibers && code.width == 1 &&
                     launch_->shape->kernel->meetsInSubGroups;
  return meets ? launch_->shape->subGroupSize : 0;
}

bool ExecSlot::runFlat(const BoxSlices& slices, UnitRange units) noexcept {
  const NDRange& range = launch_->shape->range;
  abi::Group group{};
  group.launch = abi_;
  group.runner = this;
  std::copy_n(range.localSize.data(), 3, group.localSize);
  while (units.first < units.last) {
    const ItemBox box = takeBox(*box_, slices, units);
    for (size_t d = 0; d < 3; ++d) {
      group.globalBase[d] = range.globalOffset[d] + box.begin[d];
      group.boxEnd[d] = range.globalOffset[d] + box.end[d];
    }
    if (!runBox(group)) return false;
  }
  return true;
}

bool ExecSlot::runBox(abi::Group& group) noexcept {
  const abi::Group box = group;
  const abi::Slicing& slicing = box_->slicing;
  const auto [x, y, z] = abi::dimensionsFrom(slicing.rowDimension);
  const uint64_t rows = (box.boxEnd[y] - box.globalBase[y]) * (box.boxEnd[z] - box.globalBase[z]);
  const bool tiles = rows >= slicing.tilesFrom;
  const uint64_t columns = tiles ? slicing.tileColumns : abi::Slicing::kAny;
  const uint64_t height = tiles ? slicing.tileRows : abi::Slicing::kAny;
  const uint64_t planes = turns_.isOn() ? 1 : box.boxEnd[z] - box.globalBase[z];
  for (group.boxEnd[z] = box.globalBase[z]; group.boxEnd[z] < box.boxEnd[z];) {
    group.globalBase[z] = group.boxEnd[z];
    group.boxEnd[z] += planes;
    for (group.boxEnd[y] = box.globalBase[y]; group.boxEnd[y] < box.boxEnd[y];) {
      group.globalBase[y] = group.boxEnd[y];
      group.boxEnd[y] += std::min(tryRows(box, columns, height), box.boxEnd[y] - group.boxEnd[y]);
      if (!runBand(group, box, columns)) return false;
    }
  }
  return true;
}

/// Runs rows of a box, in calls of so many work-items of each row at most.
bool ExecSlot::runBand(abi::Group& group, const abi::Group& box, uint64_t columns) noexcept {
  const auto [x, y, z] = abi::dimensionsFrom(box_->slicing.rowDimension);
  const uint64_t rows = group.boxEnd[y] - group.globalBase[y];
  for (group.boxEnd[x] = box.globalBase[x]; group.boxEnd[x] < box.boxEnd[x];) {
    uint64_t most = columns;
    if (turns_.isOn()) [[unlikely]]
      most = std::min(most, alignUp(std::max<uint64_t>(turns_.mostItems() / rows, 1),
                                    uint64_t{abi::kRowMultiple}));
    group.globalBase[x] = group.boxEnd[x];
    group.boxEnd[x] += std::min(most, box.boxEnd[x] - group.boxEnd[x]);
    if (!followCode() || !enterInTurn(group)) return false;
  }
  return true;
}

/// Rows of the next calls, of a box of which calls should run so many columns and rows.
uint64_t ExecSlot::tryRows(const abi::Group& box, uint64_t columns, uint64_t rows) const noexcept {
  if (!turns_.isOn()) [[likely]]
    return rows;
  const size_t x = box_->slicing.rowDimension;
  const uint64_t row = std::min(columns, box.boxEnd[x] - box.globalBase[x]);
  const uint64_t most = std::clamp<uint64_t>(turns_.mostItems() / row, 1, rows);
  const uint64_t together = box_->slicing.rowsTogether;
  return most > together ? most - most % together : most;
}

uint64_t ExecSlot::mostGroupsPerCall() const noexcept {
  if (launch_->bindings.zeroLocal || awaitsCode()) return 1;
  const uint64_t most = box_->slicing.groupsPerCall;
  if (!turns_.isOn()) return most;
  return std::clamp<uint64_t>(turns_.mostItems() / launch_->shape->range.itemsPerGroup(), 1, most);
}

bool ExecSlot::runGroups(const BoxSlices& slices, UnitRange units) noexcept {
  const LaunchBindings& bindings = launch_->bindings;
  abi::Group group{};
  group.launch = abi_;
  group.runner = this;
  group.localMemory = arena_.block(bindings.localBytes);
  if (!group.localMemory) return reportResources("local memory", bindings.localBytes);
  group.localBytes = bindings.localBytes;
  if (box_->slicing.entryKind == EntryKind::Fibers) {
    const uint64_t items = launch_->shape->range.itemsPerGroup();
    if (!lanes_.provideCells(items)) return reportResources("cells", items * sizeof(uint64_t));
    group.collectiveCells = lanes_.collectiveCells();
    group.collectiveArrivals = lanes_.collectiveArrivals();
  }

  std::array<uint64_t, 3> size;
  for (size_t d = 0; d < 3; ++d) size[d] = slices.endGroup[d] - slices.firstGroup[d];
  const auto position = unitPosition(units.first, size);
  for (size_t d = 0; d < 3; ++d) placeGroup(group, *abi_, d, slices.firstGroup[d] + position[d]);
  for (uint64_t left = units.last - units.first;;) {
    if (bindings.zeroLocal) std::memset(group.localMemory, 0, bindings.localBytes);
    if (!followCode()) return false;
    const uint64_t most = std::min(left, mostGroupsPerCall());
    const uint64_t taken = most == 1 ? 1 : extend(group, *abi_, slices, most);
    if (!enterInTurn(group)) return false;
    left -= taken;
    if (left == 0) return true;
    advance(group, *abi_, slices, taken);
  }
}

bool ExecSlot::reportDivergence(const abi::Group& group, const Divergence& divergence) noexcept {
  const compiler::KernelInfo& kernel = *launch_->shape->kernel;
  try {
    std::string text = "kernel '" + kernel.name + "', work-group " + groupText(group) + ": ";
    if (divergence.kind == Divergence::Kind::DifferentBarriers)
      text += "work-items wait at different barriers, at " +
              siteText(kernel, divergence.firstBarrier) + " and at " +
              siteText(kernel, divergence.secondBarrier);
    else
      text += "work-items have ended while others wait at the barrier at " +
              siteText(kernel, divergence.firstBarrier);
    job_->failed(FailureKind::BarrierDivergence, text);
  } catch (...) {  // no memory for the details
    job_->failed(FailureKind::BarrierDivergence, "work-items wait at different barriers");
  }
  return false;
}

void ExecSlot::giveUp(const abi::Group& group, const Divergence& divergence) noexcept {
  gaveUp_ = !reportDivergence(group, divergence);
}

bool ExecSlot::reportSlicing() noexcept {
  try {
    job_->failed(FailureKind::WrongSlicing,
                 "kernel '" + launch_->shape->kernel->name +
                     "' was not run: its code is for rows or groups of another size");
  } catch (...) {
    job_->failed(FailureKind::WrongSlicing, "code is for rows or groups of another size");
  }
  return false;
}

bool ExecSlot::reportResources(const char* what, uint64_t bytes) noexcept {
  const LaunchShape& shape = *launch_->shape;
  try {
    job_->failed(FailureKind::OutOfResources, "kernel '" + shape.kernel->name + "': no " + what +
                                                  " of " + std::to_string(bytes) + " bytes for " +
                                                  std::to_string(shape.range.itemsPerGroup()) +
                                                  " work-items");
  } catch (...) {
    job_->failed(FailureKind::OutOfResources, "out of stacks or local memory");
  }
  return false;
}

}  // namespace weft::runtime
