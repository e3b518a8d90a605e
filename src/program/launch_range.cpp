// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/launch_range.h"

#include <algorithm>
#include <array>

#include "platform/limits.h"
#include "program/kernel_code.h"
#include "weft/support/checked.h"

namespace weft {
namespace {

/// Fills sizes and offsets; the range is empty when a size is 0 or none is given.
Result<void> globalRange(const RangeArguments& arguments, NDRange& range) noexcept {
  for (cl_uint d = 0; d < arguments.workDim; ++d) {
    const uint64_t size = arguments.global ? arguments.global[d] : 0;
    const uint64_t offset = arguments.offset ? arguments.offset[d] : 0;
    if (!checkedAdd(size, offset)) return clError(CL_INVALID_GLOBAL_OFFSET);
    range.globalSize[d] = size;
    range.globalOffset[d] = offset;
  }
  if (isEmpty(range)) return {};
  const auto plane = checkedMul(range.globalSize[0], range.globalSize[1]);
  const bool fits = plane && checkedMul(*plane, range.globalSize[2]);
  return require(fits, CL_INVALID_GLOBAL_WORK_SIZE);
}

Result<void> localRange(const RangeArguments& arguments, const GroupLimits& limits,
                        NDRange& range) noexcept {
  uint64_t items = 1;
  for (cl_uint d = 0; d < arguments.workDim; ++d) {
    const uint64_t size = arguments.local[d];
    if (size == 0) return clError(CL_INVALID_WORK_GROUP_SIZE);
    if (size > limits.maxPerDimension) return clError(CL_INVALID_WORK_ITEM_SIZE);
    range.localSize[d] = size;
    items *= size;  // each factor is at most maxPerDimension, so this fits
  }
  return require(items <= limits.maxItems, CL_INVALID_WORK_GROUP_SIZE);
}

bool isRequired(const compiler::KernelInfo& kernel) noexcept {
  return kernel.reqdWorkGroupSize[0] != 0;
}

/// A required size counts in all three dimensions, whatever the dimensions of the range.
bool matchesRequired(const compiler::KernelInfo& kernel, const NDRange& range) noexcept {
  for (size_t d = 0; d < 3; ++d)
    if (range.localSize[d] != kernel.reqdWorkGroupSize[d]) return false;
  return true;
}

/// Whether a whole group of the size has as many sub-groups as the kernel asks for.
bool hasRequiredSubGroups(const compiler::KernelInfo& kernel, const NDRange& range) noexcept {
  return kernel.reqdSubGroups == 0 ||
         divideUp<uint64_t>(range.itemsPerGroup(), subGroupSizeOf(kernel)) == kernel.reqdSubGroups;
}

bool dividesEvenly(const NDRange& range) noexcept {
  for (size_t d = 0; d < 3; ++d)
    if (range.globalSize[d] % range.localSize[d] != 0) return false;
  return true;
}

std::array<uint64_t, 3> hintOf(const compiler::KernelInfo& kernel) noexcept {
  const auto& hint = kernel.workGroupSizeHint;
  return {hint[0], hint[1], hint[2]};
}

/// Whether the kernel's author guessed a size that this range can have.
bool suitsHint(const compiler::KernelInfo& kernel, const NDRange& range,
               const GroupLimits& limits) noexcept {
  if (kernel.workGroupSizeHint[0] == 0) return false;
  uint64_t items = 1;
  for (const uint64_t size : hintOf(kernel)) {
    if (size > limits.maxPerDimension) return false;
    items *= size;
  }
  NDRange hinted = range;
  hinted.localSize = hintOf(kernel);
  return items <= limits.maxItems && dividesEvenly(hinted);
}

/// A size that gives a kernel the sub-groups that it asks for; zeros where there is none.
std::array<uint64_t, 3> sizeOfSubGroups(const compiler::KernelInfo& kernel, const NDRange& range,
                                        const GroupLimits& limits) noexcept {
  const uint64_t width = subGroupSizeOf(kernel);
  const uint64_t most = kernel.reqdSubGroups * width;
  if (most - width >= limits.maxItems) return {};
  const auto even =
      evenSizeOfItems(range.globalSize, most - width + 1, std::min(most, limits.maxItems));
  if (even[0] != 0 || !limits.mayBeRagged) return even;
  return {std::min(most, limits.maxItems), 1, 1};
}

/// Fills the local size where the application gives none. Pre: the range is not empty, or the
/// kernel requires a size.
Result<void> chooseLocal(const compiler::KernelInfo& kernel, const GroupLimits& limits,
                         NDRange& range) noexcept {
  if (isRequired(kernel)) {
    for (size_t d = 0; d < 3; ++d) range.localSize[d] = kernel.reqdWorkGroupSize[d];
    return require(range.itemsPerGroup() <= limits.maxItems, CL_INVALID_WORK_GROUP_SIZE);
  }
  if (kernel.reqdSubGroups != 0)
    range.localSize = sizeOfSubGroups(kernel, range, limits);
  else
    range.localSize = suitsHint(kernel, range, limits) ? hintOf(kernel)
                                                       : chooseLocalSize(range.globalSize, limits);
  return require(range.localSize[0] != 0, CL_INVALID_WORK_GROUP_SIZE);
}

}  // namespace

Result<NDRange> launchRange(const RangeArguments& arguments, const compiler::KernelInfo& kernel,
                            const GroupLimits& limits) noexcept {
  if (arguments.workDim < 1 || arguments.workDim > limits::kMaxWorkItemDimensions)
    return clError(CL_INVALID_WORK_DIMENSION);
  NDRange range;
  range.dimensions = arguments.workDim;
  WEFT_TRY_VOID(globalRange(arguments, range));
  if (arguments.local) {
    WEFT_TRY_VOID(localRange(arguments, limits, range));
    if (isRequired(kernel) && !matchesRequired(kernel, range))
      return clError(CL_INVALID_WORK_GROUP_SIZE);
  } else if (isRequired(kernel) || !isEmpty(range)) {
    WEFT_TRY_VOID(chooseLocal(kernel, limits, range));
    if (!isRequired(kernel)) return range;
  } else {
    return range;
  }
  if (!hasRequiredSubGroups(kernel, range)) return clError(CL_INVALID_WORK_GROUP_SIZE);
  if (!limits.mayBeRagged && !dividesEvenly(range)) return clError(CL_INVALID_WORK_GROUP_SIZE);
  return range;
}

}  // namespace weft
