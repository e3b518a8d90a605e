// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "weft/runtime/step.h"
#include "weft/support/ref.h"

namespace weft::runtime {

/// A recorded step and the earlier ones that it comes after, by their places in the recording.
struct RecordedStep {
  Ref<const Step> step;
  std::vector<uint32_t> after;
};

/// The order of recorded steps, reduced to *segments*: maximal chains of steps of which
/// each has to wait for nothing but the one before it, and sets free nothing but the one after
/// it. One thread runs a segment from end to end without asking anybody.
///
/// Threads: immutable but for what is learned of costs.
class StepGraph final : public RefCounted {
 public:
  struct Segment {
    uint32_t first = 0;  ///< its steps in the plan: [first, last)
    uint32_t last = 0;
    uint32_t unmet = 0;                ///< segments that it comes after
    std::vector<uint32_t> successors;  ///< segments that come after it
  };

  explicit StepGraph(std::span<const RecordedStep> recording);

  std::span<const Segment> segments() const noexcept { return segments_; }
  /// Where a step of the recording stands in the plan.
  uint32_t position(size_t recorded) const noexcept { return positions_[recorded]; }

  /// Nanoseconds that a segment took at last; 0 when that is not known.
  uint32_t cost(size_t segment) const noexcept {
    return costs_[segment].load(std::memory_order_relaxed);
  }
  void setCost(size_t segment, uint32_t nanoseconds) const noexcept {
    costs_[segment].store(nanoseconds, std::memory_order_relaxed);
  }

 private:
  ~StepGraph() override = default;

  std::vector<Segment> segments_;
  std::vector<uint32_t> positions_;
  std::unique_ptr<std::atomic<uint32_t>[]> costs_;
};

/// What a StepRun runs: the steps of a recording, those of a segment side by side. With other steps
/// in some places it is a new plan of the same graph; runs under way keep the one they began with.
///
/// Ownership: holds the steps. Threads: immutable.
class StepPlan final : public RefCounted {
 public:
  explicit StepPlan(std::span<const RecordedStep> recording);

  /// A step that takes the place of another one.
  struct Change {
    size_t recorded;  ///< its place in the recording
    Ref<const Step> step;
  };
  /// This plan with other steps in some places.
  Ref<const StepPlan> with(std::span<const Change> changes) const;

  const StepGraph& graph() const noexcept { return *graph_; }
  const Step& step(size_t position) const noexcept { return *steps_[position]; }
  size_t stepCount() const noexcept { return steps_.size(); }

  /// Whether any step has anything to run.
  bool hasWork() const noexcept { return hasWork_; }
  /// Whether every step has all that it needs to run.
  bool isComplete() const noexcept { return complete_; }

  /// Forgets all costs: they have turned out to be wrong.
  void forgetCosts() const noexcept;

 private:
  StepPlan(const StepPlan& other, std::span<const Change> changes);
  ~StepPlan() override = default;
  void lookAtSteps() noexcept;

  Ref<const StepGraph> graph_;
  std::vector<Ref<const Step>> steps_;
  bool hasWork_ = false;
  bool complete_ = true;
};

}  // namespace weft::runtime
