// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/prepared_launch.h"

#include <string>
#include <utility>

#include "backend/backend.h"
#include "platform/platform.h"
#include "program/launch_outlook.h"
#include "program/launch_planner.h"

namespace weft {

namespace {

Result<void> missing(Context& context, const compiler::KernelInfo& kernel,
                     const compiler::Error& error) {
  if (error.kind == compiler::ErrorKind::OutOfMemory) return clError(CL_OUT_OF_HOST_MEMORY);
  context.notify("kernel " + kernel.name + " could not be compiled: " + error.log);
  return clError(CL_OUT_OF_RESOURCES);
}

Result<void> noStacks(Context& context, const compiler::KernelInfo& kernel) {
  context.notify("kernel " + kernel.name + " needs stacks beyond the device's limits, with " +
                 std::to_string(kernel.privateBytes) +
                 " bytes of private memory for each work-item");
  return clError(CL_OUT_OF_RESOURCES);
}

/// Plans launches over a range that is not empty: chooses and gets their code, and slices it.
Result<void> fill(PlannedLaunch& plan, const Queue& queue, const KernelCode& code,
                  const void* arguments) {
  Context& context = queue.context();
  const compiler::KernelInfo& kernel = code.info();
  const compiler::LaunchOutlook outlook{
      .quickTime = quickTimeOf(kernel, plan.shape.range, arguments, plan.request.slots),
      .measured = queue.profiling()};
  const auto provided = LaunchPlanner::instance().provide(plan, code.plans, outlook);
  if (!provided) return missing(context, kernel, provided.error());
  runtime::Executor& executor = Backend::instance().executor();
  if (!executor.hasStacksFor(plan.shape)) return noStacks(context, kernel);
  executor.slice(plan.shape, {.workers = queue.device().workers(executor)});
  return {};
}

/// Makes the plan for a request that is not known, and keeps it where launches will go on running
/// so.
Result<Ref<const PlannedLaunch>> makePlan(const Queue& queue, const KernelCode& code,
                                          const LaunchRequest& request, const NDRange& range,
                                          const void* arguments) {
  auto plan = makeRef<PlannedLaunch>(code.program, code.index, request, range);
  if (!isEmpty(range)) WEFT_TRY_VOID(fill(*plan, queue, code, arguments));
  if (code.info().usesProgramScope) {
    const auto variables = code.program->programScope();
    if (!variables) return clError(CL_OUT_OF_RESOURCES);
    plan->programScope = *variables;
  }
  code.lastVariant.store(plan->leastFinal(), std::memory_order_release);
  if (plan->isFinal()) code.plans.keep(*plan);
  return Ref<const PlannedLaunch>(plan);
}

}  // namespace

Result<void> PreparedLaunch::prepare(const Queue& queue, const Kernel& kernel,
                                     const KernelArguments& arguments,
                                     const RangeArguments& range) {
  const Device& device = queue.device();
  const KernelCode* code = kernel.codeFor(device);
  if (code == nullptr) return clError(CL_INVALID_PROGRAM_EXECUTABLE);
  auto taken = arguments.take();
  LaunchRequest request{.sizes = LaunchSizes(range), .slots = device.computeUnits()};
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
    WEFT_TRY(plan_, makePlan(queue, *code, request, checked, taken->snapshot->block()));
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
