// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include "base/error.h"
#include "program/local_size.h"
#include "weft/compiler/kernel_info.h"
#include "weft/support/nd_range.h"

/// The rules of clEnqueueNDRangeKernel for its sizes.
namespace weft {

/// The sizes as the application gave them.
struct RangeArguments {
  cl_uint workDim = 0;
  const size_t* offset = nullptr;
  const size_t* global = nullptr;
  const size_t* local = nullptr;
};

/// Whether a range has no work-items: the command then ends without running (the specification
/// allows this since 2.1).
[[nodiscard]] constexpr bool isEmpty(const NDRange& range) noexcept {
  return range.globalSize[0] == 0 || range.globalSize[1] == 0 || range.globalSize[2] == 0;
}

/// The range of a launch, with a local size chosen where none is given.
///
///   CL_INVALID_WORK_DIMENSION    workDim is not 1 to 3
///   CL_INVALID_GLOBAL_WORK_SIZE  the work-items do not fit 64 bits
///   CL_INVALID_GLOBAL_OFFSET     offset + size does not fit size_t
///   CL_INVALID_WORK_ITEM_SIZE    a local size is above the device's limit
///   CL_INVALID_WORK_GROUP_SIZE   a local size is 0, makes too large a group, is not what
///                                reqd_work_group_size wants, makes other sub-groups than the
///                                kernel requires, or does not divide the global size
///                                though the kernel's language asks for that (OpenCL C before 2.0,
///                                and -cl-uniform-work-group-size)
[[nodiscard]] Result<NDRange> launchRange(const RangeArguments& arguments,
                                          const compiler::KernelInfo& kernel,
                                          const GroupLimits& limits) noexcept;

}  // namespace weft
