// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include "program/prepared_launch.h"
#include "queue/command.h"

namespace weft {

/// One launch of a kernel. Ownership: that of PreparedLaunch.
class NDRangeCommand final : public Command {
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

  void releasePayload() noexcept override { launch_.drop(); }

  PreparedLaunch launch_;
};

}  // namespace weft
