// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/kernel_provider.h"

#include <algorithm>
#include <bit>
#include <string>

#include "config/config.h"
#include "platform/limits.h"
#include "platform/platform.h"
#include "program/launch_outlook.h"
#include "weft/support/log.h"

namespace weft {
namespace {

using compiler::Form;

/// Widest SIMD width that the compiler makes variants of.
constexpr uint32_t kMaxWidth = abi::kRowMultiple;

/// Vectorised code does its arithmetic on ids as if they never wrap in 32 bits.
constexpr uint64_t kMaxVectorId = (uint64_t{1} << 31) - kMaxWidth;

bool suitsVectors(const runtime::NDRange& range) noexcept {
  for (uint32_t d = 0; d < 3; ++d)
    if (range.globalSize[d] > kMaxVectorId ||
        range.globalOffset[d] > kMaxVectorId - range.globalSize[d])
      return false;
  return true;
}

/// The SIMD width to ask the compiler for; 0 leaves the choice to it.
uint32_t widthOf(Form form, const runtime::NDRange& range, const FormPolicy& policy) noexcept {
  if (!suitsVectors(range)) return 1;
  // A fiber has lanes of one row.
  if (form == Form::Fibers && (policy.strictBarriers || range.localSize[0] == 1)) return 1;
  return std::bit_floor(std::min(policy.width, kMaxWidth));
}

/// Most that one group may keep between its barriers: what is no longer in the second-level cache
/// costs more than switching fibers does.
constexpr uint64_t kMaxContextBytes = uint64_t{512} << 10;

bool hasWholeGroups(const runtime::NDRange& range) noexcept {
  for (uint32_t d = 0; d < 3; ++d)
    if (range.globalSize[d] % range.localSize[d] != 0) return false;
  return true;
}

bool suitsBarrierLoops(const compiler::KernelInfo& kernel, const runtime::NDRange& range) noexcept {
  const bool isRow = range.localSize[1] == 1 && range.localSize[2] == 1;
  if (!kernel.barrierLoops && !(isRow && kernel.barrierLoopsInRows)) return false;
  if (!hasWholeGroups(range)) return false;  // a variant has one size
  return kernel.contextBytes == 0 ||
         range.itemsPerGroup() <= kMaxContextBytes / kernel.contextBytes;
}

Form bestForm(const compiler::KernelInfo& kernel, const runtime::NDRange& range) noexcept {
  if (kernel.usesBarrier)
    return suitsBarrierLoops(kernel, range) ? Form::BarrierLoops : Form::Fibers;
  return kernel.observesGroup ? Form::GroupLoop : Form::Flat;
}

/// Whether code for whole rows can run the range, and leaves work for every slot.
bool hasWholeRows(const runtime::NDRange& range, Form form, uint64_t slots) noexcept {
  if (form == Form::GroupLoop || form == Form::Fibers)
    return range.localSize[0] % abi::kRowMultiple == 0 &&
           range.globalSize[0] % range.localSize[0] == 0;
  return form == Form::Flat && range.globalSize[0] % abi::kRowMultiple == 0 &&
         range.items() / abi::kRowMultiple >= slots;
}

std::string_view nameOf(Form form) noexcept {
  switch (form) {
    case Form::Flat:
      return "flat";
    case Form::GroupLoop:
      return "group-loop";
    case Form::Fibers:
      return "fibers";
    case Form::BarrierLoops:
      return "barrier-loops";
  }
  return "unknown";
}

runtime::EntryKind entryKindOf(Form form) noexcept {
  switch (form) {
    case Form::Flat:
      return runtime::EntryKind::Flat;
    case Form::GroupLoop:
    case Form::BarrierLoops:
      return runtime::EntryKind::Group;
    case Form::Fibers:
      return runtime::EntryKind::Fibers;
  }
  return runtime::EntryKind::Fibers;
}

std::string describe(const compiler::VariantKey& key) {
  std::string text(nameOf(key.form));
  text += " at width " + std::to_string(key.width);
  return text;
}

/// What is right for every launch of the kernel.
compiler::VariantKey plainKey(const compiler::KernelInfo& kernel, const compiler::VariantKey& key) {
  return {.form = kernel.usesBarrier ? Form::Fibers : Form::GroupLoop,
          .width = 1,
          .subGroupSize = key.subGroupSize,
          .localSize = {},
          .wholeRows = false,
          .farIndices = false};
}

void logOverride(const FormPolicy& policy, const compiler::KernelInfo& kernel,
                 const compiler::VariantKey& key) {
  const bool form = policy.form && *policy.form != key.form;
  const bool width = policy.width != 0 && policy.width != key.width && key.form != Form::Fibers;
  if (!form && !width) return;
  log::write(log::Level::Warning,
             "kernel " + kernel.name + " runs as " + describe(key) + ", not as asked for");
}

}  // namespace

bool isLegalForm(const compiler::KernelInfo& kernel, const runtime::NDRange& range,
                 Form form) noexcept {
  switch (form) {
    case Form::Flat:
      return !kernel.usesBarrier && !kernel.observesGroup;
    case Form::GroupLoop:
      return !kernel.usesBarrier;
    case Form::Fibers:
      return true;
    case Form::BarrierLoops:
      return suitsBarrierLoops(kernel, range);
  }
  return false;
}

void applyVariant(const compiler::Variant& variant, runtime::KernelLaunch& launch) noexcept {
  launch.entryKind = entryKindOf(variant.key.form);
  launch.groupEntry = variant.groupEntry;
  launch.loopsGroups = true;
  launch.itemEntry = variant.itemEntry;
  launch.wholeRows = variant.key.wholeRows;
  launch.width = variant.width;
  launch.subGroupSize = variant.key.subGroupSize;
  launch.frameBytes = variant.frameBytes;
  launch.provisional = variant.provisional.load(std::memory_order_relaxed) ? &variant : nullptr;
}

compiler::VariantKey HostKernelProvider::choose(const compiler::KernelInfo& kernel,
                                                const runtime::NDRange& range,
                                                bool farIndices) const noexcept {
  compiler::VariantKey key;
  key.form = bestForm(kernel, range);
  // Of two right forms for a kernel without a barrier, the group loop is the nearest to anything
  // that could be asked for.
  if (policy_.form && isLegalForm(kernel, range, *policy_.form)) {
    key.form = *policy_.form;
  } else if (policy_.form && !kernel.usesBarrier) {
    key.form = Form::GroupLoop;
  }
  key.width = widthOf(key.form, range, policy_);
  key.farIndices = farIndices && key.width != 1;
  // Rows that are shorter than the widest lane group would leave lanes idle in all of them.
  const bool hasRows = key.form == Form::GroupLoop || key.form == Form::Fibers;
  const bool hasShortRows =
      hasRows && key.width == 0 && range.localSize[0] < kMaxWidth && hasWholeGroups(range);
  if (key.form == Form::BarrierLoops || hasShortRows)
    for (size_t d = 0; d < key.localSize.size(); ++d)
      key.localSize[d] = static_cast<uint32_t>(range.localSize[d]);
  // Several rows may be run in tiles of few columns.
  const bool wantsNarrowTiles =
      kernel.rowOrder == compiler::RowOrder::Columns && range.globalSize[1] > 1;
  key.wholeRows =
      key.width != 1 && !wantsNarrowTiles && hasWholeRows(range, key.form, policy_.slots);
  key.subGroupSize = kernel.subGroupSize != 0 ? kernel.subGroupSize : policy_.subGroupSize;
  return key;
}

compiler::Result<const compiler::Variant*> HostKernelProvider::provide(
    compiler::Program& program, size_t kernel, runtime::KernelLaunch& launch) {
  const compiler::KernelInfo& info = program.kernels()[kernel];
  const compiler::VariantKey key = choose(info, launch.range, launch.farIndices);
  logOverride(policy_, info, key);
  const compiler::LaunchOutlook outlook = outlookOf(info, launch, policy_.slots);
  auto variant = program.variant(kernel, key, outlook);
  const compiler::VariantKey plain = plainKey(info, key);
  if (!variant && variant.error().kind != compiler::ErrorKind::OutOfMemory && plain != key) {
    if (auto other = program.variant(kernel, plain, outlook)) {
      reportFallback(info, key, plain, variant.error());
      variant = std::move(other);
    }
  }
  if (variant) applyVariant(**variant, launch);
  return variant;
}

void HostKernelProvider::reportFallback(const compiler::KernelInfo& kernel,
                                        const compiler::VariantKey& wanted,
                                        const compiler::VariantKey& taken,
                                        const compiler::Error& reason) {
  constexpr size_t kMostLines = 1000;
  const bool bounded = reason.kind == compiler::ErrorKind::TooMany;
  const std::string line = "kernel " + kernel.name + " runs as " + describe(taken) + ", not as " +
                           describe(wanted) + ": " + reason.log;
  {
    MutexLock lock(mutex_);
    if (reported_.size() >= kMostLines || !reported_.insert(line).second) return;
  }
  log::write(bounded ? log::Level::Info : log::Level::Warning, line);
}

std::unique_ptr<runtime::KernelProvider> createKernelProvider(Platform& platform) {
  return std::make_unique<HostKernelProvider>(
      FormPolicy{.form = config().form,
                 .width = config().width,
                 .subGroupSize = limits::kSubGroupSize,
                 .slots = platform.executor().slots(),
                 .strictBarriers = config().strictBarriers});
}

}  // namespace weft
