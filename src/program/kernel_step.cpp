// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/kernel_step.h"

namespace weft {
namespace {

/// Command buffers have not the capability CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR.
Result<void> noEnqueues(const Kernel& kernel, const Queue& queue) noexcept {
  const KernelCode* code = kernel.codeFor(queue.device());
  return require(code == nullptr || !code->info().enqueues, CL_INVALID_OPERATION);
}

}  // namespace

Result<Ref<const Step>> KernelStep::create(const Queue& queue, const Kernel& kernel,
                                           const KernelArguments& arguments,
                                           const RangeArguments& range) {
  WEFT_TRY_VOID(noEnqueues(kernel, queue));
  const auto step = Ref<KernelStep>::adopt(new KernelStep(true));
  WEFT_TRY_VOID(
      step->launch_.prepare(queue, kernel, arguments, range, PreparedLaunch::Runs::ManyTimes));
  step->parts_ = step->launch_.parts();
  step->takesRuns_ = step->launch_.takesRuns();
  return Ref<const Step>(step);
}

Result<Ref<const Step>> KernelStep::createIncomplete(const Queue& queue, const Kernel& kernel,
                                                     const RangeArguments& range) {
  const KernelCode* code = kernel.codeFor(queue.device());
  if (code == nullptr) return clError(CL_INVALID_PROGRAM_EXECUTABLE);
  WEFT_TRY_VOID(noEnqueues(kernel, queue));
  WEFT_TRY_VOID(launchRange(range, code->info(), groupLimits(kernel, queue.device())));
  return Ref<const Step>(Ref<KernelStep>::adopt(new KernelStep(false)));
}

}  // namespace weft
