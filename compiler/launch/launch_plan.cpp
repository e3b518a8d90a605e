// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft/compiler/launch_plan.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "base/tuning.h"
#include "launch/key_rules.h"
#include "weft/abi/image.h"
#include "weft/compiler/check_launch.h"

namespace weft::compiler {
namespace {

using abi::EntryKind;
using abi::Slicing;
using launch::entryKindOf;
using launch::exactSizeOf;
using launch::hasAnyRows;
using launch::hasProvenLoops;
using launch::kMaxWidth;
using launch::Sizes;

static_assert(tuning::kTileItems % abi::kRowMultiple == 0, "whole rows would be cut");

/// Vectorised code does its arithmetic on ids as if they never wrap in 32 bits: neither those of
/// idle lanes nor the sums of an id and a local one, which it does not always tell from ids.
bool suitsVectors(const NDRange& range) noexcept {
  constexpr uint64_t kMost = (uint64_t{1} << 31) - kMaxWidth;
  if (range.itemsPerGroup() > kMost) return false;
  const uint64_t most = kMost - range.itemsPerGroup();
  for (uint32_t d = 0; d < 3; ++d)
    if (range.globalSize[d] > most || range.globalOffset[d] > most - range.globalSize[d])
      return false;
  return true;
}

bool hasWholeGroups(const NDRange& range) noexcept {
  for (uint32_t d = 0; d < 3; ++d)
    if (range.globalSize[d] % range.localSize[d] != 0) return false;
  return true;
}

bool keepsLittle(const KernelInfo& kernel, const NDRange& range) noexcept {
  return kernel.contextBytes == 0 ||
         range.itemsPerGroup() <= tuning::kContextBytes / kernel.contextBytes;
}

uint16_t classOfImage(const std::byte* place) noexcept {
  const abi::Image* image = nullptr;
  std::memcpy(&image, place, sizeof image);
  return image != nullptr ? static_cast<uint16_t>(image->format) : 0;
}

/// Those that choose among levels are few.
uint16_t classOfSampler(const std::byte* place) noexcept {
  uint64_t sampler = 0;
  std::memcpy(&sampler, place, sizeof sampler);
  return sampler <= abi::kSamplerModes ? static_cast<uint16_t>(sampler + 1) : 0;
}

/// Chooses for one box, in the order in which one decision follows from the others.
class BoxChoice {
 public:
  BoxChoice(const KernelInfo& kernel, const LaunchFacts& facts, const Overrides& overrides) noexcept
      : kernel_(kernel),
        facts_(facts),
        range_(facts.range),
        overrides_(overrides),
        areWhole_(hasWholeGroups(facts.range)) {}

  PlannedBox run() noexcept {
    VariantKey& key = box_.key;
    key.subGroupSize = kernel_.subGroupSize != 0 ? kernel_.subGroupSize : facts_.subGroupSize;
    key.form = form();
    key.divergent = key.form == Form::BarrierLoops && overrides_.divergent;
    key.width = width();
    key.rowDimension = rowDimension();
    if (wantsFixedSize())
      for (size_t d = 0; d < key.localSize.size(); ++d)
        key.localSize[d] = static_cast<uint32_t>(range_.localSize[d]);
    sliceInTiles();
    key.wholeRows = wantsWholeRows();
    key.smallerGroups = key.form == Form::BarrierLoops && !areWhole_;
    key.exactIndices = key.width != 1 && hasExactIndices();
    key.separateBuffers = key.width != 1 && facts_.separateBuffers && !overrides_.anyBuffers &&
                          asksForSeparateBuffers(kernel_);
    if (!overrides_.anyImages) key.images = facts_.images;
    if (!kernel_.reductions.empty() && !overrides_.sharedReductions)
      key.reductions = facts_.reductions;
    Slicing& slicing = box_.slicing;
    slicing.entryKind = entryKindOf(key.form);
    slicing.rowDimension = key.rowDimension;
    slicing.groupSize = exactSizeOf(key);
    slicing.rowMultiple = key.wholeRows ? abi::kRowMultiple : 1;
    slicing.groupsPerCall = slicing.entryKind == EntryKind::Group ? Slicing::kAny : 1;
    box_.end = range_.globalSize;
    return box_;
  }

 private:
  bool isLegal(Form form) const noexcept {
    // Work-items that go on by themselves do not tell of those that have ended.
    if (form == Form::BarrierLoops && (overrides_.provenLoops || overrides_.strictBarriers) &&
        !hasProvenLoops(kernel_, range_.localSize))
      return false;
    return isLegalForm(kernel_, form, range_.localSize) &&
           (!kernel_.meetsInSubGroups || form == Form::Fibers || hasSubGroupLoops(form));
  }

