// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "exec/lane_runner.h"
#include "exec/local_arena.h"
#include "exec/plan.h"
#include "weft/runtime/executor.h"

namespace weft::runtime {

/// The executor's Slot: fibers, local memory and stacks, all made on first use and kept.
///
/// It is also what abi::Group::runner points to, so that services find their way back.
/// Threads: one at a time; a thread owns the slot while it runs parts.
class ExecSlot final : public Slot {
 public:
  ExecSlot(unsigned index, const ExecutorOptions& options, const LaneLimits& limits) noexcept
      : index_(index), arena_(options.maxLocalBytes), lanes_(limits, options.strictBarriers) {}

  bool runPart(const KernelLaunch& launch, size_t part, Job& job) noexcept override {
    return runParts(launch, part, part + 1, job);
  }
  bool runParts(const KernelLaunch& launch, size_t first, size_t last, Job& job) noexcept override;
  unsigned index() const noexcept override { return index_; }

  /// Whether the stacks for a launch are within the limits of a slot.
  static bool hasStacksFor(const KernelLaunch& launch, const LaneLimits& limits) noexcept;

  /// The slot that runs the work-item's group.
  static ExecSlot& of(const abi::Group& group) noexcept {
    return *static_cast<ExecSlot*>(group.runner);
  }
  LaneRunner& lanes() noexcept { return lanes_; }
  /// The job of the running part.
  Job& job() noexcept { return *job_; }

 private:
  /// Compiled frames up to this size run on the stack of whatever thread it is.
  static constexpr uint64_t kDirectFrameBytes = 16384;

  /// What is called for each group or box.
  struct Code {
    abi::GroupEntry group = nullptr;
    abi::ItemEntry item = nullptr;
    uint32_t width = 1;
    uint64_t frameBytes = 0;
  };

  static bool needsStacks(const KernelLaunch& launch, uint64_t frameBytes) noexcept {
    return launch.slicing.entryKind == EntryKind::Fibers || frameBytes > kDirectFrameBytes;
  }
  /// Stacks that one group of the launch, or one call, needs for code of that width. Pre:
  /// needsStacks().
  static uint64_t stacksOf(const KernelLaunch& launch, uint32_t width) noexcept;
  static Code newestCode(const KernelLaunch& launch) noexcept;
  /// Takes the launch's newest code and stacks for it.
  bool takeCode(const KernelLaunch& launch) noexcept;
  /// The same once better code has come since. Pre: between two groups.
  bool followCode(const KernelLaunch& launch) noexcept {
    return launch.provisional == nullptr || !hasBetterCode(launch) || takeCode(launch);
  }
  bool hasBetterCode(const KernelLaunch& launch) const noexcept;
  /// Whether there may yet be better code, which is taken between two calls.
  static bool awaitsCode(const KernelLaunch& launch) noexcept {
    return launch.provisional != nullptr &&
           launch.provisional->better.load(std::memory_order_relaxed) == nullptr;
  }
  bool runBox(const KernelLaunch& launch, abi::Group& group) noexcept;
  bool runFlat(const KernelLaunch& launch, UnitRange units) noexcept;
  bool runGroups(const KernelLaunch& launch, UnitRange units) noexcept;
  /// Runs one group or box. Small groups take no longer than what is done here between two.
  bool enter(const KernelLaunch& launch, const abi::Group& group) noexcept;
  bool enterOnStacks(const KernelLaunch& launch, const abi::Group& group) noexcept;
  bool reportDivergence(const KernelLaunch& launch, const abi::Group& group,
                        const Divergence& divergence) noexcept;
  bool reportSlicing(const KernelLaunch& launch) noexcept;
  bool reportResources(const KernelLaunch& launch, const char* what, uint64_t bytes) noexcept;

  const unsigned index_;
  Job* job_ = nullptr;
  Code code_;
  LocalArena arena_;
  LaneRunner lanes_;
};

}  // namespace weft::runtime
