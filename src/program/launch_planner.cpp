// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/launch_planner.h"

#include <string>

#include "base/process_wide.h"
#include "config/config.h"
#include "platform/limits.h"
#include "weft/support/log.h"

namespace weft {
namespace {

using compiler::Form;

std::string_view nameOf(Form form) noexcept {
  switch (form) {
    case Form::Flat:
      return "flat";
    case Form::GroupLoop:
      return "group-loop";
    case Form::Fibers:
      return "fibers";
    case Form::BarrierLoops:
      return "barrier-loops";
  }
  return "unknown";
}

std::string describe(const compiler::VariantKey& key) {
  std::string text(nameOf(key.form));
  text += " at width " + std::to_string(key.width);
  if (key.images != compiler::ImageClasses{}) text += " for its images";
  if (key.reductions != compiler::ReductionElements::Shared)
    text += " with reductions of each thread's own";
  return text;
}

void logOverride(const compiler::Overrides& policy, const compiler::KernelInfo& kernel,
                 const compiler::VariantKey& key) {
  const bool form = policy.form && *policy.form != key.form;
  const bool width = policy.width != 0 && policy.width != key.width && key.form != Form::Fibers;
  if (!form && !width) return;
  log::write(log::Level::Warning,
             "kernel " + kernel.name + " runs as " + describe(key) + ", not as asked for");
}

}  // namespace

compiler::PlanLadder LaunchPlanner::plansFor(const compiler::KernelInfo& kernel,
                                             const NDRange& range, unsigned slots) const noexcept {
  return {kernel,
          {.range = range,
           .slots = slots,
           .subGroupSize = policy_.subGroupSize,
           .exactIndices = true,
           .separateBuffers = true},
          policy_.overrides};
}

compiler::Result<void> LaunchPlanner::provide(PlannedLaunch& launch, const PlannedLaunches& known,
                                              const compiler::LaunchOutlook& outlook) {
  const compiler::KernelInfo& kernel = *launch.shape.kernel;
  const LaunchRequest& request = launch.request;
  const compiler::LaunchFacts facts{.range = launch.shape.range,
                                    .slots = request.slots,
                                    .subGroupSize = policy_.subGroupSize,
                                    .exactIndices = request.exactIndices,
                                    .separateBuffers = request.separateBuffers,
                                    .images = request.images,
                                    .reductions = request.reductions};
  compiler::PlanLadder ladder(kernel, facts, policy_.overrides);
  const compiler::LaunchPlan& wanted = ladder.wanted();
  if (const PlannedLaunch* same = known.findCode(wanted, launch.shape.range)) {
    launch.setPlan(wanted, same->codes());
    return {};
  }
  logOverride(policy_.overrides, kernel, wanted.key());
  const auto get = [&](const compiler::LaunchPlan& plan) -> compiler::Result<void> {
    PlannedLaunch::Codes codes{};
    for (size_t i = 0; i < plan.boxes().size(); ++i) {
      WEFT_TRY(codes[i], launch.program->variant(launch.index, plan.boxes()[i].key, outlook));
    }
    launch.setPlan(plan, codes);
    return {};
  };
  const auto got = get(wanted);
  if (got) return got;
  while (const auto other = ladder.next(got.error().kind)) {
    if (!get(*other)) continue;
    reportFallback(kernel, wanted.key(), other->key(), got.error());
    return {};
  }
  return got;
}

void LaunchPlanner::reportFallback(const compiler::KernelInfo& kernel,
                                   const compiler::VariantKey& wanted,
                                   const compiler::VariantKey& taken,
                                   const compiler::Error& reason) {
  constexpr size_t kMostLines = 1000;
  // What is too much for lanes is known once it has been tried.
  const bool isExpected = reason.kind == compiler::ErrorKind::TooMany ||
                          reason.kind == compiler::ErrorKind::Unsuited || kernel.meetsInSubGroups;
  const std::string line = "kernel " + kernel.name + " runs as " + describe(taken) + ", not as " +
                           describe(wanted) + ": " + reason.log;
  {
    MutexLock lock(mutex_);
    if (reported_.size() >= kMostLines || !reported_.insert(line).second) return;
  }
  log::write(isExpected ? log::Level::Info : log::Level::Warning, line);
}

LaunchPlanner& LaunchPlanner::instance() {
  static constinit ProcessWide<LaunchPlanner> planner;
  return planner.get([] {
    return LaunchPlanner(LaunchPolicy{.overrides = {.form = config().form,
                                                    .width = config().width,
                                                    .divergent = config().divergent,
                                                    .anyImages = config().anyImages,
                                                    .strictBarriers = config().strictBarriers},
                                      .subGroupSize = limits::kSubGroupSize});
  });
}

}  // namespace weft