  Form form() const noexcept {
    if (overrides_.form && isLegal(*overrides_.form)) return *overrides_.form;
    if (kernel_.usesBarrier)
      return isLegal(Form::BarrierLoops) && keepsLittle(kernel_, range_) ? Form::BarrierLoops
                                                                         : Form::Fibers;
    if (kernel_.meetsInSubGroups) return isLegal(Form::GroupLoop) ? Form::GroupLoop : Form::Fibers;
    if (goesInLockstep()) return Form::BarrierLoops;
    // Of two right forms for a kernel without a barrier, the group loop is the nearest to anything
    // that could be asked for.
    return kernel_.observesGroup || overrides_.form || runsRowsAtOnce() ? Form::GroupLoop
                                                                        : Form::Flat;
  }

  /// Whether groups have rows that share what they read, as long as they go through their loops
  /// together.
  bool goesInLockstep() const noexcept {
    return kernel_.lockstepLoops && kernel_.observesGroup && areWhole_ && !overrides_.form &&
           overrides_.fixedSize.value_or(true) && keepsLittle(kernel_, range_) &&
           (kernel_.rowDimension == 0 ||
            range_.localSize[kernel_.rowDimension] >= tuning::kShortRow) &&
           range_.localSize[kernel_.rowDimension] < range_.itemsPerGroup();
  }

  /// Whether groups have rows that can be run at once where they share what they read, as code for
  /// their size does.
  bool runsRowsAtOnce() const noexcept {
    return kernel_.rowDimension == 0 && !kernel_.usesBarrier && areWhole_ &&
           overrides_.width != 1 && overrides_.fixedSize.value_or(true) &&
           range_.localSize[0] >= tuning::kShortRow &&
           range_.localSize[0] >= kernel_.sharedRow / tuning::kSharedRowRegisters &&
           range_.localSize[0] <= kernel_.sharedRow &&
           std::has_single_bit(range_.localSize[0]) &&  // no lanes are left over
           range_.localSize[1] * range_.localSize[2] > 1;
  }

  /// Of kernels that ask for nothing all launches have the same code.
  bool hasExactIndices() const noexcept {
    return kernel_.exactIndices.steps.empty() || (facts_.exactIndices && !overrides_.plainIndices);
  }

  uint32_t width() const noexcept {
    if (!suitsVectors(range_) || box_.key.divergent) return 1;
    if (kernel_.meetsInSubGroups && box_.key.form != Form::Fibers) return subGroupSize();
    if (kernel_.meetsInSubGroups)
      return overrides_.width != 1 && hasSubGroupRows() ? subGroupSize() : 1;
    // A fiber has lanes of one row.
    if (box_.key.form == Form::Fibers && (overrides_.strictBarriers || range_.localSize[0] == 1))
      return 1;
    return std::bit_floor(std::min(overrides_.width, kMaxWidth));
  }

  /// Sub-groups are consecutive along dimension 0, and so are the work-items of a fiber's lanes;
  /// what barrier loops keep for each work-item is.
  uint32_t rowDimension() const noexcept {
    const Form form = box_.key.form;
    const bool isFlat = form == Form::Flat;
    if (!hasAnyRows(kernel_, form) || kernel_.usesSubGroups) return 0;
    const Sizes& items = isFlat ? range_.globalSize : range_.localSize;
    if (const auto forced = overrides_.rowDimension)
      return *forced < 3 && items[*forced] > 1 ? *forced : 0;
    if (items[kernel_.rowDimension] >= tuning::kShortRow) return kernel_.rowDimension;
    if (!isFlat || items[0] >= tuning::kShortRow) return 0;
    const auto longest = std::ranges::max_element(items);
    return *longest < tuning::kLongRow ? 0 : static_cast<uint32_t>(longest - items.begin());
  }

  /// Work-items in a row of the range, or of its groups.
  uint64_t rowItems(const Sizes& items) const noexcept { return items[box_.key.rowDimension]; }

  uint32_t subGroupSize() const noexcept { return box_.key.subGroupSize; }

  /// Whether the lane groups of rows are sub-groups, at the edges of the range too.
  bool hasSubGroupRows() const noexcept {
    const Sizes& local = range_.localSize;
    return (local[1] == 1 && local[2] == 1) ||
           (local[0] % subGroupSize() == 0 && range_.globalSize[0] % subGroupSize() == 0);
  }

  /// Whether the lane groups of loops are sub-groups. Rows of sizes that stand in the code can be
  /// run as one.
  bool hasSubGroupLoops(Form form) const noexcept {
    if (overrides_.width == 1 || subGroupSize() == 1 || !suitsVectors(range_)) return false;
    const bool canFixSize = form == Form::BarrierLoops || overrides_.fixedSize.value_or(true);
    return hasSubGroupRows() || (areWhole_ && canFixSize);
  }

