// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "program/planned_launch.h"
#include "weft/support/mutex.h"

namespace weft {

/// What decides on forms and widths besides kernels and launches.
struct LaunchPolicy {
  compiler::Overrides overrides;  ///< the user's
  uint32_t subGroupSize = 1;      ///< the device's S
};

/// Has compiler::choose() say what code a launch has, and gets that. A form or width that the user
/// asks for in vain is a line in the log. Where the compiler fails at a variant, or it is one for
/// yet another work-group size, launches have what compiler::PlanLadder says.
///
/// Threads: any.
class LaunchPlanner {
 public:
  /// The planner of the process, whose policy is that of the configuration.
  static LaunchPlanner& instance();

  explicit LaunchPlanner(const LaunchPolicy& policy) noexcept : policy_(policy) {}

  /// For a launch of which nothing is known but its range: one that has fast code.
  compiler::PlanLadder plansFor(const compiler::KernelInfo& kernel, const NDRange& range,
                                unsigned slots) const noexcept;

  /// Chooses for `launch`, and sets its code. Compiles on first use, and waits for final code where
  /// `outlook` says so. `known` are plans with code of the same kernel.
  compiler::Result<void> provide(PlannedLaunch& launch, const PlannedLaunches& known,
                                 const compiler::LaunchOutlook& outlook);

 private:
  void reportFallback(const compiler::KernelInfo& kernel, const compiler::VariantKey& wanted,
                      const compiler::VariantKey& taken, const compiler::Error& reason);

  const LaunchPolicy policy_;
  Mutex mutex_;
  std::set<std::string> reported_ WEFT_GUARDED_BY(mutex_);  ///< lines, each written once
};

}  // namespace weft
