// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/kernel_code.h"

#include <algorithm>
#include <bit>
#include <string>

#include "backend/backend.h"
#include "context/context.h"
#include "platform/limits.h"
#include "program/block_codes.h"
#include "program/launch_outlook.h"
#include "program/launch_planner.h"
#include "program/launch_range.h"
#include "weft/support/checked.h"

namespace weft {
namespace {

/// Private memory that the work-items of one group may hold while they wait at a barrier. Such a
/// group lives on stacks, of which every worker has a set.
constexpr uint64_t kMaxGroupPrivateBytes = uint64_t{64} << 20;

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

/// No launch of it will do. What the device reports is what it takes, though nothing else is
/// scarce.
Result<void> checkImageArguments(Context& context, const compiler::KernelInfo& kernel) {
  const auto count = [&](auto predicate) {
    return std::ranges::count_if(kernel.arguments, predicate);
  };
  const auto images = [&](compiler::AccessQualifier access) {
    return count([=](const compiler::ArgumentInfo& argument) {
      return argument.kind == compiler::ArgumentKind::Image && argument.access == access;
    });
  };
  using enum compiler::AccessQualifier;
  const auto written = images(WriteOnly);
  if (images(ReadOnly) <= limits::kMaxReadImageArgs && written <= limits::kMaxWriteImageArgs &&
      written + images(ReadWrite) <= limits::kMaxReadWriteImageArgs &&
      count([](const compiler::ArgumentInfo& argument) {
        return argument.kind == compiler::ArgumentKind::Sampler;
      }) <= limits::kMaxSamplers)
    return {};
  context.notify("kernel " + kernel.name + " has more images or samplers than the device takes");
  return clError(CL_OUT_OF_RESOURCES);
}

/// Plans launches over a range that is not empty: chooses and gets their code, and slices it.
Result<void> fill(PlannedLaunch& plan, Context& context, const Device& device,
                  const KernelCode& code, const void* arguments, bool measured) {
  const compiler::KernelInfo& kernel = code.info();
  const compiler::LaunchOutlook outlook{
      .quickTime = quickTimeOf(kernel, plan.shape.range, arguments, plan.request.slots),
      .measured = measured,
      .items = plan.shape.range.items()};
  const auto provided = LaunchPlanner::instance().provide(plan, code.plans, outlook);
  if (!provided) return missing(context, kernel, provided.error());
  runtime::Executor& executor = Backend::instance().executor();
  if (!executor.hasStacksFor(plan.shape)) return noStacks(context, kernel);
  executor.slice(plan.shape, {.workers = device.workers(executor)});
  return {};
}

}  // namespace

KernelCode::KernelCode(Device* onDevice, Ref<compiler::Program> inProgram, size_t atIndex) noexcept
    : device(onDevice), program(std::move(inProgram)), index(atIndex) {}

KernelCode::~KernelCode() = default;

uint64_t maxWorkGroupSize(const compiler::KernelInfo& kernel) noexcept {
  if (!kernel.usesBarrier || kernel.privateBytes == 0) return limits::kMaxWorkGroupSize;
  const auto& required = kernel.reqdWorkGroupSize;
  const uint64_t asked = required[0] != 0 ? uint64_t{required[0]} * required[1] * required[2]
                                          : kernel.reqdSubGroups * subGroupSizeOf(kernel);
  const uint64_t fitting = std::bit_floor(kMaxGroupPrivateBytes / kernel.privateBytes);
  return std::clamp<uint64_t>(std::max(fitting, asked), 1, limits::kMaxWorkGroupSize);
}

size_t subGroupSizeOf(const compiler::KernelInfo& kernel) noexcept {
  return kernel.subGroupSize != 0 ? kernel.subGroupSize : limits::kSubGroupSize;
}

size_t maxSubGroups(const compiler::KernelInfo& kernel) noexcept {
  return divideUp<size_t>(maxWorkGroupSize(kernel), subGroupSizeOf(kernel));
}

std::array<size_t, 3> localSizeFor(const compiler::KernelInfo& kernel, size_t subGroups) noexcept {
  const size_t size = subGroupSizeOf(kernel);
  if (kernel.reqdSubGroups != 0 && kernel.reqdSubGroups != subGroups) return {};
  const auto& required = kernel.reqdWorkGroupSize;
  if (required[0] != 0) {
    const size_t items = size_t{required[0]} * required[1] * required[2];
    if (divideUp(items, size) != subGroups) return {};
    return {required[0], required[1], required[2]};
  }
  if (subGroups == 0 || subGroups > maxWorkGroupSize(kernel) / size) return {};
  return {subGroups * size, 1, 1};
}

GroupLimits groupLimits(const compiler::KernelInfo& kernel, const Device& device) noexcept {
  GroupLimits limits{.maxItems = maxWorkGroupSize(kernel),
                     .maxPerDimension = limits::kMaxWorkGroupSize,
                     .slots = device.computeUnits(),
                     .mayBeRagged = kernel.raggedGroups};
  // Shorter rows leave registers for more of them at once.
  if (kernel.sharedRow != 0) limits.rowItems = kernel.sharedRow / 2;
  return limits;
}

Result<Ref<const PlannedLaunch>> makePlan(Context& context, const Device& device,
                                          const KernelCode& code, const LaunchRequest& request,
                                          const NDRange& range, const void* arguments,
                                          bool measured) {
  WEFT_TRY_VOID(checkImageArguments(context, code.info()));
  auto plan = makeRef<PlannedLaunch>(code.program, code.index, request, range);
  if (!isEmpty(range)) WEFT_TRY_VOID(fill(*plan, context, device, code, arguments, measured));
  if (code.info().usesProgramScope) {
    const auto variables = code.program->programScope();
    if (!variables) return clError(CL_OUT_OF_RESOURCES);
    plan->programScope = *variables;
  }
  code.lastVariant.store(plan->leastFinal(), std::memory_order_release);
  if (plan->isFinal()) code.plans.keep(*plan);
  return Ref<const PlannedLaunch>(plan);
}

}  // namespace weft
