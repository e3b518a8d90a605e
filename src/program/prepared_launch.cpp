// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/prepared_launch.h"

#include <utility>

#include "backend/backend.h"
#include "config/config.h"
#include "platform/platform.h"
#include "program/launch_outlook.h"

namespace weft {

Result<void> PreparedLaunch::prepare(const Queue& queue, const Kernel& kernel,
                                     const KernelArguments& arguments, const RangeArguments& range,
                                     Runs runs) {
  const Device& device = queue.device();
  const KernelCode* code = kernel.codeFor(device);
  if (code == nullptr) return clError(CL_INVALID_PROGRAM_EXECUTABLE);
  auto taken = arguments.take(kernel.context());
  LaunchRequest request{.sizes = LaunchSizes(range), .slots = device.computeUnits()};
  if (taken) {
    request.separateBuffers = taken->separateBuffers;
    request.images = compiler::imageClassesOf(code->info(), taken->snapshot->block());
  }
  const PlannedLaunch* known = code->plans.find(request);
  NDRange checked;
  if (known == nullptr) {
    WEFT_TRY(checked, launchRange(range, code->info(), groupLimits(kernel, device)));
  }
  if (!taken) return fail(std::move(taken).error());
  WEFT_TRY_VOID(require(taken->localBytes <= device.localMemory(), CL_OUT_OF_RESOURCES));
  const NDRange& whole = known != nullptr ? known->shape.range : checked;
  const bool isExact = compiler::hasExactIndices(code->info(), whole, taken->snapshot->block());
  if (runs == Runs::Once && taken->reductions)
    request.reductions = copyReductions(code->info(), whole, *taken);
  if (!isExact || reductions_) {
    checked = whole;
    request.exactIndices = isExact;
    known = code->plans.find(request);
  }
  plan_ = Ref(known);
  if (!plan_) {
    WEFT_TRY(plan_, makePlan(queue.context(), device, *code, request, checked,
                             taken->snapshot->block(), queue.profiling()));
  }
  arguments_ = std::move(taken->snapshot);
  launch_ = runtime::KernelLaunch(
      plan_->shape, {.arguments = reductions_ ? reductions_->arguments() : arguments_->block(),
                     .argumentStride = reductions_ ? reductions_->stride() : 0,
                     .programScope = plan_->programScope,
                     .localBytes = taken->localBytes,
                     .zeroLocal = kernel.context().zeroesLocalMemory()});
  return {};
}

/// Gives slots elements of their own to reduce into, where that pays and there is memory.
compiler::ReductionElements PreparedLaunch::copyReductions(const compiler::KernelInfo& kernel,
                                                           const NDRange& range,
                                                           const TakenArguments& taken) {
  uint64_t bytes = 0;
  for (const uint64_t size : *taken.reductions) bytes += size;
  // The slots of a sub-device are any of the executor's.
  const unsigned slots = Backend::instance().executor().slots();
  const void* block = taken.snapshot->block();
  const double instructions =
      instructionsPerItem(kernel.work, range, block) * static_cast<double>(range.items());
  const compiler::ReductionElements elements =
      compiler::elementsToReduceInto(kernel, instructions, bytes, slots);
  if (!config().sharedReductions && elements != compiler::ReductionElements::Shared)
    reductions_ = runtime::ReductionCopies::create(kernel, block, *taken.reductions, slots);
  return reductions_ ? elements : compiler::ReductionElements::Shared;
}

}  // namespace weft
