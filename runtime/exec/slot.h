// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "exec/lane_runner.h"
#include "exec/local_arena.h"
#include "exec/slices.h"
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
  static bool hasStacksFor(const LaunchShape& shape, const LaneLimits& limits) noexcept;

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

  static bool needsStacks(const CodeBox& box, const abi::MachineCode& code) noexcept {
    return box.slicing.entryKind == EntryKind::Fibers || code.frameBytes > kDirectFrameBytes;
  }
  /// Stacks that one group of the box, or one call, needs. Pre: needsStacks().
  static uint64_t stacksOf(const NDRange& range, const CodeBox& box,
                           const abi::MachineCode& code) noexcept;
  static const abi::MachineCode& newestCode(const CodeBox& box) noexcept;

  // Of the box of the launch that is being run:
  /// Takes its newest code and stacks for it.
  bool takeCode() noexcept;
  /// The same once better code has come since. Pre: between two groups.
  bool followCode() noexcept {
    return !box_->isProvisional || code_ == &newestCode(*box_) || takeCode();
  }
  /// Whether there may yet be better code, which is taken between two calls.
  bool awaitsCode() const noexcept {
    return box_->isProvisional && box_->code->better.load(std::memory_order_relaxed) == nullptr;
  }
  bool runFlat(const BoxSlices& slices, UnitRange units) noexcept;
  bool runBox(abi::Group& group) noexcept;
  bool runGroups(const BoxSlices& slices, UnitRange units) noexcept;
  /// Runs one group or box. Small groups take no longer than what is done here between two.
  bool enter(const abi::Group& group) noexcept;
  bool enterOnStacks(const abi::Group& group) noexcept;
  bool reportDivergence(const abi::Group& group, const Divergence& divergence) noexcept;
  bool reportSlicing() noexcept;
  bool reportResources(const char* what, uint64_t bytes) noexcept;

  const unsigned index_;
  // What is being run:
  Job* job_ = nullptr;
  const KernelLaunch* launch_ = nullptr;
  const CodeBox* box_ = nullptr;
  const abi::MachineCode* code_ = nullptr;
  LocalArena arena_;
  LaneRunner lanes_;
};

}  // namespace weft::runtime
