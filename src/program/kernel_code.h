// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

#include "base/error.h"
#include "platform/device.h"
#include "program/local_size.h"
#include "program/planned_launch.h"
#include "weft/compiler/compiler.h"
#include "weft/support/ref.h"

namespace weft {

class BlockCodes;
class Context;

/// A kernel's place in one device's executable, with the plans of its launches. A block's kernel
/// has one as well.
struct KernelCode {
  KernelCode(Device* onDevice, Ref<compiler::Program> inProgram, size_t atIndex) noexcept;
  ~KernelCode();
  KernelCode(const KernelCode&) = delete;
  KernelCode& operator=(const KernelCode&) = delete;

  const compiler::KernelInfo& info() const noexcept { return program->kernelAt(index); }

  Device* const device;
  const Ref<compiler::Program> program;
  const size_t index;
  Ref<BlockCodes> blocks;  ///< what the kernel may enqueue; null when it enqueues nothing
  mutable PlannedLaunches plans;
  /// Of the plan that was made last: the first that may yet be replaced, or of the first box.
  mutable std::atomic<const compiler::Variant*> lastVariant{nullptr};
};

/// CL_KERNEL_WORK_GROUP_SIZE: the device's limit, less where a barrier keeps the private memory
/// of a whole group alive at once and that is large.
uint64_t maxWorkGroupSize(const compiler::KernelInfo& kernel) noexcept;

/// Work-items of a whole sub-group of a kernel.
size_t subGroupSizeOf(const compiler::KernelInfo& kernel) noexcept;

/// The most sub-groups of a work-group of a kernel.
size_t maxSubGroups(const compiler::KernelInfo& kernel) noexcept;

/// The local size of a work-group of so many sub-groups, all in the first dimension where the
/// kernel does not require another; zeros where there is none.
std::array<size_t, 3> localSizeFor(const compiler::KernelInfo& kernel, size_t subGroups) noexcept;

/// The bounds for work-groups of a kernel on a device.
GroupLimits groupLimits(const compiler::KernelInfo& kernel, const Device& device) noexcept;

/// Makes the plan for a launch that is not known, and keeps it where launches will go on running
/// so. `device` may be a part of the one that the code is for. `measured`: somebody takes its time.
///   CL_OUT_OF_HOST_MEMORY  no code
///   CL_OUT_OF_RESOURCES    no code or stacks, too many images; the context is told why
Result<Ref<const PlannedLaunch>> makePlan(Context& context, const Device& device,
                                          const KernelCode& code, const LaunchRequest& request,
                                          const NDRange& range, const void* arguments,
                                          bool measured);

}  // namespace weft
