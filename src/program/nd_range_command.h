// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <memory>

#include "program/block_codes.h"
#include "program/prepared_launch.h"
#include "queue/command.h"

namespace weft {

/// One launch of a kernel, with all that the kernel enqueues. Ownership: that of PreparedLaunch.
class NDRangeCommand final : public Command, private runtime::Descendants::Host {
 public:
  /// Checks a launch and makes its command, which is still to be enqueued. `type` is what the
  /// event reports: CL_COMMAND_NDRANGE_KERNEL or CL_COMMAND_TASK.
  ///   CL_INVALID_CONTEXT  queue and kernel are of different contexts
  ///   and the errors of PreparedLaunch::prepare
  static Result<Ref<NDRangeCommand>> create(Queue& queue, const Kernel& kernel,
                                            const RangeArguments& range, cl_command_type type);

  void runPart(size_t part, runtime::Slot& slot) noexcept override;

 private:
  template <class T, class... Args>
  friend Ref<T> weft::makeRef(Args&&... args);
  NDRangeCommand(Queue& queue, cl_command_type type) noexcept : Command(queue, type, 0) {}
  ~NDRangeCommand() override = default;

  Result<void> prepareDescendants(const Queue& queue, const Ref<BlockCodes>& blocks);
  void jobFinished() noexcept override;
  void releasePayload() noexcept override;

  // Of a kernel that enqueues others:
  bool isStopped() const noexcept override { return hasFailed(); }
  void ownPartsEnded() noexcept override { endWork(); }
  void allComplete() noexcept override { endRun(); }

  PreparedLaunch launch_;
  Ref<BlockCodes> blocks_;
  Ref<Queue> defaultQueue_;
  std::unique_ptr<runtime::Descendants> descendants_;
};

}  // namespace weft
