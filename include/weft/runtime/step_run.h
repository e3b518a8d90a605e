// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

#include "weft/runtime/executor.h"
#include "weft/runtime/step_plan.h"
#include "weft/support/mutex.h"
#include "weft/support/ref.h"

namespace weft::runtime {

/// A job whose work is steps in an order: one run of a plan.
///
/// *Members* are jobs of one part each: a thread that runs one takes segments that are ready, one
/// after the other, until none is left. A run of small steps is one member and no other traffic.
/// More are submitted when what is ready is worth it, by the costs of earlier runs; and a step that
/// is large and has several parts becomes a job of its own, in which all workers join, after which
/// its segment is ready again with the steps that follow.
///
/// Segment: Waiting -> Ready (in the list) -> Running (taken by a member) -> Done; from Running
/// back to Ready after a while, or to Wide (a step of it is a job), and from there to Ready or
/// Done.
///
/// Ownership: every submitted job holds a reference until it is finished, and the plan lives as
/// long as there is one: the run may be over while a member that came too late still waits for its
/// turn. Derive from it to keep what that member needs besides, and to reuse runs. Threads: start()
/// once for each run; all else from any thread. Nothing waits for anything here.
class StepRun : public RefCounted {
 public:
  StepRun(Ref<const StepGraph> graph, unsigned slots);

  /// Begins to run `plan` as the work of `owner`, which is placed and told how it goes on as if it
  /// were submitted itself. Once `failure` is not 0, what is left of the steps is passed over.
  /// Pre: the plan has work, and the graph of this.
  void start(Job& owner, const std::atomic<int32_t>& failure, Ref<const StepPlan> plan,
             Executor& executor, Urgency urgency) noexcept WEFT_EXCLUDES(mutex_);
  /// Runs what is queued on the calling thread. False when there was nothing.
  bool help(Executor& executor) noexcept WEFT_EXCLUDES(mutex_);
  /// Takes the run back when it has not begun: the owner will not be finished. False when it has,
  /// or when start() is still to come.
  bool withdraw(Executor& executor) noexcept WEFT_EXCLUDES(mutex_);

 protected:
  ~StepRun() override = default;

  /// For a run without references: drops what it kept alive.
  void release() const noexcept { plan_ = nullptr; }

 private:
  bool hasFailed() const noexcept { return failure_->load(std::memory_order_relaxed) != 0; }

  /// A thread's place in the run.
  struct Member final : Job {
    void runPart(size_t part, Slot& slot) noexcept override;
    void started() noexcept override;
    void finished() noexcept override;
    void failed(FailureKind, std::string_view) noexcept override {}
    void printed(std::string_view) noexcept override {}

    StepRun* run = nullptr;
    Member* nextFree = nullptr;
    bool isFirst = false;    ///< its start is that of the owner
    bool completes = false;  ///< it has run the last segment
    bool submitted = false;
  };

  /// The state of a segment, and the job of its step that is wide.
  struct SegmentRun final : Job {
    void runPart(size_t part, Slot& slot) noexcept override;
    void started() noexcept override {}
    void finished() noexcept override;
    void failed(FailureKind, std::string_view) noexcept override {}
    void printed(std::string_view) noexcept override {}

    StepRun* run = nullptr;
    uint32_t index = 0;
    uint32_t unmet = 0;
    uint32_t next = 0;       ///< the step to go on with
    size_t widePart = 0;     ///< first part of the wide step that is the job's
    uint32_t readyCost = 0;  ///< what it counts for while it is ready
    bool isWide = false;
    SegmentRun* nextReady = nullptr;
  };

  /// How a member leaves a segment.
  enum class Left : uint8_t {
    Done,    ///< at its end
    Wide,    ///< at a step that is a job now: it is out of the member's hands
    Paused,  ///< after a while, with steps left, so that the slot can go to something else
  };

  void work(Member& member, Slot& slot) noexcept WEFT_EXCLUDES(mutex_);
  /// Runs a segment's steps from `next` on.
  Left runSegment(SegmentRun& segment, Slot& slot) noexcept WEFT_EXCLUDES(mutex_);
  Left runSteps(SegmentRun& segment, Slot& slot) noexcept WEFT_EXCLUDES(mutex_);
  /// Runs a step of unknown cost; false when it has become wide.
  bool runUnknownStep(SegmentRun& segment, const Step& step, Slot& slot) noexcept;
  void makeWide(SegmentRun& segment, size_t firstPart) noexcept WEFT_EXCLUDES(mutex_);
  void memberFinished(Member& member) noexcept WEFT_EXCLUDES(mutex_);
  void wideFinished(SegmentRun& segment) noexcept WEFT_EXCLUDES(mutex_);

  void pushReady(SegmentRun& segment) noexcept WEFT_REQUIRES(mutex_);
  SegmentRun* takeReady() noexcept WEFT_REQUIRES(mutex_);
  /// Sets free what comes after a segment. True when it was the last one of the run.
  bool complete(SegmentRun& segment) noexcept WEFT_REQUIRES(mutex_);
  /// A member for what is ready and worth a thread; null when there is nothing, or none is free.
  Member* recruit() noexcept WEFT_REQUIRES(mutex_);
  Member* takeMember() noexcept WEFT_REQUIRES(mutex_);
  void giveMember(Member& member) noexcept WEFT_REQUIRES(mutex_);

  const Ref<const StepGraph> graph_;
  const unsigned slots_;
  std::vector<SegmentRun> segments_;
  std::vector<Member> members_;

  // Of one run; written by start().
  Job* owner_ = nullptr;
  const std::atomic<int32_t>* failure_ = nullptr;
  Executor* executor_ = nullptr;
  mutable Ref<const StepPlan> plan_;

  Mutex mutex_;
  SegmentRun* firstReady_ WEFT_GUARDED_BY(mutex_) = nullptr;
  SegmentRun* lastReady_ WEFT_GUARDED_BY(mutex_) = nullptr;
  uint64_t readyCost_ WEFT_GUARDED_BY(mutex_) = 0;  ///< of the ready segments
  uint32_t left_ WEFT_GUARDED_BY(mutex_) = 0;       ///< segments that are not done
  uint32_t wide_ WEFT_GUARDED_BY(mutex_) = 0;
  Member* freeMembers_ WEFT_GUARDED_BY(mutex_) = nullptr;
  Member* first_ WEFT_GUARDED_BY(mutex_) = nullptr;  ///< until it runs
};

}  // namespace weft::runtime
