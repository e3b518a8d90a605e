// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "program/launch_sizes.h"
#include "weft/compiler/compiler.h"
#include "weft/compiler/launch_plan.h"
#include "weft/runtime/launch.h"
#include "weft/runtime/part_time.h"
#include "weft/support/ref.h"

namespace weft {

/// What decides how a launch of a kernel runs, as it comes from the application: what plans are
/// known by.
struct LaunchRequest {
  LaunchSizes sizes;
  unsigned slots = 1;               ///< of the device
  bool exactIndices = true;         ///< LaunchFacts::exactIndices
  bool separateBuffers = true;      ///< LaunchFacts::separateBuffers
  compiler::ImageClasses images{};  ///< LaunchFacts::images
  /// LaunchFacts::reductions
  compiler::ReductionElements reductions = compiler::ReductionElements::Shared;

  friend bool operator==(const LaunchRequest&, const LaunchRequest&) = default;
};

/// How the launches of a kernel that ask for the same run: checked, with code, sliced.
///
/// Ownership: holds the program. Threads: filled by one thread, then read by all.
class PlannedLaunch final : public RefCounted {
 public:
  PlannedLaunch(Ref<compiler::Program> itsProgram, size_t kernel, const LaunchRequest& itsRequest,
                const NDRange& range) noexcept
      : request(itsRequest), program(std::move(itsProgram)), index(kernel) {
    shape.kernel = &program->kernelAt(kernel);
    shape.range = range;
  }

  /// Code of the boxes of a plan.
  using Codes = std::array<const compiler::Variant*, compiler::LaunchPlan::kMostBoxes>;

  Codes codes() const noexcept;
  void setPlan(const compiler::LaunchPlan& itsPlan, const Codes& itsCodes) noexcept;
  /// Code that may yet be replaced, if there is some; else that of the first box, or null.
  const compiler::Variant* leastFinal() const noexcept;
  /// Whether no better code is to come.
  bool isFinal() const noexcept;

  const LaunchRequest request;
  const Ref<compiler::Program> program;
  const size_t index;         ///< of the kernel
  compiler::LaunchPlan plan;  ///< empty for an empty range, as is the shape
  runtime::LaunchShape shape;
  void* programScope = nullptr;
  mutable runtime::PartTime partTime;
};

/// The plans of one kernel on one device. Those that are kept stay as long as this: a launch finds
/// its own without a lock.
/// Threads: any.
class PlannedLaunches {
 public:
  PlannedLaunches() = default;
  PlannedLaunches(const PlannedLaunches&) = delete;
  PlannedLaunches& operator=(const PlannedLaunches&) = delete;
  ~PlannedLaunches();

  /// Null when it is not known. Stays valid as long as this.
  const PlannedLaunch* find(const LaunchRequest& request) const noexcept {
    return findIf([&](const PlannedLaunch& each) { return each.request == request; });
  }
  /// One whose boxes have the same code: the same plan for a range of the same class. Null when
  /// there is none.
  const PlannedLaunch* findCode(const compiler::LaunchPlan& plan,
                                const NDRange& range) const noexcept;
  /// Keeps a plan with final code, unless it is one too many: then each launch makes it anew.
  void keep(const PlannedLaunch& launch) noexcept;

  /// The first that meets a condition.
  template <class Condition>
  const PlannedLaunch* findIf(Condition condition) const noexcept {
    for (const auto& place : kept_) {
      const PlannedLaunch* launch = place.load(std::memory_order_acquire);
      if (launch == nullptr || condition(*launch)) return launch;
    }
    return nullptr;
  }

 private:
  /// Programs launch a kernel over few ranges, or over so many that no number would do.
  static constexpr size_t kMostKept = 16;

  std::array<std::atomic<const PlannedLaunch*>, kMostKept> kept_{};
};

}  // namespace weft
