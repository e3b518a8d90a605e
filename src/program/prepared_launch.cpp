// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/prepared_launch.h"

#include <utility>

#include "platform/platform.h"

namespace weft {

Result<void> PreparedLaunch::prepare(const Queue& queue, const Kernel& kernel,
                                     const KernelArguments& arguments,
                                     const RangeArguments& range) {
  const Device& device = queue.device();
  const KernelCode* code = kernel.codeFor(device);
  if (code == nullptr) return clError(CL_INVALID_PROGRAM_EXECUTABLE);
  auto taken = arguments.take();
  LaunchRequest request{.sizes = LaunchSizes(range), .slots = device.computeUnits()};
  if (taken) request.images = compiler::imageClassesOf(code->info(), taken->snapshot->block());
  const PlannedLaunch* known = code->plans.find(request);
  NDRange checked;
  if (known == nullptr) {
    WEFT_TRY(checked, launchRange(range, code->info(), groupLimits(kernel, device)));
  }
  if (!taken) return fail(std::move(taken).error());
  WEFT_TRY_VOID(require(taken->localBytes <= device.localMemory(), CL_OUT_OF_RESOURCES));
  if (const NDRange& whole = known != nullptr ? known->shape.range : checked;
      !compiler::hasExactIndices(code->info(), whole, taken->snapshot->block())) {
    checked = whole;
    request.exactIndices = false;
    known = code->plans.find(request);
  }
  plan_ = Ref(known);
  if (!plan_) {
    WEFT_TRY(plan_, makePlan(queue.context(), device, *code, request, checked,
                             taken->snapshot->block(), queue.profiling()));
  }
  arguments_ = std::move(taken->snapshot);
  launch_ =
      runtime::KernelLaunch(plan_->shape, {.arguments = arguments_->block(),
                                           .programScope = plan_->programScope,
                                           .localBytes = taken->localBytes,
                                           .zeroLocal = kernel.context().zeroesLocalMemory()});
  return {};
}

}  // namespace weft