  bool wantsFixedSize() const noexcept {
    const Form form = box_.key.form;
    if (form == Form::BarrierLoops) return true;
    if (form == Form::Flat || !areWhole_) return false;
    if (runsRowsAtOnce()) return true;
    const bool isLoopOfSubGroups = kernel_.meetsInSubGroups && form == Form::GroupLoop;
    if (isLoopOfSubGroups && !hasSubGroupRows()) return true;
    // Rows that are shorter than the widest lane group would leave lanes idle in all of them.
    return overrides_.fixedSize.value_or((box_.key.width == 0 || isLoopOfSubGroups) &&
                                         rowItems(range_.localSize) < kMaxWidth);
  }

  /// Several rows may be run in tiles: what neighbours in a column share is still in the cache
  /// then.
  void sliceInTiles() noexcept {
    const uint32_t along = box_.key.rowDimension;
    if (box_.key.form != Form::Flat || kernel_.rowOrder == RowOrder::Rows ||
        along != kernel_.rowDimension)
      return;
    Slicing& slicing = box_.slicing;
    slicing.tilesFrom = tuning::kTiledRows;
    slicing.tileColumns = tuning::kTileItems;
    slicing.rowsTogether = tuning::kRowsOfLine;
    // An item that goes down a column of a matrix by one id goes along its rows by the next.
    const uint64_t across = range_.globalSize[abi::dimensionsFrom(along)[1]];
    if (kernel_.rowOrder != RowOrder::Columns || across % tuning::kCollidingItems != 0) return;
    slicing.tilesFrom = 2;
    slicing.tileColumns = tuning::kNarrowItems;
    slicing.tileRows = tuning::kNarrowRows;
  }

  /// Whether code for whole rows can run the range, and leaves work for every slot.
  bool wantsWholeRows() const noexcept {
    if (box_.key.width == 1 || !overrides_.wholeRows.value_or(true)) return false;
    switch (box_.key.form) {
      case Form::GroupLoop:
      case Form::Fibers:
        return rowItems(range_.localSize) % abi::kRowMultiple == 0 &&
               rowItems(range_.globalSize) % rowItems(range_.localSize) == 0;
      case Form::Flat:
        return rowItems(range_.globalSize) % abi::kRowMultiple == 0 &&
               box_.slicing.tileColumns >= abi::kRowMultiple &&
               (overrides_.wholeRows || range_.items() / abi::kRowMultiple >= facts_.slots);
      case Form::BarrierLoops:
        break;  // its size stands in the code
    }
    return false;
  }

