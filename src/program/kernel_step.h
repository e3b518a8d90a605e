// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/error.h"
#include "program/prepared_launch.h"
#include "queue/queue.h"
#include "queue/step.h"

namespace weft {

/// A recorded launch of a kernel. Ownership: that of PreparedLaunch.
class KernelStep final : public Step {
 public:
  /// Checks a launch and makes its step; the errors are those of PreparedLaunch::prepare.
  static Result<Ref<const Step>> create(const Queue& queue, const Kernel& kernel,
                                        const KernelArguments& arguments,
                                        const RangeArguments& range);
  /// The same for a launch of which not all arguments have been set, as far as it can be checked.
  /// It stands in the recording until an update replaces it.
  static Result<Ref<const Step>> createIncomplete(const Queue& queue, const Kernel& kernel,
                                                  const RangeArguments& range);

  void run(size_t first, size_t last, runtime::Slot& slot,
           runtime::Job& job) const noexcept override {
    // A failure has been handed to the job.
    static_cast<void>(slot.runParts(launch_.launch(), first, last, job));
  }

 private:
  explicit KernelStep(bool isComplete) noexcept : Step(0) { complete_ = isComplete; }
  ~KernelStep() override = default;

  PreparedLaunch launch_;
};

/// The step of a launch. Without all arguments it is incomplete when they may be set later, else
/// the error is CL_INVALID_KERNEL_ARGS.
inline Result<Ref<const Step>> makeKernelStep(const Queue& queue, const Kernel& kernel,
                                              const KernelArguments& arguments,
                                              const RangeArguments& range, bool mayBeIncomplete) {
  if (mayBeIncomplete && !arguments.areSet())
    return KernelStep::createIncomplete(queue, kernel, range);
  return KernelStep::create(queue, kernel, arguments, range);
}

}  // namespace weft
