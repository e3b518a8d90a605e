// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/kernel_provider.h"

#include <string>

#include "config/config.h"
#include "platform/limits.h"
#include "platform/platform.h"
#include "program/launch_outlook.h"
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

void applyVariant(const compiler::PlannedBox& box, const compiler::Variant& variant,
                  runtime::KernelLaunch& launch) noexcept {
  launch.slicing = box.slicing;
  launch.groupEntry = variant.groupEntry;
  launch.itemEntry = variant.itemEntry;
  launch.width = variant.width;
  launch.subGroupSize = variant.key.subGroupSize;
  launch.frameBytes = variant.frameBytes;
  launch.provisional = variant.provisional.load(std::memory_order_relaxed) ? &variant : nullptr;
}

compiler::LaunchFacts HostKernelProvider::factsOf(const NDRange& range,
                                                  bool farIndices) const noexcept {
  return {.range = range,
          .slots = policy_.slots,
          .subGroupSize = policy_.subGroupSize,
          .farIndices = farIndices};
}

compiler::PlannedBox HostKernelProvider::choose(const compiler::KernelInfo& kernel,
                                                const NDRange& range,
                                                bool farIndices) const noexcept {
  return compiler::choose(kernel, factsOf(range, farIndices), policy_.overrides).boxes().front();
}

compiler::Result<const compiler::Variant*> HostKernelProvider::provide(
    compiler::Program& program, size_t kernel, runtime::KernelLaunch& launch) {
  const compiler::KernelInfo& info = program.kernels()[kernel];
  const compiler::LaunchFacts facts = factsOf(launch.range, launch.farIndices);
  const compiler::LaunchOutlook outlook = outlookOf(info, launch, policy_.slots);
  const auto wanted = compiler::choose(info, facts, policy_.overrides);
  logOverride(policy_.overrides, info, wanted.key());
  const auto get = [&](const compiler::LaunchPlan& plan) {
    auto variant = program.variant(kernel, plan.key(), outlook);
    if (variant) applyVariant(plan.boxes().front(), **variant, launch);
    return variant;
  };
  auto variant = get(wanted);
  if (variant || variant.error().kind == compiler::ErrorKind::OutOfMemory) return variant;
  compiler::Overrides anySize = policy_.overrides;
  anySize.fixedSize = false;
  for (const auto& overrides : {anySize, compiler::plainest(info, policy_.overrides)}) {
    const auto other = compiler::choose(info, facts, overrides);
    if (other.key() == wanted.key()) continue;
    if (auto made = get(other)) {
      reportFallback(info, wanted.key(), other.key(), variant.error());
      return made;
    }
  }
  return variant;
}

void HostKernelProvider::reportFallback(const compiler::KernelInfo& kernel,
                                        const compiler::VariantKey& wanted,
                                        const compiler::VariantKey& taken,
                                        const compiler::Error& reason) {
  constexpr size_t kMostLines = 1000;
  const bool bounded = reason.kind == compiler::ErrorKind::TooMany;
  const std::string line = "kernel " + kernel.name + " runs as " + describe(taken) + ", not as " +
                           describe(wanted) + ": " + reason.log;
  {
    MutexLock lock(mutex_);
    if (reported_.size() >= kMostLines || !reported_.insert(line).second) return;
  }
  log::write(bounded ? log::Level::Info : log::Level::Warning, line);
}

std::unique_ptr<runtime::KernelProvider> createKernelProvider(Platform& platform) {
  return std::make_unique<HostKernelProvider>(
      FormPolicy{.overrides = {.form = config().form,
                               .width = config().width,
                               .strictBarriers = config().strictBarriers},
                 .subGroupSize = limits::kSubGroupSize,
                 .slots = platform.executor().slots()});
}

}  // namespace weft
