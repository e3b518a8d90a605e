// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>

#include "base/error.h"
#include "program/kernel.h"
#include "program/launch_range.h"
#include "queue/queue.h"
#include "weft/runtime/launch.h"
#include "weft/runtime/reduction_copies.h"

namespace weft {

/// A checked launch of a kernel with all that it needs to run, once or any number of times: what
/// a command enqueues and what a command buffer records.
///
/// Ownership: holds the launch's plan, which holds the code, a snapshot of its arguments and the
/// memory objects among them; not the kernel object, which may be changed or released meanwhile.
/// Threads: filled by one thread, then read by all.
class PreparedLaunch {
 public:
  /// Whether a launch runs once, or may run any number of times, even at the same time.
  enum class Runs : uint8_t { Once, ManyTimes };

  /// Checks a launch of `kernel` with `arguments` on `queue` and fills this, which must be empty.
  ///   CL_INVALID_PROGRAM_EXECUTABLE  no executable for the device
  ///   CL_OUT_OF_RESOURCES            more local memory than a group can have, or no machine code
  ///   and the errors of launchRange and KernelArguments::take
  Result<void> prepare(const Queue& queue, const Kernel& kernel, const KernelArguments& arguments,
                       const RangeArguments& range, Runs runs);

  /// Parts of the job; 0 for an empty range.
  size_t parts() const noexcept { return plan_ ? plan_->shape.parts : 0; }
  bool takesRuns() const noexcept { return plan_ && plan_->shape.kernel->writesAcross; }
  /// Of all launches of this plan; null for an empty range.
  runtime::PartTime* partTime() const noexcept { return plan_ ? &plan_->partTime : nullptr; }
  const runtime::KernelLaunch& launch() const noexcept { return launch_; }
  /// Where what the kernel enqueues belongs; without one it can enqueue nothing.
  void setNode(runtime::LaunchNode* node) noexcept { launch_.bindings.node = node; }

  /// All parts have run. Pre: once.
  void finish() const noexcept {
    if (reductions_) reductions_->merge();
  }

  void drop() noexcept {
    reductions_ = nullptr;
    arguments_.reset();
    plan_ = nullptr;
  }

 private:
  compiler::ReductionElements copyReductions(const compiler::KernelInfo& kernel,
                                             const NDRange& range, const TakenArguments& taken);

  Ref<const PlannedLaunch> plan_;
  LoanedSnapshot arguments_;
  std::unique_ptr<const runtime::ReductionCopies> reductions_;  ///< null: slots share
  runtime::KernelLaunch launch_;
};

}  // namespace weft