  const KernelInfo& kernel_;
  const LaunchFacts& facts_;
  const NDRange& range_;
  const Overrides& overrides_;
  const bool areWhole_;
  PlannedBox box_;
};

/// The whole groups of a range: all of it but for its edges.
NDRange withoutEdges(NDRange range) noexcept {
  for (uint32_t d = 0; d < 3; ++d) range.globalSize[d] -= range.globalSize[d] % range.localSize[d];
  return range;
}

/// Dimensions along which a box is at the end of a ragged range, a bit for each.
using EdgeSet = unsigned;

bool has(EdgeSet edges, size_t dimension) noexcept { return ((edges >> dimension) & 1) != 0; }

EdgeSet edgesOf(const NDRange& range, const Sizes& whole) noexcept {
  EdgeSet edges = 0;
  for (size_t d = 0; d < 3; ++d)
    if (whole[d] != range.globalSize[d]) edges |= 1u << d;
  return edges;
}

/// The groups that are smaller along `edges` and along no others.
PlannedBox boxAt(EdgeSet edges, const NDRange& range, const Sizes& whole,
                 const PlannedBox& code) noexcept {
  PlannedBox box = code;
  for (size_t d = 0; d < 3; ++d) {
    box.begin[d] = has(edges, d) ? whole[d] : 0;
    box.end[d] = has(edges, d) ? range.globalSize[d] : whole[d];
  }
  return box;
}

/// The groups of an edge are all of one size: they may have the form of the others, in a variant of
/// their own.
void fixEdge(PlannedBox& edge, const PlannedBox& most, size_t dimension) noexcept {
  edge.key = most.key;
  edge.key.localSize[dimension] =
      static_cast<uint32_t>(edge.end[dimension] - edge.begin[dimension]);
  edge.slicing = most.slicing;
  edge.slicing.groupSize = exactSizeOf(edge.key);
}

/// Whether the edges are so many of a range's groups that each of them had better have a variant:
/// code for groups up to a size may take ten times as long.
bool areMany(const NDRange& range, const Sizes& whole) noexcept {
  uint64_t wholeGroups = 1;
  for (size_t d = 0; d < 3; ++d) wholeGroups *= whole[d] / range.localSize[d];
  return range.groups() - wholeGroups > range.groups() / tuning::kFewEdges;
}

/// One box at the end of each ragged dimension, with groups of several sizes.
void addSlabs(LaunchPlan& plan, EdgeSet edges, const NDRange& range, const Sizes& whole,
              const PlannedBox& all) noexcept {
  for (size_t d = 0; d < 3; ++d) {
    if (!has(edges, d)) continue;
    PlannedBox slab = all;
    slab.begin[d] = whole[d];
    for (size_t before = 0; before < d; ++before) slab.end[before] = whole[before];
    assert(slab.end[d] == range.globalSize[d]);
    plan.add(slab);
  }
}

/// A box for each of up to seven sizes that groups have beside the whole ones. Those at the end of
/// one dimension have variants of their own; few groups are at the ends of several.
void addExactEdges(LaunchPlan& plan, EdgeSet edges, const NDRange& range, const Sizes& whole,
                   const PlannedBox& most, const PlannedBox& all) noexcept {
  for (EdgeSet some = 1; some < 8; ++some) {
    if ((some & ~edges) != 0) continue;
    PlannedBox box = boxAt(some, range, whole, all);
    if (std::has_single_bit(some)) fixEdge(box, most, static_cast<size_t>(std::countr_zero(some)));
    plan.add(box);
  }
}

/// Where there are edges, what suits them suits all groups. If more suits the others, the edges are
/// boxes of their own.
LaunchPlan planOf(const KernelInfo& kernel, const LaunchFacts& facts,
                  const Overrides& overrides) noexcept {
  LaunchPlan plan;
  PlannedBox all = BoxChoice(kernel, facts, overrides).run();
  LaunchFacts inner = facts;
  inner.range = withoutEdges(facts.range);
  const Sizes& whole = inner.range.globalSize;
  if (all.key.form == Form::Flat || whole == facts.range.globalSize || inner.range.items() == 0) {
    plan.add(all);
    return plan;
  }
  const PlannedBox most = BoxChoice(kernel, inner, overrides).run();
  if (most.key == all.key && most.slicing == all.slicing) {
    plan.add(all);
    return plan;
  }
  plan.add(most);
  const EdgeSet edges = edgesOf(facts.range, whole);
  if (most.key.form == Form::BarrierLoops && overrides.fixedSize.value_or(true) &&
      (std::has_single_bit(edges) || areMany(facts.range, whole)))
    addExactEdges(plan, edges, facts.range, whole, most, all);
  else
    addSlabs(plan, edges, facts.range, whole, all);
  return plan;
}

}  // namespace

bool hasExactIndices(const KernelInfo& kernel, const NDRange& range,
                     const void* arguments) noexcept {
  return kernel.exactIndices.steps.empty() || range.items() == 0 ||
         (arguments && holds(kernel.exactIndices, range, arguments));
}

bool asksForSeparateBuffers(const KernelInfo& kernel) noexcept {
  return std::ranges::count(kernel.arguments, ArgumentKind::GlobalPointer, &ArgumentInfo::kind) > 1;
}

ReductionElements elementsToReduceInto(const KernelInfo& kernel, double instructions,
                                       uint64_t bytes, unsigned slots) noexcept {
  const auto elements = static_cast<double>(bytes / sizeof(uint32_t)) * slots;
  if (bytes > tuning::kMostReductionBytes ||
      elements * tuning::kInstructionsPerCopiedElement > instructions)
    return ReductionElements::Shared;
  const bool settled = std::ranges::any_of(kernel.reductions, settles, &Reduction::operation) &&
                       elements * tuning::kInstructionsPerSettledElement <= instructions;
  return settled ? ReductionElements::OwnSettled : ReductionElements::Own;
}

ImageClasses imageClassesOf(const KernelInfo& kernel, const void* arguments) noexcept {
  ImageClasses classes{};
  const size_t count = std::min(kernel.imageArguments.size(), classes.size());
  for (size_t i = 0; i < count; ++i) {
    const ArgumentInfo& argument = kernel.arguments[kernel.imageArguments[i]];
    const std::byte* place = static_cast<const std::byte*>(arguments) + argument.offset;
    if (argument.kind == ArgumentKind::Sampler)
      classes[i] = classOfSampler(place);
    else
      classes[i] = classOfImage(place);
  }
  return classes;
}

bool LaunchPlan::hasCodeOf(const LaunchPlan& other) const noexcept {
  return std::ranges::equal(boxes(), other.boxes(), {}, &PlannedBox::key, &PlannedBox::key);
}

LaunchPlan choose(const KernelInfo& kernel, const LaunchFacts& facts,
                  const Overrides& overrides) noexcept {
  const LaunchPlan plan = planOf(kernel, facts, overrides);
  assert(flawOf(plan, facts.range).empty());
  return plan;
}

}  // namespace weft::compiler
