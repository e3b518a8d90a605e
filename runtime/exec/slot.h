// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "children/child_store.h"
#include "exec/code_turns.h"
#include "exec/lane_runner.h"
#include "exec/local_arena.h"
#include "exec/units.h"
#include "weft/runtime/executor.h"

namespace weft::runtime {

/// The executor's Slot: fibers, local memory and stacks, all made on first use and kept.
///
/// It is also what abi::Group::runner points to, so that services find their way back.
/// Threads: one at a time; a thread owns the slot while it runs parts.
class ExecSlot final : public Slot {
 public:
  ExecSlot(unsigned index, const ExecutorOptions& options, const LaneLimits& limits) noexcept
      : index_(index),
        options_(options),
        limits_(limits),
        arena_(options.maxLocalBytes),
        lanes_(limits, options.strictBarriers) {}

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

  // For kernels that enqueue others:
  /// Where what the running kernel enqueues belongs; null when it cannot.
  LaunchNode* node() const noexcept { return launch_ ? launch_->bindings.node : nullptr; }
  /// The children that are ready on this slot; a nested one shares them.
  ChildStore& children() noexcept { return outer_ ? outer_->children() : store_; }
  bool isNested() const noexcept { return outer_ != nullptr; }
  /// A slot within this one, which is in the middle of a group, to run something else to its end.
  /// Null when there are too many already, or there is no memory.
  ExecSlot* nested() noexcept;
  /// Compiled code has given a group up, which it is about to leave.
  void giveUp(const abi::Group& group, const Divergence& divergence) noexcept;
  /// `child` begins when the running call of compiled code, and its groups with it, has ended.
  void addAfterGroup(Child& child) noexcept;

 private:
  static bool needsStacks(const CodeBox& box, const abi::MachineCode& code) noexcept {
    return box.slicing.entryKind == EntryKind::Fibers || code.frameBytes > abi::kDirectFrameBytes;
  }
  /// Stacks that one group of the box, or one call, needs. Pre: needsStacks().
  static uint64_t stacksOf(const NDRange& range, const CodeBox& box,
                           const abi::MachineCode& code) noexcept;
  /// Size of the sub-groups that `code` meets in, or 0. Pre: of the box that is being run.
  uint32_t subGroupSizeOf(const abi::MachineCode& code) const noexcept;
  /// The code that was made for a box, whether or not other code has turned out to be faster.
  static const abi::MachineCode& madeCode(const CodeBox& box) noexcept;
  /// What finds out which code is best for the running launch, or null. Pre: madeCode().
  abi::CodeTrial* trialOf(const abi::MachineCode& made) const noexcept;
  const abi::MachineCode& newestCode(const CodeBox& box) const noexcept;

  // Of the box of the launch that is being run:
  /// Takes its newest code and stacks for it.
  bool takeCode() noexcept;
  /// The same once better code has come since, or it is another one's turn. Pre: between two calls.
  bool followCode() noexcept {
    if (trial_ != nullptr) [[unlikely]] {
      code_ = turns_.isOn() ? &turns_.code() : trial_->best();
      return true;
    }
    return !box_->isProvisional || code_ == &newestCode(*box_) || takeCode();
  }
  /// Whether there may yet be better code, which is taken between two calls.
  bool awaitsCode() const noexcept {
    return box_->isProvisional && box_->code->better.load(std::memory_order_relaxed) == nullptr;
  }
  bool runUnits(const BoxSlices& slices, UnitRange units) noexcept;
  /// The same while it is being found out which code is best.
  bool tryUnits(abi::CodeTrial& trial, const BoxSlices& slices, UnitRange units) noexcept;
  bool runFlat(const BoxSlices& slices, UnitRange units) noexcept;
  bool runBox(abi::Group& group) noexcept;
  bool runBand(abi::Group& group, const abi::Group& box, uint64_t columns) noexcept;
  uint64_t tryRows(const abi::Group& box, uint64_t columns, uint64_t rows) const noexcept;
  uint64_t mostGroupsPerCall() const noexcept;
  bool runGroups(const BoxSlices& slices, UnitRange units) noexcept;
  /// Runs one group or box. Small groups take no longer than what is done here between two.
  bool enter(const abi::Group& group) noexcept;
  bool enterInTurn(const abi::Group& group) noexcept;
  bool enterOnStacks(const abi::Group& group) noexcept;
  void releaseAfterGroup() noexcept;
  bool reportDivergence(const abi::Group& group, const Divergence& divergence) noexcept;
  bool reportSlicing() noexcept;
  bool reportResources(const char* what, uint64_t bytes) noexcept;

  /// Slots within each other: each has stacks and local memory of its own.
  static constexpr unsigned kMostNested = 4;

  const unsigned index_;
  const ExecutorOptions& options_;  ///< the executor's
  const LaneLimits& limits_;
  ExecSlot* outer_ = nullptr;
  unsigned depth_ = 0;
  std::unique_ptr<ExecSlot> nested_;
  ChildStore store_;
  Child* afterGroup_ = nullptr;
  // What is being run:
  Job* job_ = nullptr;
  const KernelLaunch* launch_ = nullptr;
  const abi::Launch* abi_ = nullptr;  ///< the launch's, or with arguments of the slot's own
  const CodeBox* box_ = nullptr;
  const abi::MachineCode* code_ = nullptr;
  bool gaveUp_ = false;              ///< a group has, in the call that has just ended
  abi::CodeTrial* trial_ = nullptr;  ///< that takes place while it is run
  CodeTurns turns_;
  LocalArena arena_;
  LaneRunner lanes_;
};

}  // namespace weft::runtime
