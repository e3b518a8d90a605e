// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/block_codes.h"

#include <algorithm>
#include <utility>

#include "platform/limits.h"
#include "program/launch_range.h"
#include "weft/support/checked.h"

namespace weft {
namespace {

using runtime::BlockSource;

bool hasLocal(const abi::DeviceRange& range) noexcept {
  return (range.local[0] | range.local[1] | range.local[2]) != 0;
}

/// As the host gives a range: without a local size where that is left to the implementation.
RangeArguments argumentsOf(const abi::DeviceRange& range) noexcept {
  static_assert(sizeof(size_t) == sizeof(uint64_t));
  return {.workDim = range.dimensions,
          .offset = range.offset,
          .global = range.global,
          .local = hasLocal(range) ? range.local : nullptr};
}

/// Whether `sizes` are those of argumentsOf(range). Launches of a microsecond look for their plan
/// without making a request first.
bool isOf(const LaunchSizes& sizes, const abi::DeviceRange& range) noexcept {
  if (sizes.dimensions != range.dimensions || range.dimensions > 3) return false;
  for (uint32_t d = 0; d < range.dimensions; ++d)
    if (sizes.global[d] != range.global[d] || sizes.local[d] != range.local[d] ||
        sizes.offset[d] != range.offset[d])
      return false;
  return sizes.hasLocal == hasLocal(range);
}

}  // namespace

/// The language that has blocks has groups of several sizes in one range.
static GroupLimits limitsOf(const compiler::KernelInfo& kernel, const Device& device) noexcept {
  GroupLimits limits = groupLimits(kernel, device);
  limits.mayBeRagged = true;
  return limits;
}

BlockCodes::BlockCodes(Context& context, Device& device, const Ref<compiler::Program>& program)
    : context_(context), device_(device), tellsErrors_(program->hasDebugInfo()) {
  for (size_t i = 0; i < program->blocks().size(); ++i)
    codes_.push_back(std::make_unique<KernelCode>(&device, program, program->firstBlock() + i));
}

const compiler::KernelInfo* BlockCodes::info(uint64_t kernel) const noexcept {
  return kernel < codes_.size() ? &codes_[kernel]->info() : nullptr;
}

BlockSource::Problem BlockCodes::find(uint64_t kernel, const abi::DeviceRange& range,
                                      const void* arguments, Found& found) noexcept {
  if (kernel >= codes_.size()) return Problem::InvalidKernel;
  const KernelCode& code = *codes_[kernel];
  if (code.info().exactIndices.steps.empty()) {
    const PlannedLaunch* known = code.plans.findIf(
        [&](const PlannedLaunch& each) { return isOf(each.request.sizes, range); });
    if (known != nullptr) {
      take(*known, found);
      return Problem::None;
    }
  }
  // Nobody knows what the pointers that a block has captured point to.
  LaunchRequest request{.sizes = LaunchSizes(argumentsOf(range)),
                        .slots = device_.computeUnits(),
                        .separateBuffers = false};
  try {
    return plan(code, request, arguments, found);
  } catch (...) {  // no memory
    return Problem::OutOfResources;
  }
}

BlockSource::Problem BlockCodes::plan(const KernelCode& code, LaunchRequest& request,
                                      const void* arguments, Found& found) const {
  const PlannedLaunch* known = code.plans.find(request);
  NDRange whole;
  if (known != nullptr) {
    whole = known->shape.range;
  } else {
    const auto checked =
        launchRange(request.sizes.arguments(), code.info(), limitsOf(code.info(), device_));
    if (!checked) return Problem::InvalidRange;
    whole = *checked;
  }
  if (!compiler::hasExactIndices(code.info(), whole, arguments)) {
    request.exactIndices = false;
    known = code.plans.find(request);
  }
  if (known == nullptr) {
    // Final code, since launches of blocks are many and short.
    auto made = makePlan(context_, device_, code, request, whole, arguments, /*measured=*/true);
    if (!made) return Problem::OutOfResources;
    found.keeper = *made;
    known = made->get();
  }
  take(*known, found);
  return Problem::None;
}

/// Plans that are known stay as long as this, which the command holds.
void BlockCodes::take(const PlannedLaunch& plan, Found& found) noexcept {
  found.shape = isEmpty(plan.shape.range) ? nullptr : &plan.shape;
  found.programScope = plan.programScope;
}

uint32_t BlockCodes::query(uint64_t kernel, abi::BlockQuery query,
                           const abi::DeviceRange* range) const noexcept {
  if (kernel >= codes_.size()) return 0;
  const compiler::KernelInfo& info = codes_[kernel]->info();
  uint64_t items = 0;  // of a group
  if (range != nullptr && query != abi::BlockQuery::LocalSizeForSubGroups) {
    const auto whole = launchRange(argumentsOf(*range), info, limitsOf(info, device_));
    if (!whole) return 0;
    items = whole->itemsPerGroup();
  }
  switch (query) {
    case abi::BlockQuery::WorkGroupSize:
      return static_cast<uint32_t>(maxWorkGroupSize(info));
    case abi::BlockQuery::PreferredMultiple:
      return limits::kPreferredWorkGroupSizeMultiple;
    case abi::BlockQuery::SubGroupCount:
      return static_cast<uint32_t>(divideUp<uint64_t>(items, subGroupSizeOf(info)));
    case abi::BlockQuery::MaxSubGroupSize:
      return static_cast<uint32_t>(std::min<uint64_t>(items, subGroupSizeOf(info)));
    case abi::BlockQuery::MaxSubGroups:
      return static_cast<uint32_t>(maxSubGroups(info));
    case abi::BlockQuery::LocalSizeForSubGroups: {
      const std::array<size_t, 3> size = localSizeFor(info, range->global[0]);
      return size[1] * size[2] == 1 ? static_cast<uint32_t>(size[0]) : 0;
    }
  }
  return 0;
}

}  // namespace weft
