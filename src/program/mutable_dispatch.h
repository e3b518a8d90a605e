// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <array>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/handle.h"
#include "base/object_mutex.h"
#include "program/kernel.h"
#include "program/launch_sizes.h"
#include "queue/command_buffer.h"
#include "queue/step.h"
#include "weft/khr/command_buffer.h"

namespace weft {

/// Properties of clCommandNDRangeKernelKHR.
struct DispatchOptions {
  khr::cl_mutable_dispatch_fields fields = 0;  ///< that may be updated
  bool namesArguments = false;                 ///< the application asked for mutable arguments
  khr::cl_mutable_dispatch_asserts asserts = 0;
  std::vector<khr::cl_command_properties> list;  ///< as given, terminator included
};

/// What an update changes of a launch.
struct DispatchState {
  LaunchSizes sizes;
  /// Null in a command buffer that is not mutable.
  std::shared_ptr<KernelArguments> arguments;
};

/// The handle of a recorded kernel launch, a mutable-dispatch.
///
/// Ownership: belongs to its command buffer, which outlives it; holds the kernel. Threads: any.
class MutableDispatch final
    : public Object<MutableDispatch, _cl_mutable_command_khr, HandleTag::MutableCommand> {
 public:
  MutableDispatch(CommandBuffer& buffer, Kernel& kernel, DispatchOptions options,
                  const RangeArguments& range);

  CommandBuffer& commandBuffer() const noexcept { return buffer_; }
  Kernel& kernel() const noexcept { return *kernel_; }
  const DispatchOptions& options() const noexcept { return options_; }

  /// Its place in the recording; set once, before the application gets the handle.
  size_t place() const noexcept { return place_; }
  void setPlace(size_t place) noexcept { place_ = place; }

  DispatchState state() const WEFT_EXCLUDES(mutex_);
  /// Leaves the old state in `state`, to be destroyed without a lock.
  void swapState(DispatchState& state) noexcept WEFT_EXCLUDES(mutex_);

  /// The step of the launch in a given state.
  ///   the errors of KernelStep; CL_INVALID_KERNEL_ARGS only when arguments are missing that
  ///   may not be set later
  Result<Ref<const Step>> makeStep(const DispatchState& state) const;

 private:
  ~MutableDispatch() override = default;

  CommandBuffer& buffer_;
  const Ref<Kernel> kernel_;
  const DispatchOptions options_;
  size_t place_ = 0;
  mutable ObjectMutex mutex_;
  DispatchState state_ WEFT_GUARDED_BY(mutex_);
};

/// clUpdateMutableCommandsKHR for checked arrays; the errors are those of its table.
Result<void> updateDispatches(CommandBuffer& buffer,
                              std::span<const khr::MutableDispatchConfig* const> configs);

}  // namespace weft
