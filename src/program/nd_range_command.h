// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include "program/argument_snapshot.h"
#include "program/kernel.h"
#include "queue/command.h"
#include "validate/error.h"
#include "validate/nd_range.h"
#include "weft/runtime/launch.h"

namespace weft {

/// One launch of a kernel.
///
/// Ownership: holds the kernel's code, a snapshot of its arguments and the memory objects among
/// them; not the kernel object, which may be changed or released while the command waits.
class NDRangeCommand final : public Command {
 public:
  /// Checks a launch and makes its command, which is still to be enqueued. `type` is what the
  /// event reports: CL_COMMAND_NDRANGE_KERNEL or CL_COMMAND_TASK.
  ///   CL_INVALID_CONTEXT             queue and kernel are of different contexts
  ///   CL_INVALID_PROGRAM_EXECUTABLE  no executable for the queue's device
  ///   CL_OUT_OF_RESOURCES            more local memory than a group can have, or no machine code
  ///   and the errors of validate::ndRange and KernelArguments::take
  static Result<Ref<NDRangeCommand>> create(Queue& queue, const Kernel& kernel,
                                            const validate::RangeArguments& arguments,
                                            cl_command_type type);

  void runPart(size_t part, runtime::Slot& slot) noexcept override;

 private:
  template <class T, class... Args>
  friend Ref<T> weft::makeRef(Args&&... args);
  NDRangeCommand(Queue& queue, cl_command_type type, const KernelCode& code, TakenArguments taken,
                 const runtime::KernelLaunch& launch) noexcept;
  ~NDRangeCommand() override = default;

  void releasePayload() noexcept override;

  Ref<compiler::Program> code_;
  LoanedSnapshot arguments_;
  runtime::KernelLaunch launch_;
};

}  // namespace weft
